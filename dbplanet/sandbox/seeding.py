"""Filling an empty tenant with the people, places and texts of ``content/*.json``.

Times in those files are days before or after the moment of seeding, so that news stay fresh and
events to come stay to come. References are ``"<typeName>/<key>"``, see :func:`.identity.entity_id`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from . import documents, fulltext
from .clock import DAY_MS, local_now, local_string, now_ms
from .identity import entity_id
from .store import Document, Store

_DEFAULT_AGE = 400
_INDEXED = ("user", "page", "workspace", "event", "app", "blog-article", "wiki-article", "timeline-item")


def seed(database: str | Path, *, tenant: str) -> None:
    """Fill ``database`` in one transaction, unless it holds a tenant already."""
    store = Store(database)
    try:
        with store.transaction():
            if not store.documents("user"):
                _Seeding(store, tenant, now_ms()).run()
    finally:
        store.close()


@dataclass(frozen=True)
class _Seeding:
    store: Store
    tenant: str
    now: int

    def run(self) -> None:
        for name, add in (
            ("people", self._add_person),
            ("pages", partial(self._add_place, "page", documents.page)),
            ("workspaces", partial(self._add_place, "workspace", documents.workspace)),
            ("events", self._add_event),
            ("timeline", self._add_post),
        ):
            for given in self._content(name):
                add(given)
        self._add_reactions(self._content("reactions"))
        self._index()

    def _index(self) -> None:
        for type_name in _INDEXED:
            for document in self.store.documents(type_name):
                if document.get("status", "ACTIVE") == "ACTIVE" and document.get("published", True):
                    fulltext.index(self.store, document)

    def _content(self, name: str) -> Any:
        file = resources.files("dbplanet.sandbox") / "content" / f"{name}.json"
        return json.loads(file.read_text("utf-8").replace("{tenant}", json.dumps(self.tenant)[1:-1]))

    def _ago(self, given: Document) -> int:
        return self.now - int(given.get("daysAgo", _DEFAULT_AGE) * DAY_MS)

    def _add_person(self, given: Document) -> None:
        entity = entity_id(f"user/{given['slug']}")
        self.store.add(documents.user(entity, given, tenant=self.tenant, created=self._ago(given)))

    # places and what is in them

    def _add_place(self, type_name: str, make: Callable[..., Document], given: Document) -> None:
        entity = entity_id(f"{type_name}/{given['slug']}")
        place = self.store.add(make(entity, given["slug"], given, created=self._ago(given)))
        for role, field, status in (
            ("ADMIN", "admins", "APPROVED"),
            ("USER", "members", "APPROVED"),
            ("USER", "invited", "INVITED"),
            ("USER", "requested", "REQUESTED"),
        ):
            for login in given.get(field, []):
                self.store.set_membership(place["id"], entity_id(f"user/{login}"), role=role, status=status)
        if "slot" in given:
            self._add_layout(place["id"], f"{place['typeName']}-content", given["slot"])
        for app in given.get("apps", []):
            self._add_app(place, app)

    def _add_app(self, place: Document, given: Document) -> None:
        app = documents.app(
            entity_id(f"app/{place['slug']}/{given['slug']}"), given, of=place, created=place["created"]
        )
        articles = given.get("articles", [])
        if given["key"] == "wiki":
            app["settings"]["home"] = entity_id(f"wiki-article/{articles[0]['key']}")
        self.store.add(app, owner=place["id"])
        self._add_layout(app["id"], f"app-content-{app['id']}", given)
        add = {"blog": self._add_blog_article, "wiki": self._add_wiki_article}.get(given["key"])
        for article in articles if add else []:
            article["author"] = entity_id(f"user/{article['author']}")
            add(place, app, article)  # type: ignore[misc]

    def _add_blog_article(self, place: Document, app: Document, given: Document) -> None:
        entity = entity_id(f"blog-article/{given['key']}")
        article = documents.blog_article(entity, given, of=place, inside=app, created=self._ago(given))
        self.store.add(article, owner=app["id"])
        name = f"app-blog-{app['id']}-{entity}"
        self._add_layout(entity, name, given)
        for language, translation in given.get("translations", {}).items():
            self._add_layout(entity, f"{name}-{language}", translation)

    def _add_wiki_article(self, place: Document, app: Document, given: Document) -> None:
        entity = entity_id(f"wiki-article/{given['key']}")
        parent = given.get("parent")
        given["revision"] = len(given["revisions"])
        given["parentId"] = entity_id(f"wiki-article/{parent}") if parent else None
        article = documents.wiki_article(entity, given, of=place, inside=app, created=self._ago(given))
        self.store.add(article, owner=app["id"])
        for number, revision in enumerate(given["revisions"], start=1):
            self._add_layout(entity, f"app-wiki-{app['id']}-{entity}-{number}", revision)

    def _add_layout(self, parent: str, name: str, given: Document) -> None:
        """Keep ``layout`` as it is, ``rows`` with ids for the widgets, or ``html`` as one ``rte`` widget."""
        if "layout" in given:
            self.store.set_layout(parent, name, given["layout"])
        elif "rows" in given or "html" in given:
            rows = given.get("rows") or [_one_widget("".join(given["html"]))]
            for number, widget in enumerate(_widgets(rows)):
                widget["id"] = entity_id(f"widget/{name}/{number}")
            self.store.set_layout(parent, name, {"rows": rows})

    # events, posts, reactions

    def _add_event(self, given: Document) -> None:
        day = (local_now() + timedelta(days=given["inDays"])).replace(hour=0, minute=0, second=0)
        hour, minute = map(int, given.get("time", "12:00").split(":"))
        start = day.replace(hour=hour, minute=minute)
        given["startDate"] = local_string(start)
        given["endDate"] = local_string(start + timedelta(hours=given["hours"]))
        host = entity_id(given["sender"])
        entity = entity_id(f"event/{given['slug']}")
        self.store.add(
            documents.event(
                entity, given["slug"], given, host=host, created=self._ago(given | {"daysAgo": 20})
            )
        )
        for status, logins in given["participants"].items():
            for login in logins:
                role = "ADMIN" if login in given["admins"] else "USER"
                self.store.set_membership(entity, entity_id(f"user/{login}"), role=role, status=status)

    def _add_post(self, given: Document) -> None:
        recipients = [entity_id(reference) for reference in given["recipients"]]
        post = documents.timeline_item(
            entity_id(f"timeline-item/{given['key']}"),
            "\n".join(given["message"]),
            author=entity_id(given["author"]),
            recipients=recipients,
            created=self._ago(given),
        )
        self.store.add(post, owner=recipients[0])

    def _add_reactions(self, given: Document) -> None:
        for number, comment in enumerate(given["comments"]):
            target = self._existing(comment["on"])
            author = entity_id(f"user/{comment['author']}")
            entity = entity_id(f"comment/{number}")
            made = documents.comment(
                entity, comment["message"], author=author, target=target, created=self._ago(comment)
            )
            self.store.add(made, owner=target["id"])
        for reference, logins in given["likes"].items():
            target = self._existing(reference)
            for number, login in enumerate(logins):
                values = (target["id"], entity_id(f"user/{login}"), target["created"] + number)
                self.store.execute("INSERT INTO liked VALUES (?, ?, ?)", *values)
        for number, notification in enumerate(given["notifications"]):
            self._add_notification(number, notification)

    def _add_notification(self, number: int, given: Document) -> None:
        made = documents.notification(
            entity_id(f"notification/{number}"),
            given,
            author=entity_id(f"user/{given['author']}"),
            target=self._existing(given["about"]),
            created=self._ago(given),
        )
        self.store.add(made, owner=entity_id(f"user/{given['for']}"), kind="notification")

    def _existing(self, reference: str) -> Document:
        found = self.store.get(entity_id(reference))
        if found is None:
            raise LookupError(f"content refers to {reference}, which is not there")
        return found


def _one_widget(html: str) -> list[Document]:
    return [{"cols": 12, "widgets": [{"key": "rte", "settings": {"html_content": html}}]}]


def _widgets(rows: list[list[Document]]) -> list[Document]:
    return [widget for row in rows for column in row for widget in column.get("widgets", [])]
