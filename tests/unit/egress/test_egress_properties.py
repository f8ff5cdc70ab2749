"""Fuzzing: no input breaks the rules' code, and what is accepted leads where two other parsers say."""

from __future__ import annotations

import gzip
import io
import ipaddress
import zlib
from collections.abc import Callable, Mapping
from typing import TypeVar
from urllib.parse import urlsplit

import pytest
import requests
import urllib3
from hostile_urls import HOSTILE
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbplanet.egress import EgressError, Limits, Policy, Target, check_url
from dbplanet.egress.addresses import refusal
from dbplanet.egress.bodies import read_body
from dbplanet.egress.headers import check_headers, for_other_origin, response_headers
from dbplanet.egress.urls import canonical_url, join

T = TypeVar("T")
PORTS = {"http": 80, "https": 443}
TRICKS = [
    *"@:/\\?#%[]. \t\r\n\x00;,*&=+~'\"",
    "://",
    "%00",
    "%2f",
    "%25",
    "。",
    "．",
    "\u200b",
    "\xad",
    "0x7f",
    "①",
]
HOSTS = [
    "good.test",
    "127.0.0.1",
    "[::1]",
    "localhost",
    "bücher.test",
    "2130706433",
    "a_b.test",
    "[::ffff:1.2.3.4]",
]

hosts = st.one_of(
    st.sampled_from(HOSTS), st.from_regex(r"[a-z0-9_.-]{1,12}", fullmatch=True), st.text(max_size=8)
)
ports = st.sampled_from(["", ":", ":80", ":443", ":8080", ":0", ":65536", ":-1", ":8 0", ":٣"])
tails = st.one_of(
    st.just("/"), st.text(max_size=10), st.sampled_from(["/@evil.test", "?@evil.test", "#@evil.test"])
)
urls = st.builds(
    lambda scheme, user, host, port, tail: f"{scheme}{user}{host}{port}{tail}",
    st.sampled_from(["http://", "https://", "HTTP://", "http:/", "http:", "//", "ftp://", ""]),
    st.sampled_from(["", "", "", "user@", "a:b@", "good.test@"]),
    hosts,
    ports,
    tails,
)


@st.composite
def mutated_urls(draw: st.DrawFn) -> str:
    """A URL with a trick put in, or a piece taken out, somewhere."""
    url = draw(st.one_of(urls, st.sampled_from([row[0] for row in HOSTILE])))
    at = draw(st.integers(0, len(url)))
    return url[:at] + draw(st.sampled_from([*TRICKS, ""])) + url[at + draw(st.integers(0, 2)) :]


def outcome(make: Callable[[], T]) -> T | ValueError | EgressError:
    """Return what `make` returns or, if it is one of the two expected errors, raises."""
    try:
        return make()
    except (ValueError, EgressError) as error:
        return error


def error_code(error: Exception) -> str:
    assert isinstance(error, EgressError)
    return error.code


def as_others_see_it(url: str) -> list[Target]:
    """Return where the standard library and where urllib3 say that `url` leads."""
    one, two = urlsplit(url), urllib3.util.parse_url(url)
    seen = [(one.scheme, one.hostname, one.port), (two.scheme, two.host, two.port)]
    return [
        Target(scheme or "", plain(host or ""), port or PORTS[scheme or ""]) for scheme, host, port in seen
    ]


def plain(host: str) -> str:
    host = host.strip("[]").lower()
    try:
        return str(ipaddress.ip_address(host.removesuffix(".")))
    except ValueError:
        return host


@settings(max_examples=300, deadline=None)
@given(mutated_urls())
@example("https://good.test:443/")
@example("https://127.1/")
@example("http://localhost./a/../b")
def test_a_url_that_is_read_at_a_glance_is_judged_as_any_other(url: str) -> None:
    glanced, parsed = outcome(lambda: canonical_url(url)), outcome(lambda: check_url(url))
    if isinstance(glanced, Exception):
        assert repr(glanced) == repr(parsed)
    elif glanced is not None:
        assert glanced == parsed


@settings(max_examples=600, deadline=None)
@given(mutated_urls())
@example("http://good.test@127.0.0.1/")
@example("http://good.test\\@127.0.0.1/")
@example("http://bücher.test/ü")
def test_an_accepted_url_leads_where_two_other_parsers_say(url: str) -> None:
    parsed = outcome(lambda: check_url(url))
    if isinstance(parsed, Exception):
        assert error_code(parsed) in {"invalid_url", "invalid_scheme", "blocked"}
        return
    target, cleaned, _ = parsed
    assert as_others_see_it(cleaned) == [target, target]
    prepared = requests.Request("GET", cleaned).prepare()
    # what requests makes of it, which is what is dialled, leads to the same place
    assert check_url(str(prepared.url)).target == target
    assert as_others_see_it(str(prepared.url)) == [target, target]


