"""What one call leaves: a log line, an audit line for a write, numbers; and nothing for the next call."""

import dataclasses
import io
import logging

import pytest

from dbplanet.haiilo.credentials import Credentials
from dbplanet.logs import TextFormatter
from dbplanet.mcp.observer import ObservedCall
from dbplanet.observing.audit import Audit
from dbplanet.observing.current import CURRENT
from dbplanet.observing.watch import Watch

ADA = Credentials("ada-the-user", "not-a-real-password", "client", "not-a-real-secret", "https://t.example")


class Counted:
    def __init__(self):
        self.calls, self.upstream = [], []

    def count_call(self, server, tool, outcome, seconds):
        self.calls.append((server, tool, outcome))

    def count_upstream(self, server, kind, outcome, seconds):
        self.upstream.append((server, kind, outcome))


def call_of(*, writes=False):
    arguments = {"body": "not-a-real-password"}
    return ObservedCall("the_tool", writes, ADA, arguments, {"key": "not-a-real-secret"}, "00ff", "2")


@pytest.fixture
def counted():
    return Counted()


@pytest.fixture
def watch(counted):
    name = {"tenant": "t1", "user": "u1"}
    return Watch("dbplanet", lambda identity: name, Audit(), 5.0, counted, token_path="/token")


@pytest.mark.parametrize(
    ("writes", "outcome", "audited"),
    [
        (False, "ok", False),
        (True, "ok", True),
        (True, "403", True),
        (True, "DECLINED", True),
        (True, "asked", False),
    ],
)
def test_what_writes_is_audited_unless_the_user_is_still_asked(watch, caplog, writes, outcome, audited):
    caplog.set_level(logging.INFO, "dbplanet")
    watch.started(call_of(writes=writes))
    watch.finished(call_of(writes=writes), outcome, 0.1)
    lines = [record.fields for record in caplog.records if record.message == "audit"]
    assert [(line["user"], line["outcome"], line["caller_token"]) for line in lines] == [
        ("u1", outcome, "2")
    ] * audited


@pytest.mark.parametrize(("seconds", "level"), [(4.9, logging.INFO), (5.0, logging.WARNING)])
def test_a_slow_call_is_a_warning(watch, caplog, seconds, level):
    caplog.set_level(logging.INFO, "dbplanet")
    watch.started(call_of())
    watch.finished(call_of(), "ok", seconds)
    (record,) = caplog.records
    assert (record.levelno, record.fields["seconds"]) == (level, seconds)


def test_upstream_requests_are_summed_up_for_their_call_alone(watch, counted, caplog):
    caplog.set_level(logging.INFO, "dbplanet")
    watch.started(call_of())
    watch.upstream("https://t.example/token", 200, 0.25)
    watch.upstream("https://t.example/api?token=x", "dns", 0.5)
    watch.finished(call_of(), "NETWORK", 1.0)
    watch.started(call_of())
    watch.finished(call_of(), "ok", 1.0)
    first, second = [record.fields for record in caplog.records]
    assert (first["upstream_requests"], first["upstream_status"], first["upstream_seconds"]) == (
        2,
        "dns",
        0.75,
    )
    assert "upstream_requests" not in second
    assert CURRENT.get() is None
    assert counted.upstream == [("dbplanet", "token", 200), ("dbplanet", "api", "dns")]
    assert counted.calls == [("dbplanet", "the_tool", "NETWORK"), ("dbplanet", "the_tool", "ok")]


@pytest.mark.parametrize("url", ["http://[broken", ""])
def test_a_url_that_is_none_is_counted_all_the_same(watch, counted, url):
    watch.upstream(url, "invalid_url", 0.0)
    assert counted.upstream == [("dbplanet", "api", "invalid_url")]


def test_the_repr_of_a_call_shows_nothing_that_the_caller_sent():
    assert "not-a-real" not in repr(call_of())
    assert "ada" not in repr(call_of())


def test_a_call_that_cannot_be_told_is_not_taken_for_the_next_one(watch):
    class Failing(Counted):
        def count_call(self, server, tool, outcome, seconds):
            raise OSError("disk full")

    failing = dataclasses.replace(watch, numbers=Failing())
    failing.started(call_of())
    with pytest.raises(OSError, match="disk full"):
        failing.finished(call_of(), "ok", 0.1)
    assert CURRENT.get() is None


@pytest.mark.parametrize(("level", "named"), [(logging.WARNING, []), (logging.INFO, [ADA])])
def test_a_caller_is_named_once_and_only_for_lines_that_are_written(watch, level, named):
    logger, asked = logging.getLogger("dbplanet"), []
    watch = dataclasses.replace(watch, name=lambda identity: asked.append(identity) or {"user": "u1"})
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(TextFormatter())
    handler.setLevel(level)
    logger.addHandler(handler)
    before = logger.level
    logger.setLevel(level)
    try:
        watch.started(call_of())
        logger.info("a line within it")
        watch.finished(call_of(), "ok", 0.1)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
    assert asked == named
    assert handler.stream.getvalue().count("user=u1") == 2 * len(named)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://t.example/token", "token"),
        ("https://t.example/token?a=b", "token"),
        ("https://t.example/token/more", "api"),
        ("https://t.example/a/token", "api"),
        ("https://t.example/api?of=/token", "api"),
        ("http://[broken/token", "api"),
    ],
)
def test_a_token_request_is_known_by_its_whole_path(watch, counted, url, kind):
    watch.upstream(url, 200, 0.1)
    assert counted.upstream == [("dbplanet", kind, 200)]
