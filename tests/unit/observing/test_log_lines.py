"""Log lines: their two forms, the fields of the call under way, and what they must not hold."""

import json
import logging

import pytest

from dbplanet.logs import JsonFormatter, TextFormatter, log_to_stderr
from dbplanet.observing.current import CURRENT, CurrentCall
from dbplanet.settings import SettingsError

SECRET = "not-a-real-secret"


def record_of(words, *arguments, error=None, fields=None):
    made = logging.LogRecord("name", logging.WARNING, "file", 1, words, arguments, None)
    if error is not None:
        made.exc_info = (type(error), error, error.__traceback__)
    if fields is not None:
        made.fields = fields
    return made


def raised(error):
    try:
        raise error
    except type(error) as caught:
        return caught


@pytest.mark.parametrize("words", ["a\nb", 'a"b', "Brücke ☂", "\ud800", "a\u2028b"])
def test_json_is_one_line_that_gives_the_words_back(words):
    (line,) = JsonFormatter().format(record_of("said %s", words)).encode("ascii").splitlines()
    said = json.loads(line)
    assert said["message"] == f"said {words}"
    assert (said["level"], said["logger"]) == ("WARNING", "name")


def test_fields_cannot_take_the_place_of_level_or_message():
    said = json.loads(
        JsonFormatter().format(record_of("words", fields={"level": "x", "message": "y", "more": 1}))
    )
    assert (said["level"], said["message"], said["more"]) == ("WARNING", "words", 1)
    assert list(said)[:3] == ["time", "level", "message"]


def test_text_shows_fields_after_the_message():
    assert (
        TextFormatter()
        .format(record_of("words", fields={"a": 1, "b": "c"}))
        .endswith("[WARNING] words a=1 b=c")
    )


def test_text_is_one_line_whatever_is_in_it():
    line = TextFormatter().format(
        record_of("GET %s", "/x\n[ERROR] forged\x1b[31m\u2028", fields={"a": "b\rc"})
    )
    assert line.endswith("GET /x\\x0a[ERROR] forged\\x1b[31m\\x2028 a=b\\x0dc")


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()])
def test_lines_written_during_a_call_name_it(formatter):
    token = CURRENT.set(CurrentCall(lambda: {"request_id": "the-id"}))
    try:
        assert "the-id" in formatter.format(record_of("words"))
    finally:
        CURRENT.reset(token)
    assert "the-id" not in formatter.format(record_of("words"))


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()])
def test_an_exception_is_told_by_type_and_place_without_its_words(formatter):
    error = raised(ValueError(SECRET))
    said = formatter.format(record_of("failed", error=error))
    assert SECRET not in said
    assert "ValueError" in said
    assert "test_log_lines.py" in said


@pytest.mark.parametrize(
    "error", [SettingsError("DBPLANET_X: fault"), ModuleNotFoundError("No module named x")]
)
def test_what_stops_a_start_is_told_in_words(error):
    assert str(error) in TextFormatter().format(record_of("failed", error=raised(error)))


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_host_that_logs_already_is_left_alone(form):
    # pytest's own handlers on the root logger are the host's.
    before = list(logging.getLogger("dbplanet").handlers)
    log_to_stderr("INFO", form)
    assert logging.getLogger("dbplanet").handlers == before


def test_the_time_is_each_lines_own():
    formatter, record = TextFormatter(), record_of("words")
    times = set()
    for second in (1_700_000_000.1, 1_700_000_000.9, 1_700_000_001.0, 1_700_000_000.5):
        record.created = second
        times.add(formatter.format(record)[:30])
        assert formatter.format(record) == TextFormatter().format(record)
    assert len(times) == 2