@settings(max_examples=300, deadline=None)
@given(mutated_urls())
@example("//@::1]/")
def test_a_redirect_from_anywhere_leads_to_a_checked_place_or_nowhere(location: str) -> None:
    parsed = outcome(lambda: check_url(join("https://good.test/a/b?c", location)))
    if isinstance(parsed, Exception):
        assert error_code(parsed) in {"invalid_url", "invalid_scheme", "blocked"}
        return
    assert as_others_see_it(parsed.url) == [parsed.target, parsed.target]


@settings(max_examples=500, deadline=None)
@given(st.ip_addresses())
def test_only_addresses_that_the_standard_library_calls_global_are_dialled(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if refusal(address) is None:
        mapped = getattr(address, "ipv4_mapped", None) or address
        assert mapped.is_global
        assert not mapped.is_multicast


@settings(max_examples=300, deadline=None)
@given(st.ip_addresses(v=4), st.sampled_from(["::", "::ffff:", "::ffff:0:", "64:ff9b::", "2606:4700::5efe:"]))
def test_ipv4_inside_of_ipv6_is_never_more_welcome_than_outside(
    inner: ipaddress.IPv4Address, prefix: str
) -> None:
    outer = ipaddress.IPv6Address(f"{prefix}{inner}")
    if refusal(inner) is not None:
        assert refusal(outer) == "non_public_address"
    elif prefix != "::ffff:":
        assert refusal(outer) in {"transition_address", "non_public_address"}


@settings(max_examples=300, deadline=None)
@given(
    st.dictionaries(
        st.text(max_size=12), st.one_of(st.text(max_size=12), st.none(), st.integers()), max_size=4
    )
)
def test_accepted_headers_hold_nothing_that_ends_a_line(headers: Mapping[str, str]) -> None:
    checked = outcome(lambda: check_headers(headers, Limits()))
    if isinstance(checked, Exception):
        assert error_code(checked) in {"invalid_headers", "forbidden_header"}
        return
    for name, value in checked.items():
        line = f"{name}: {value}".encode("latin-1")
        assert not set(line) & set(b"\r\n\x00")
    assert set(for_other_origin(checked)) <= set(checked)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text(max_size=12), st.text(max_size=12), max_size=4))
def test_headers_of_an_answer_hold_no_control_characters(headers: dict[str, str]) -> None:
    for name, value in response_headers(headers.items()).items():
        assert not [char for char in name + value if char < " " and char not in "\t\n"]


def answer(body: bytes, encoding: str) -> requests.Response:
    made = requests.Response()
    made.status_code = 200
    made.request = requests.Request("GET", "https://good.test/").prepare()
    made.headers["Content-Encoding"] = encoding
    made.raw = urllib3.HTTPResponse(io.BytesIO(body), made.headers, 200, preload_content=False)
    return made


ENCODERS = {"gzip": gzip.compress, "x-gzip": gzip.compress, "deflate": zlib.compress}


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400), st.lists(st.sampled_from(sorted(ENCODERS)), max_size=5))
def test_any_stack_of_encodings_is_undone(body: bytes, encodings: list[str]) -> None:
    packed = body
    for encoding in encodings:
        packed = ENCODERS[encoding](packed)
    assert read_body(answer(packed, ", ".join(encodings)), 2000) == body


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200), st.lists(st.sampled_from(["gzip", "deflate", "br", ""]), max_size=5))
def test_any_bytes_are_decoded_or_refused(body: bytes, encodings: list[str]) -> None:
    decoded = outcome(lambda: read_body(answer(body, ",".join(encodings)), 1000))
    if isinstance(decoded, Exception):
        assert error_code(decoded) in {"content_encoding", "response_too_large"}
    else:
        assert len(decoded) <= 1000


@settings(max_examples=200, deadline=None)
@given(st.binary(min_size=1, max_size=300), st.data())
def test_a_cut_gzip_body_is_never_taken_for_a_whole_one(body: bytes, data: st.DataObject) -> None:
    packed = gzip.compress(body)
    kept = data.draw(st.integers(1, len(packed) - 1))
    with pytest.raises(EgressError):
        read_body(answer(packed[:kept], "gzip"), 1000)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=30))
def test_a_setting_is_understood_or_named(entry: str) -> None:
    makers = (
        lambda: Policy.for_tenants([entry]),
        lambda: Policy.for_api(hosts=[entry]),
        lambda: Policy.for_api(nets=[entry]),
    )
    for made in map(outcome, makers):
        assert isinstance(made, Policy) or repr(entry) in str(made)
