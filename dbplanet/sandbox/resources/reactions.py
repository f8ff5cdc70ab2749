"""Reactions, which the newest generation has in place of likes; they cannot be set by this API."""

from __future__ import annotations

from typing import Any

from flask import request

from dbplanet.sandbox.context import store
from dbplanet.sandbox.paging import page_of
from dbplanet.sandbox.store import Document
from dbplanet.sandbox.views import card

from .social import like_target

_TYPES = (
    ("LIKE", "\N{THUMBS UP SIGN}"),
    ("LOVE", "\N{HEAVY BLACK HEART}"),
    ("INSIGHTFUL", "\N{ELECTRIC LIGHT BULB}"),
)


def types() -> list[Document]:
    """Answer ``GET /reaction-targets/types``."""
    return [{"reactionType": name, "fallbackUnicode": sign} for name, sign in _TYPES]


def _all(target: str) -> list[Document]:
    """Return the reactions to a target, the newest first; their kinds take turns."""
    rows = store().rows("SELECT sender FROM liked WHERE target = ? ORDER BY created DESC", target)
    kinds = [name for name, _ in _TYPES]
    return [
        {"sender": row["sender"], "reactionType": kinds[number % len(kinds)]}
        for number, row in enumerate(rows)
    ]


def listing(target_type: str, target_id: str) -> Document:
    """Answer ``GET /reaction-targets/{type}/{id}/reactions``: a page of ``{sender, reactionType}``."""
    found = _all(like_target(target_type, target_id))
    return page_of(found, lambda reaction: {**reaction, "sender": card(reaction["sender"])})


def counts(target_type: str) -> dict[str, Any]:
    """Answer ``GET /reaction-targets/{type}?ids=``: how many of each kind, by target."""
    return {target: _counts(like_target(target_type, target)) for target in request.args.getlist("ids")}


def _counts(target: str) -> Document:
    kinds = [reaction["reactionType"] for reaction in _all(target)]
    numbers = [{"reactionType": kind, "count": kinds.count(kind)} for kind in dict.fromkeys(kinds)]
    return {"allReactionsByCount": sorted(numbers, key=lambda number: -number["count"])}
