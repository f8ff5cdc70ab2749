"""A Haiilo tenant small enough to read: for trying the server, for tests, for benchmarks.

It speaks the API described in ``reference/haiilo-api.md`` over real HTTP, in its own process, with its state
in SQLite. All its people and credentials are made up.
"""

from .app import create_sandbox
from .identity import COLLEAGUES, CREDENTIALS, Credentials, entity_id
from .server import serve

__all__ = ["COLLEAGUES", "CREDENTIALS", "Credentials", "create_sandbox", "entity_id", "serve"]
