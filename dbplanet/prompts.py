"""Prompts for jobs that people have in an intranet: what to call, in which order, and how to answer."""

from __future__ import annotations

from typing import Final

from dbplanet.mcp.catalog import Prompt, PromptArgument
from dbplanet.mcp.context import Context

_DAYS: Final = ("1", "3", "7", "14", "30")


def _catch_up(context: Context, days: str = "7") -> str:
    return (
        f"Tell me what is new for me in DB Planet over the last {days} days. Call News_GetFeed and "
        "Notification_List, and read with Content_GetFull the two or three items that concern me most. "
        "Answer in short paragraphs: what matters and why, what waits for an answer of mine, and the rest "
        "as a list with dates. Name the source of each. Mark nothing as seen unless I ask for it."
    )


def _find_expert(context: Context, topic: str) -> str:
    return (
        f"Find out who knows about “{topic}” in the company. Call Search_Grouped and People_Search with "
        "the topic and with words that mean the same, look at the authors of what is found and at the "
        "members of fitting workspaces (Workspace_GetMembers). Name up to five people with job, "
        "department and contact, and for each what shows that they know it. Say so if nothing does."
    )


def _summarise_page(context: Context, page: str) -> str:
    return (
        f"Summarise the intranet page “{page}”. If this is a name, find it with Search_QuickEntity; then "
        "read it with Content_GetFull (contentType page), all parts of it. Give its purpose in one "
        "sentence, then the main points as a list, then dates, names and links that a reader needs. Use "
        "only what the page says."
    )


PROMPTS: Final = (
    Prompt(
        "catch_up",
        "Catch up on news and notifications",
        "What is new for me: news and notifications, by importance.",
        _catch_up,
        [
            PromptArgument(
                "days",
                "How many days back (default 7)",
                complete=lambda typed: [
                    days for days in ("1", "3", "7", "14", "30") if days.startswith(typed)
                ],
            )
        ],
    ),
    Prompt(
        "find_expert",
        "Find who knows about a topic",
        "People who know about a topic, and what shows it.",
        _find_expert,
        [PromptArgument("topic", "The topic, in the words of the company", required=True)],
    ),
    Prompt(
        "summarise_page",
        "Summarise a page",
        "The purpose, main points, dates and contacts of an intranet page.",
        _summarise_page,
        [PromptArgument("page", "Name, id or slug of the page", required=True)],
    ),
)
