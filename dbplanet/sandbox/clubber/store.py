"""The members in SQLite: one table, one short connection for each step."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

FIELDS = ("first_name", "last_name", "address", "email", "phone")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS member (
    id INTEGER PRIMARY KEY AUTOINCREMENT, first_name TEXT NOT NULL,
    last_name TEXT, address TEXT, email TEXT, phone TEXT);
"""

Row = Mapping[str, Any]
"""``id`` and the columns of ``FIELDS``."""


class Members:
    """The members in the SQLite file ``database``, which is made where it is missing; safe with threads."""

    def __init__(self, database: str | Path) -> None:
        self._database = str(database)
        with self._transaction() as connection:
            connection.executescript(_SCHEMA)

    def all(self) -> list[Row]:
        """Return every member in the order of their ids."""
        with self._transaction() as connection:
            return connection.execute("SELECT * FROM member ORDER BY id").fetchall()

    def get(self, member_id: int) -> Row | None:
        """Return one member, or None."""
        with self._transaction() as connection:
            return _row(connection, member_id)

    def add(self, values: Mapping[str, Any]) -> Row:
        """Insert a member, keyed by names of ``FIELDS``, and return it with its new id."""
        with self._transaction() as connection:
            added = connection.execute(
                "INSERT INTO member (first_name, last_name, address, email, phone) VALUES (?, ?, ?, ?, ?)",
                [values.get(name) for name in FIELDS],
            )
            row = _row(connection, added.lastrowid)
        if row is None:
            raise RuntimeError("the new member is not in the database")
        return row

    def change(self, member_id: int, values: Mapping[str, Any]) -> Row | None:
        """Set the given columns only and return the member, or None where there is no such id."""
        with self._transaction() as connection:
            connection.execute("BEGIN IMMEDIATE")  # or another change could come between the two steps
            before = _row(connection, member_id)
            if before is None:
                return None
            after = {**dict(before), **values}
            connection.execute(
                "UPDATE member SET first_name = ?, last_name = ?, address = ?, email = ?, phone = ?"
                " WHERE id = ?",
                [*(after[name] for name in FIELDS), member_id],
            )
            return after

    def fill(self, members: Iterable[Mapping[str, Any]]) -> None:
        """Add ``members`` where the table has never held one."""
        with self._transaction() as connection:
            if connection.execute("SELECT 1 FROM sqlite_sequence WHERE name = 'member'").fetchone():
                return
        for member in members:
            self.add(member)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._database, timeout=20)) as connection:
            connection.row_factory = sqlite3.Row
            with connection:
                yield connection


def _row(connection: sqlite3.Connection, member_id: int | None) -> Row | None:
    found: Row | None = connection.execute("SELECT * FROM member WHERE id = ?", [member_id]).fetchone()
    return found
