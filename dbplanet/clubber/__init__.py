"""The clubber MCP server: a club's members, and any GraphQL, over one GraphQL API.

This package alone needs graphql-core; whoever serves without clubber does not import it.
"""

from dbplanet.clubber.server import API_URL_SETTING, DEFAULT_API_URL, api_url_in, clubber_server

__all__ = ["API_URL_SETTING", "DEFAULT_API_URL", "api_url_in", "clubber_server"]
