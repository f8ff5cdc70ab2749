from __future__ import annotations

import socket
from pathlib import Path

import pytest

from dbplanet.egress import Egress, EgressError, Limits, Policy, tls_context
from dbplanet.egress.pools import GuardedConnection


def test_a_connection_that_was_not_dialled_by_the_guard_sends_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def connect(self: GuardedConnection) -> None:
            """Connect as a later urllib3 might, without `_new_conn`."""
            self.sock = socket.create_connection(("127.0.0.1", port))

        monkeypatch.setattr(GuardedConnection, "connect", connect)
        egress = Egress(Policy.for_api(), Limits(total=2), resolver=lambda host: ["127.0.0.1"])
        with pytest.raises(EgressError) as caught:
            egress.send("GET", f"http://app.test:{port}/")
        accepted = server.accept()[0]
        with accepted:
            assert accepted.recv(100) == b""
    assert (caught.value.code, caught.value.sent) == ("unexpected", False)


def test_a_tls_context_is_made_once_and_checks_names() -> None:
    context = tls_context()
    assert context is tls_context()
    assert context.check_hostname
    assert context.cert_store_stats()["x509_ca"] > 50


def test_a_missing_or_empty_ca_bundle_is_found_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        tls_context(str(tmp_path / "missing.pem"))
    (tmp_path / "empty.pem").write_text("")
    with pytest.raises(OSError, match=r"."):
        tls_context(str(tmp_path / "empty.pem"))


def test_a_folder_of_certificates_is_taken(tmp_path: Path) -> None:
    assert tls_context(str(tmp_path)).cert_store_stats()["x509"] == 0


def test_nothing_of_an_error_shows_a_url_or_an_address() -> None:
    error = EgressError("blocked", reason="port", sent=False)
    assert repr(error) == "EgressError(code='blocked', reason='port', sent=False)"
    assert str(error) == error.message
