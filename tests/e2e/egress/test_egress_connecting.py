"""Where connections go, and whose name they carry."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

import pytest
from egress_certificates import Authority
from egress_servers import Peer, always, ok, serving

from dbplanet.egress import Egress, EgressError, Policy

MakeEgress = Callable[..., Egress]


def failing(egress: Egress, url: str, method: str = "GET") -> EgressError:
    with pytest.raises(EgressError) as caught:
        egress.send(method, url)
    return caught.value


def test_the_name_stays_in_the_host_header(make_egress: MakeEgress) -> None:
    with serving(always(ok())) as server:
        assert make_egress().send("GET", f"http://app.test:{server.port}/x?y=1").body == b"ok"
    assert server.requests[0].startswith(b"GET /x?y=1 HTTP/1.1\r\nHost: app.test:%d\r\n" % server.port)


def test_the_name_stays_in_sni_and_certificate(make_egress: MakeEgress, authority: Authority) -> None:
    asked: list[str | None] = []
    context = authority.context("app.test")
    context.sni_callback = lambda sock, name, original: asked.append(name)
    with serving(always(ok()), tls=context) as server:
        assert make_egress().send("GET", f"https://app.test:{server.port}/").body == b"ok"
    assert asked == ["app.test"]
    assert b"\r\nHost: app.test:%d\r\n" % server.port in server.requests[0]


@pytest.mark.parametrize(
    ("names", "days"), [(["other.test"], 10), (["app.test"], -5)], ids=["wrong name", "expired"]
)
def test_a_bad_certificate_is_refused(
    make_egress: MakeEgress, authority: Authority, names: list[str], days: int
) -> None:
    with serving(always(ok()), tls=authority.context(*names, days=days)) as server:
        error = failing(make_egress(), f"https://app.test:{server.port}/", "POST")
    assert (error.kind, error.code, error.sent) == ("network", "tls", False)
    assert server.requests == []


def test_an_unknown_authority_is_refused_even_when_verifying_is_switched_off(authority: Authority) -> None:
    with serving(always(ok()), tls=authority.context("app.test")) as server:
        egress = Egress(Policy.for_api(nets=["127.0.0.1/32"]), resolver=lambda host: ["127.0.0.1"])
        egress.session.verify = False
        assert failing(egress, f"https://app.test:{server.port}/").code == "tls"
        with pytest.raises(Exception, match="CERTIFICATE_VERIFY_FAILED"):
            egress.session.get(f"https://app.test:{server.port}/", verify=False)
        egress.close()


def test_https_at_an_http_port_and_the_reverse_are_told(
    make_egress: MakeEgress, authority: Authority
) -> None:
    def plain(peer: Peer) -> None:
        peer.sock.recv(5)
        peer.send(ok(status="400 Bad Request"))

    with serving(plain) as http, serving(always(ok()), tls=authority.context("app.test")) as https:
        assert failing(make_egress(), f"https://app.test:{http.port}/").code == "tls"
        assert failing(make_egress(), f"http://app.test:{https.port}/").code in {
            "reset",
            "closed",
            "protocol",
        }


def test_a_name_is_resolved_once_per_connection_and_checked_each_time(make_egress: MakeEgress) -> None:
    answers = [["127.0.0.1"], ["127.0.0.9"]]
    asked: list[str] = []

    def rebinding(host: str) -> list[str]:
        asked.append(host)
        return answers[len(asked) - 1]

    with serving(always(ok())) as server:
        egress = make_egress(resolver=rebinding)
        url = f"http://rebind.test:{server.port}/"
        assert egress.send("GET", url).status == 200
        assert egress.send("GET", url).status == 200
        assert asked == ["rebind.test"]
        error = failing(egress, url, "POST")
    assert (error.code, error.reason, len(asked)) == ("blocked", "non_public_address", 2)
    assert len(server.requests) == 2


def test_one_forbidden_address_among_several_stops_all(make_egress: MakeEgress) -> None:
    with serving(always(ok())) as server:
        error = failing(
            make_egress(names={"a.test": ["127.0.0.1", "127.0.0.9"]}), f"http://a.test:{server.port}/"
        )
    assert error.reason == "non_public_address"
    assert server.connections == 0


def test_a_dead_first_address_is_passed_over(make_egress: MakeEgress) -> None:
    policy = Policy.for_api(nets=["127.0.0.0/8"])
    with serving(always(ok())) as server:
        egress = make_egress(policy=policy, names={"a.test": ["127.0.0.9", "127.0.0.1"]})
        assert egress.send("GET", f"http://a.test:{server.port}/").body == b"ok"


def test_a_silent_first_address_takes_only_its_share_of_the_time(make_egress: MakeEgress) -> None:
    policy = Policy.for_api(nets=["127.0.0.0/8"])
    with serving(always(ok())) as server, socket.socket() as silent:
        silent.bind(("127.0.0.8", server.port))
        silent.listen(0)
        # with its queue full, the kernel leaves further connections without an answer
        waiting = [socket.socket() for _ in range(3)]
        for sock in waiting:
            sock.setblocking(False)
            sock.connect_ex(("127.0.0.8", server.port))
        egress = make_egress(policy=policy, names={"a.test": ["127.0.0.8", "127.0.0.1"]}, connect=0.4)
        assert egress.send("GET", f"http://a.test:{server.port}/").body == b"ok"
        for sock in waiting:
            sock.close()


def test_ipv6_is_dialled_and_named_in_brackets(make_egress: MakeEgress) -> None:
    with serving(always(ok()), address="::1") as server:
        egress = make_egress(policy=Policy.for_api(nets=["::1/128"]))
        assert egress.send("GET", f"http://[::1]:{server.port}/").body == b"ok"
    assert b"\r\nHost: [::1]:%d\r\n" % server.port in server.requests[0]


def test_a_refused_connection_is_told(make_egress: MakeEgress) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    error = failing(make_egress(), f"http://a.test:{port}/", "POST")
    assert (error.code, error.sent) == ("refused", False)


def test_an_unknown_name_is_told(make_egress: MakeEgress) -> None:
    def nothing(host: str) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "secret text")

    error = failing(make_egress(resolver=nothing), "http://a.test/", "POST")
    assert (error.code, error.sent, "secret" in str(error)) == ("dns", False, False)
    assert failing(make_egress(resolver=lambda host: []), "http://a.test/").code == "dns"


def test_a_stuck_lookup_ends_with_the_connect_limit(make_egress: MakeEgress) -> None:
    release = threading.Event()

    def stuck(host: str) -> list[str]:
        release.wait(20)
        return ["127.0.0.1"]

    error = failing(make_egress(resolver=stuck, connect=0.2), "http://a.test/", "POST")
    release.set()
    assert (error.code, error.timeout, error.sent) == ("connect_timeout", True, False)


def test_a_stuck_lookup_ends_with_the_deadline_and_harms_no_other_call(make_egress: MakeEgress) -> None:
    release = threading.Event()

    def stuck(host: str) -> list[str]:
        if host == "stuck.test":
            release.wait(20)
        return ["127.0.0.1"]

    with serving(always(ok())) as server:
        egress = make_egress(resolver=stuck, connect=5.0, total=0.4)
        errors: list[str] = []
        threads = [
            threading.Thread(target=lambda: errors.append(failing(egress, "http://stuck.test/").code))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        assert egress.send("GET", f"http://a.test:{server.port}/").body == b"ok"
        for thread in threads:
            thread.join()
        release.set()
    assert errors == ["deadline"] * 8


def test_callers_stuck_lookups_leave_the_operators_tenant_in_reach(make_egress: MakeEgress) -> None:
    release = threading.Event()

    def stuck(host: str) -> list[str]:
        if host != "own.test":
            release.wait(20)
        return ["127.0.0.1"]

    with serving(always(ok())) as server:
        own = f"http://own.test:{server.port}"
        egress = make_egress(policy=Policy.for_tenants([own]), resolver=stuck, connect=0.02)
        for number in range(40):
            assert failing(egress, f"https://stuck{number}.test/").code == "connect_timeout"
        egress = make_egress(policy=Policy.for_tenants([own]), resolver=stuck)
        assert egress.send("GET", own).body == b"ok"
        release.set()


def test_nothing_of_the_environment_is_used(
    make_egress: MakeEgress,
    authority: Authority,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    home = tmp_path_factory.mktemp("home")
    (home / ".netrc").write_text("machine app.test login netrc password fake")
    empty = home / "empty.pem"
    empty.write_text("")
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.setenv(name, str(empty))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("NETRC", str(home / ".netrc"))
    with serving(always(ok()), tls=authority.context("app.test")) as server:
        egress, url = make_egress(), f"https://app.test:{server.port}/"
        assert egress.send("GET", url).body == b"ok"
        assert egress.session.get(url).text == "ok"
    assert not [request for request in server.requests if b"Authorization" in request]


def test_cookies_are_not_sent_back(make_egress: MakeEgress) -> None:
    with serving(always(ok(b"", "Set-Cookie: a=1; Path=/", "Set-Cookie: b=2; Path=/"))) as server:
        egress = make_egress()
        answer = egress.send("GET", f"http://app.test:{server.port}/")
        egress.send("GET", f"http://app.test:{server.port}/")
        egress.session.get(f"http://app.test:{server.port}/")
        assert not egress.session.cookies
    assert answer.headers["set-cookie"] == "a=1; Path=/\nb=2; Path=/"
    assert not [request for request in server.requests if b"Cookie" in request]


def test_each_thread_has_its_own_answer(make_egress: MakeEgress) -> None:
    def echo(peer: Peer) -> None:
        while request := peer.read_request():
            peer.send(ok(request.split(b" ", 2)[1]))

    with serving(echo) as server:
        egress = make_egress()
        wrong: list[str] = []

        def calls(number: int) -> None:
            for turn in range(20):
                path = f"/{number}/{turn}"
                if egress.send("GET", f"http://a.test:{server.port}{path}").body != path.encode():
                    wrong.append(path)

        threads = [threading.Thread(target=calls, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
