"""Making entities: the fields that the real API shows, from the few that differ.

Field lists: ``reference/haiilo-api.md`` §3.2, §4 and §5. All times are milliseconds since 1970.
"""

from __future__ import annotations

from typing import Any

from .store import Document


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split()[:2]).upper()


def sender(type_name: str, entity: str, slug: str, name: str, *, public: bool) -> Document:
    """Return the core that users, pages, workspaces and events share."""
    return {
        "id": entity,
        "entityId": {"id": entity, "typeName": type_name},
        "slug": slug,
        "typeName": type_name,
        "displayName": name,
        "displayNameInitials": _initials(name),
        "color": f"#{entity[:6]}",
        "public": public,
        "imageUrls": {"avatar": f"/web/senders/{entity}/avatar", "cover": f"/web/senders/{entity}/cover"},
        "target": {"name": type_name, "params": {"id": entity, "slug": slug}},
    }


def user(entity: str, person: Document, *, tenant: str, created: int) -> Document:
    """Return a user; ``person`` is an entry of ``content/people.json``."""
    slug: str = person["slug"]
    status = person.get("status", "ACTIVE")
    name = f"{person['firstname']} {person['lastname']}"
    properties = ("jobTitle", "department", "location", "phone", "about")
    return {
        **sender("user", entity, slug.replace(".", "-"), name, public=True),
        "tenant": tenant,
        "tenantId": tenant,
        "loginName": slug,
        "loginNameAlt": None,
        "moderatorMode": False,
        "status": status,
        "active": status == "ACTIVE",
        "anonymized": status == "DELETED",
        "firstname": person["firstname"],
        "lastname": person["lastname"],
        "email": f"{slug}@dbplanet.example",
        "language": "de",
        "timezone": "Europe/Berlin",
        "properties": {key: person[key] for key in properties if key in person},
        "manager": None,
        "updatedId": created,
        "externalWorkspaceMember": False,
        "created": created,
        "modified": created,
        "_role": person.get("role", "reader"),
    }


def _named(
    type_name: str, entity: str, slug: str, given: Document, *, created: int, public: bool
) -> Document:
    return {
        **sender(type_name, entity, slug, given["name"], public=public),
        "name": given["name"],
        "description": given.get("description") or "",
        "created": created,
        "modified": created,
    }


def workspace(entity: str, slug: str, given: Document, *, created: int) -> Document:
    """Return a workspace from ``name, description, visibility, categories``."""
    return {
        **_named("workspace", entity, slug, given, created=created, public=given["visibility"] == "PUBLIC"),
        "visibility": given["visibility"],
        "categories": given.get("categories", []),
        "archived": given.get("archived", False),
        "appNavigation": [],
        "defaultLanguage": "de",
        "translations": {},
    }


def page(entity: str, slug: str, given: Document, *, created: int) -> Document:
    """Return a page from ``name, description, visibility, categories``."""
    return {
        **_named("page", entity, slug, given, created=created, public=given["visibility"] == "PUBLIC"),
        "visibility": given["visibility"],
        "userSubscriptionsCount": given.get("subscriptions", 0),
        "categories": given.get("categories", []),
        "autoSubscribeType": given.get("autoSubscribeType") or "NONE",
        "defaultLanguage": given.get("defaultLanguage"),
        "translations": given.get("translations") or {},
        "appNavigation": [],
    }


def event(entity: str, slug: str, given: Document, *, host: str, created: int) -> Document:
    """Return an event from ``name, description, place, startDate, endDate`` and its switches."""
    return {
        **_named("event", entity, slug, given, created=created, public=given.get("public", True)),
        "place": given.get("place") or "",
        "startDate": given["startDate"],
        "endDate": given["endDate"],
        "fullDay": given.get("fullDay", False),
        "showParticipants": given.get("showParticipants", True),
        "requestDefiniteAnswer": given.get("requestDefiniteAnswer", False),
        "_sender": host,
    }


