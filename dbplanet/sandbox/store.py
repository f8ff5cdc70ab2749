"""The tenant's state in SQLite: documents as JSON, relations as rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Document = dict[str, Any]
"""An entity as the API shows it; keys with a leading underscore stay inside."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS document (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
    slug TEXT, owner TEXT, body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS document_slug ON document (type, slug);
CREATE INDEX IF NOT EXISTS document_owner ON document (type, owner);
CREATE TABLE IF NOT EXISTS membership (
    number INTEGER PRIMARY KEY, entity TEXT NOT NULL, user TEXT NOT NULL,
    role TEXT NOT NULL, status TEXT NOT NULL, UNIQUE (entity, user));
CREATE INDEX IF NOT EXISTS membership_user ON membership (user);
CREATE TABLE IF NOT EXISTS liked (
    target TEXT NOT NULL, sender TEXT NOT NULL, created INTEGER NOT NULL, PRIMARY KEY (target, sender));
CREATE TABLE IF NOT EXISTS layout (
    name TEXT NOT NULL, parent TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (parent, name));
CREATE TABLE IF NOT EXISTS fulltext (
    id TEXT PRIMARY KEY, type TEXT NOT NULL, container TEXT NOT NULL, modified INTEGER NOT NULL,
    title TEXT NOT NULL, text TEXT NOT NULL, folded_title TEXT NOT NULL, folded TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS token (
    value TEXT PRIMARY KEY, kind TEXT NOT NULL, user TEXT NOT NULL, expires REAL NOT NULL);
"""


def create_schema(database: str | Path) -> None:
    """Create the tables where they are missing and let readers and a writer work at once (WAL)."""
    connection = sqlite3.connect(database)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(_SCHEMA)
    finally:
        connection.close()


class Store:
    """One connection, for one request; every statement commits unless a transaction is open."""

    def __init__(self, database: str | Path) -> None:
        self.connection = sqlite3.connect(database, timeout=20, isolation_level=None)
        self.connection.row_factory = sqlite3.Row
        self.connection.execute("PRAGMA synchronous = OFF")

    def close(self) -> None:
        """Give the connection back."""
        self.connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block as one step that no other writer can interleave with."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """Return all rows of a query."""
        return self.connection.execute(sql, values).fetchall()

    def execute(self, sql: str, *values: object) -> None:
        """Run a statement for its effect."""
        self.connection.execute(sql, values)

    # documents

    def add(self, document: Document, *, owner: str | None = None, kind: str | None = None) -> Document:
        """Insert a document below ``owner`` (an app below its sender, an article below its app …).

        ``kind`` stands in for ``typeName`` where that is another entity's (a notification about an article).
        """
        self.execute(
            "INSERT INTO document (id, type, slug, owner, body) VALUES (?, ?, ?, ?, ?)",
            document["id"],
            kind or document["typeName"],
            document.get("slug"),
            owner,
            json.dumps(document),
        )
        return document

    def get(self, entity: str) -> Document | None:
        """Return the document with this id."""
        return _first(self.rows("SELECT body FROM document WHERE id = ?", entity))

    def find(self, type_name: str, id_or_slug: str, *, owner: str | None = None) -> Document | None:
        """Return the document of a type by id or slug, of one owner if given."""
        sql = "SELECT body FROM document WHERE type = ? AND (id = ? OR slug = ?) AND (? IS NULL OR owner = ?)"
        return _first(self.rows(sql, type_name, id_or_slug, id_or_slug, owner, owner))

    def documents(self, type_name: str, *, owner: str | None = None) -> list[Document]:
        """Return all documents of a type in the order they were added, of one owner if given."""
        sql = "SELECT body FROM document WHERE type = ? AND (? IS NULL OR owner = ?) ORDER BY number"
        return [json.loads(row["body"]) for row in self.rows(sql, type_name, owner, owner)]

    def update(self, document: Document) -> None:
        """Overwrite a document: last write wins, as in Haiilo."""
        self.execute("UPDATE document SET body = ? WHERE id = ?", json.dumps(document), document["id"])

    # memberships

    def set_membership(self, entity: str, user: str, *, role: str, status: str) -> None:
        """Set a user's role and status in a workspace, page or event."""
        self.execute(
            "INSERT INTO membership (entity, user, role, status) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (entity, user) DO UPDATE SET role = excluded.role, status = excluded.status",
            entity,
            user,
            role,
            status,
        )

    def membership(self, entity: str, user: str) -> tuple[str, str] | None:
        """Return a user's ``(role, status)`` in an entity."""
        rows = self.rows("SELECT role, status FROM membership WHERE entity = ? AND user = ?", entity, user)
        return (rows[0]["role"], rows[0]["status"]) if rows else None

    def members(self, entity: str, *statuses: str) -> list[sqlite3.Row]:
        """Return rows ``user, role, status`` of an entity, of some statuses if given, oldest first."""
        rows = self.rows("SELECT * FROM membership WHERE entity = ? ORDER BY number", entity)
        return [row for row in rows if not statuses or row["status"] in statuses]

    # layouts

    def set_layout(self, parent: str, name: str, body: Document) -> None:
        """Keep the widgets of one layout or slot in the modern form ``{rows: [[{cols, widgets}]]}``."""
        self.execute("INSERT OR REPLACE INTO layout VALUES (?, ?, ?)", name, parent, json.dumps(body))

    def layout(self, parent: str, name: str) -> Document | None:
        """Return a layout of ``parent`` by its name."""
        return _first(self.rows("SELECT body FROM layout WHERE parent = ? AND name = ?", parent, name))


def _first(rows: list[sqlite3.Row]) -> Document | None:
    if not rows:
        return None
    document: Document = json.loads(rows[0]["body"])
    return document
