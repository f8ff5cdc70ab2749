"""DB Planet MCP server: AI agents' hands in Deutsche Bahn's intranet.

``create_app()`` makes the application; ``DBPlanet(app)`` adds the MCP routes to one that exists.
"""

from dbplanet._version import __version__
from dbplanet.factory import DBPlanet, create_app

__all__ = ["DBPlanet", "__version__", "create_app"]
