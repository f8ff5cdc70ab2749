from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from dbplanet.egress import Limits
from dbplanet.httpapi import api_server
from e2e.egress.egress_certificates import Authority
from e2e.httpapi.api_calls import Api

LOOPBACK = ["127.0.0.1"]


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("ca"))


@pytest.fixture
def make_api(authority: Authority) -> Callable[..., Api]:
    """Return a maker of api servers that may dial 127.0.0.1 (not 127.0.0.9).

    `names` maps host names to addresses (by default every name is 127.0.0.1); limits go by their names.
    """

    def make(
        *,
        names: dict[str, list[str]] | None = None,
        resolver: Callable[[str], Sequence[str]] | None = None,
        options: dict[str, Any] | None = None,
        **limits: Any,
    ) -> Api:
        given: dict[str, Any] = {
            "nets": ["127.0.0.1/32"],
            "ca_bundle": str(authority.bundle),
            **(options or {}),
        }
        server = api_server(
            version="1",
            limits=Limits(**{"connect": 2.0, "read": 2.0, "total": 5.0, **limits}),
            resolver=resolver or (lambda host: (names or {}).get(host, LOOPBACK)),
            **given,
        )
        return Api(server)

    return make
