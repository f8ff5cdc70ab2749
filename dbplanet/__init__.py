"""DB Planet MCP server: AI agents' hands in Deutsche Bahn's intranet.

``create_app()`` makes the application; ``DBPlanet(app)`` adds the MCP routes to one that exists.
"""

from typing import TYPE_CHECKING, Any

from dbplanet._version import __version__

__all__ = ["DBPlanet", "__version__", "create_app"]

if TYPE_CHECKING:
    from dbplanet.factory import DBPlanet, create_app
else:

    def __getattr__(name: str) -> Any:
        """Import the application when it is asked for, not with each module of this package.

        gunicorn's master reads settings and never serves: without Flask, requests, pydantic and the tools it
        has 26 MiB instead of 53.
        """
        if name not in ("DBPlanet", "create_app"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from dbplanet import factory

        return getattr(factory, name)
