"""Notifications in words (API §4.10).

The platform's own sentences are templates in its front end that no API gives out; these say the same from
the notification's type, key and arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dbplanet.haiilo.shapes import Entity, mapping, text, type_name
from dbplanet.text.layout import one_line
from dbplanet.tools.present import name_of

# Type of what a notification is about → what it is called.
_NOUNS: Final[Mapping[str, str]] = {
    "blog-article": "the blog article",
    "wiki-article": "the wiki article",
    "file": "the file",
    "comment": "a comment",
    "timeline-item": "a post",
    "forum-thread": "the forum thread",
    "list-entry": "the list entry",
    "task": "the task",
    "workspace": "the workspace",
    "event": "the event",
    "page": "the page",
    "report": "content",
}

# Last word of messageKey → sentence. It tells more than the type, but is not always there.
_ACTIONS: Final[Mapping[str, str]] = {
    "COMMENT": "{who} commented on {what}",
    "COMMENTED": "{who} commented on {what}",
    "REPLY": "{who} replied to {what}",
    "LIKE": "{who} likes {what}",
    "LIKED": "{who} likes {what}",
    "REACTION": "{who} reacted to {what}",
    "MENTION": "{who} mentioned you in {what}",
    "MENTIONED": "{who} mentioned you in {what}",
    "SHARE": "{who} shared {what}",
    "SHARED": "{who} shared {what}",
}

# typeName → sentence.
_TYPES: Final[Mapping[str, str]] = {
    "report": "{who} reported {what}",
    "user-follow": "{who} follows you",
    "workspace-approved": "{who} accepted your request to join {what}",
    "workspace-invited": "{who} invited you to {what}",
    "workspace-joined": "{who} joined {what}",
    "workspace-rejected": "{who} declined your request to join {what}",
    "workspace-removed": "{who} removed you from {what}",
    "workspace-requested": "{who} asks to join {what}",
    "event-invited": "{who} invited you to {what}",
    "event-attending": "{who} will attend {what}",
    "event-maybe-attending": "{who} may attend {what}",
    "attending": "{who} will attend {what}",
    "maybe-attending": "{who} may attend {what}",
    "external-article": "{who} sent {what}",
}

# Category → sentence for the other types: what they tell is in their excerpt.
_CATEGORIES: Final[Mapping[str, str]] = {
    "DISCUSSION": "{who} takes part in the discussion of {what}",
    "ACTIVITY": "{who} published or changed {what}",
}


def sentence(notification: Entity) -> str:
    """Return who did what; the sender's own sentence where the notification has one."""
    written = text(mapping(notification.get("messages")).get("WEB"))
    if written:
        return one_line(written)
    kind, author = type_name(notification) or "", mapping(notification.get("author"))
    who = name_of(author) if author else "Somebody"
    about = _title(notification, who)
    template = _template(notification, kind)
    if template is None:
        return one_line(": ".join(filter(None, (who, kind.replace("-", " ") or "notification", about))))
    noun = _NOUNS.get(kind) or _NOUNS.get(kind.partition("-")[0], "")
    what = " ".join(filter(None, (noun, about))) or "something"
    return one_line(template.replace("{what}", what).replace("{who}", who))


def _template(notification: Entity, kind: str) -> str | None:
    action = (text(notification.get("messageKey")) or "").rpartition(".")[2].upper()
    by_category = _CATEGORIES.get(text(notification.get("category")) or "") if kind in _NOUNS else None
    return _ACTIONS.get(action) or _TYPES.get(kind) or by_category


def _title(notification: Entity, who: str) -> str:
    """Return the titles among the arguments s1, s2 …, of which the first is mostly the author's name."""
    arguments: Mapping[str, Any] = mapping(notification.get("messageArguments"))
    named = [one_line(value) for _, value in sorted(arguments.items()) if text(value)]
    titles = ", ".join(dict.fromkeys(name for name in named if name != who))
    return f"“{titles}”" if titles else ""