def app(entity: str, given: Document, *, of: Document, created: int) -> Document:
    """Return an app of the sender ``of`` from ``key, slug, name, settings``."""
    params = {**_place(of), "id": entity, "appId": entity, "appSlug": given["slug"], "appKey": given["key"]}
    return {
        "id": entity,
        "typeName": "app",
        "senderId": of["id"],
        "senderType": of["typeName"],
        "key": given["key"],
        "name": given["name"],
        "displayName": given["name"],
        "slug": given["slug"],
        "active": True,
        "settings": {"commentsAllowed": True, "authorType": "ADMIN", **given.get("settings", {})},
        "rootFolderId": None,
        "defaultLanguage": "de",
        "created": created,
        "modified": created,
        "target": {"name": "app", "params": params},
    }


def _place(of: Document) -> dict[str, Any]:
    return {"senderId": of["id"], "senderType": of["typeName"], "senderSlug": of["slug"]}


def _article(type_name: str, entity: str, title: str, *, of: Document, inside: Document) -> Document:
    params = {**_place(of), "id": entity, "appId": inside["id"], "appKey": inside["key"]}
    target = {"name": type_name, "params": params}
    return {
        "id": entity,
        "typeName": type_name,
        "title": title,
        "displayName": title,
        "senderId": of["id"],
        "appId": inside["id"],
        "defaultLanguage": "de",
        "usedLanguage": "de",
        "target": target,
        "articleTarget": target,
    }


def blog_article(entity: str, given: Document, *, of: Document, inside: Document, created: int) -> Document:
    """Return a news article from ``title, teaserText, published, author`` (the author as an id)."""
    published = given.get("published", True)
    return {
        **_article("blog-article", entity, given["title"], of=of, inside=inside),
        "teaserText": given.get("teaserText", ""),
        "showTeaserWithText": given.get("showTeaserWithText", True),
        "teaserImage": None,
        "teaserImageWide": None,
        "publishDate": created if published else None,
        "published": published,
        "publishAsAuthor": True,
        "created": created,
        "modified": created,
        "translations": {
            language: {"title": translation["title"]}
            for language, translation in given.get("translations", {}).items()
        },
        "_author": given["author"],
    }


def wiki_article(entity: str, given: Document, *, of: Document, inside: Document, created: int) -> Document:
    """Return a wiki article from ``title, revision, parentId, sortOrder, author`` (the author as an id)."""
    return {
        **_article("wiki-article", entity, given["title"], of=of, inside=inside),
        "parentId": given.get("parentId"),
        "revisionNumber": given["revision"],
        "latestRevision": True,
        "sortOrder": given.get("sortOrder", 0),
        "locked": False,
        "lockHolder": None,
        "lockDate": None,
        "created": created,
        "modified": created,
        "translations": {},
        "_author": given["author"],
    }


def timeline_item(entity: str, message: str, *, author: str, recipients: list[str], created: int) -> Document:
    """Return a post; ``message`` is Markdown, ``recipients`` the ids of the timelines that show it."""
    return {
        "id": entity,
        "typeName": "timeline-item",
        "itemType": "post",
        "data": {"message": message},
        "created": created,
        "modified": created,
        "attachments": [],
        "linkPreviews": [],
        "videoPreviews": [],
        "shares": [],
        "unread": False,
        "stickyExpiry": None,
        "target": {"name": "timeline_item", "params": {"id": entity}},
        "_author": author,
        "_recipients": recipients,
    }


def comment(entity: str, message: str, *, author: str, target: Document, created: int) -> Document:
    """Return a comment; ``message`` is Markdown, ``target`` the entity it stands under."""
    return {
        "id": entity,
        "typeName": "comment",
        "message": message,
        "created": created,
        "modified": created,
        "edited": False,
        "attachments": [],
        "target": {"id": target["id"], "typeName": target["typeName"]},
        "_author": author,
    }


def notification(
    entity: str, given: Document, *, author: str, target: Document | None, created: int
) -> Document:
    """Return a notification from ``category, type, messageKey, arguments, excerpt`` about ``target``."""
    return {
        "id": entity,
        "typeName": given["type"],
        "category": given["category"],
        "messageKey": given["messageKey"],
        "messageArguments": {f"s{n}": text for n, text in enumerate(given.get("arguments", []), start=1)},
        "excerpt": given.get("excerpt", ""),
        "created": created,
        "clicked": given.get("clicked", False),
        "target": target["target"] if target and "target" in target else None,
        "_author": author,
        "_seen": given.get("seen", False),
    }
