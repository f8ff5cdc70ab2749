"""A club's member register as a GraphQL API: strawberry on Flask, its members in SQLite.

It is what the clubber MCP server is tried and tested against; all its people are made up.
"""

from .app import create_clubber
from .server import serve

__all__ = ["create_clubber", "serve"]
