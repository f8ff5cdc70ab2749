from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from egress_certificates import Authority

from dbplanet.egress import Egress, Limits, Policy

LOOPBACK = ["127.0.0.1"]


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("ca"))


@pytest.fixture
def make_egress(authority: Authority) -> Iterator[Callable[..., Egress]]:
    """Return a maker of Egress objects that may dial 127.0.0.1 (not 127.0.0.9), closed after the test.

    `names` maps host names to addresses (by default every name is 127.0.0.1); limits go by their names.
    """
    made: list[Egress] = []

    def make(
        *,
        names: dict[str, list[str]] | None = None,
        policy: Policy | None = None,
        resolver: Callable[[str], list[str]] | None = None,
        proxy: str | None = None,
        **limits: Any,
    ) -> Egress:
        egress = Egress(
            policy or Policy.for_api(nets=["127.0.0.1/32"]),
            Limits(**{"connect": 2.0, "read": 2.0, "total": 5.0, **limits}),
            proxy=proxy,
            ca_bundle=str(authority.bundle),
            resolver=resolver or (lambda host: (names or {}).get(host, LOOPBACK)),
        )
        made.append(egress)
        return egress

    yield make
    for egress in made:
        egress.close()
