"""The tenant as the Python servers ask it: with aiohttp, httpx or httpx2."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from typing import Any, Final, Protocol

from bench import job

CONNECTIONS: Final = 1000


class Client(Protocol):
    """What asks for JSON; raises for any status but a good one."""

    async def post(self, url: str, form: Mapping[str, str], user: tuple[str, str]) -> Any:
        """Send a form with HTTP Basic."""

    async def get(self, url: str, headers: Mapping[str, str]) -> Any:
        """Ask."""


class Tenant:
    """A tenant and the tokens of those who are signed in."""

    def __init__(self, origin: str, client: Client) -> None:
        self._origin = origin
        self._client = client
        self._tokens: dict[str, str] = {}

    async def me(self, key: str, headers: Mapping[str, str]) -> Any:
        """Return who the bearer is, signing in first where nobody has under ``key``."""
        if key not in self._tokens:
            self._tokens[key] = await self._sign_in(headers)
        bearer = {"Authorization": f"Bearer {self._tokens[key]}"}
        return await self._client.get(self._origin + job.ME_PATH, bearer)

    async def _sign_in(self, headers: Mapping[str, str]) -> str:
        name = "x-dbplanet-"
        pair = (headers[f"{name}client-id"], headers[f"{name}client-secret"])
        form = {
            "grant_type": "password",
            "username": headers[f"{name}username"],
            "password": headers[f"{name}password"],
        }
        answer = await self._client.post(self._origin + job.TOKEN_PATH, form, pair)
        return str(answer["access_token"])


@asynccontextmanager
async def with_aiohttp() -> AsyncIterator[Client]:
    """Yield a client of aiohttp."""
    import aiohttp

    class Asking:
        async def post(self, url: str, form: Mapping[str, str], user: tuple[str, str]) -> Any:
            async with session.post(url, data=form, auth=aiohttp.BasicAuth(*user)) as answer:
                return await answer.json()

        async def get(self, url: str, headers: Mapping[str, str]) -> Any:
            async with session.get(url, headers=headers) as answer:
                return await answer.json()

    connector = aiohttp.TCPConnector(limit=CONNECTIONS)
    async with aiohttp.ClientSession(connector=connector, raise_for_status=True) as session:
        yield Asking()


def with_httpx(module: str) -> Callable[[], AbstractAsyncContextManager[Client]]:
    """Return what yields a client of httpx, or of httpx2, which the SDK itself brings."""

    @asynccontextmanager
    async def made() -> AsyncIterator[Client]:
        httpx = import_module(module)

        class Asking:
            async def post(self, url: str, form: Mapping[str, str], user: tuple[str, str]) -> Any:
                answer = await client.post(url, data=form, auth=user)
                return answer.raise_for_status().json()

            async def get(self, url: str, headers: Mapping[str, str]) -> Any:
                answer = await client.get(url, headers=headers)
                return answer.raise_for_status().json()

        limits = httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)
        async with httpx.AsyncClient(limits=limits, timeout=30) as client:
            yield Asking()

    return made


CLIENTS: Final[Mapping[str, Callable[[], AbstractAsyncContextManager[Client]]]] = {
    "aiohttp": with_aiohttp,
    "httpx": with_httpx("httpx"),
    "httpx2": with_httpx("httpx2"),
}
