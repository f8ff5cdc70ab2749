"""A tenant inside the test: answers through ``responses`` and remembers what it was asked."""

import inspect
import json
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

import responses

BASE_URL = "https://tenant.example"
TOKEN_PATH = "/api/oauth/token"
ME = {"id": "me-id", "displayName": "Ada", "timezone": "Europe/Berlin", "typeName": "user"}
HEADERS = {
    "x-dbplanet-username": "ada",
    "x-dbplanet-password": "not-a-real-password",
    "x-dbplanet-client-id": "client",
    "x-dbplanet-client-secret": "not-a-real-secret",
    "x-dbplanet-base-url": BASE_URL,
}


@dataclass
class Asked:
    method: str
    path: str  # as on the wire, still quoted
    query: list
    body: object
    headers: dict


class StubTenant:
    """Grants a token and the profile of ``ME``; ``answer(method, path)`` gives (status, body) for the rest;
    with a third parameter it gets what was asked.

    ``asked`` holds what came in besides the token and the profile; ``tokens`` counts the token requests.
    """

    def __init__(self, answer=lambda method, path: (200, "{}")):
        self.answer = answer
        self.token_answer = lambda: (200, json.dumps({"access_token": f"token-{self.tokens}"}))
        self.asked: list[Asked] = []
        self.profiles = 0
        self.tokens = 0
        self._mock = responses.RequestsMock(assert_all_requests_are_fired=False)

    def __enter__(self):
        self._mock.start()
        for method in ("GET", "POST", "PUT", "DELETE"):
            self._mock.add_callback(method, re.compile(re.escape(BASE_URL) + "/.*"), callback=self._respond)
        return self

    def __exit__(self, *exception):
        self._mock.stop()
        self._mock.reset()

    def _respond(self, request):
        url = urlsplit(request.url)
        if url.path == TOKEN_PATH:
            self.tokens += 1
            return self._sent(*self.token_answer())
        body = json.loads(request.body) if request.body else None
        asked = Asked(
            request.method,
            url.path,
            parse_qsl(url.query, keep_blank_values=True),
            body,
            dict(request.headers),
        )
        if (asked.method, asked.path) == ("GET", "/api/users/me"):
            self.profiles += 1
            return self._sent(200, json.dumps(ME))
        self.asked.append(asked)
        if len(inspect.signature(self.answer).parameters) == 3:
            return self._sent(*self.answer(asked.method, asked.path, asked))
        return self._sent(*self.answer(asked.method, asked.path))

    @staticmethod
    def _sent(status, body, content_type="application/json"):
        if isinstance(body, Exception):
            raise body
        return status, {"Content-Type": content_type}, body
