"""Who called and what was written to, without a name and without free text."""

import json
import logging

import pytest

from dbplanet.haiilo.credentials import Credentials
from dbplanet.mcp.identity import Anyone
from dbplanet.observing.audit import Audit, target_of
from dbplanet.observing.callers import Pseudonyms, naming, trace_of

ADA = Credentials("ada", "p", "c", "s", "https://t.example")
UUID = "123e4567-e89b-12d3-a456-426614174000"


def test_a_caller_has_one_name_under_one_key_whatever_the_spelling_of_the_tenant():
    name = naming(Pseudonyms(b"key"), Credentials())
    assert name(ADA) == name(Credentials("ada", "other", "x", "y", "HTTPS://T.example/"))
    assert name(ADA) != naming(Pseudonyms(b"other"), Credentials())(ADA)


def test_tenant_and_user_are_told_apart():
    name = naming(Pseudonyms(b"key"), Credentials())
    other = name(Credentials("bob", "p", "c", "s", "https://t.example"))
    assert other["tenant"] == name(ADA)["tenant"]
    assert other["user"] != name(ADA)["user"]


def test_the_operator_stands_for_a_request_without_credentials():
    name = naming(Pseudonyms(b"key"), ADA)
    assert name(Credentials()) == name(ADA)
    assert name(Anyone()) == {}


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (f"00-{'a' * 32}-{'b' * 16}-01", {"trace_id": "a" * 32, "span_id": "b" * 16}),
        (f"00-{'0' * 32}-{'b' * 16}-01", {}),
        (f"00-{'a' * 32}-{'0' * 16}-01", {}),
        (f"00-{'A' * 32}-{'b' * 16}-01", {}),
        (f"01-{'a' * 32}-{'b' * 16}-01", {}),
        ("password", {}),
        (5, {}),
        (None, {}),
    ],
)
def test_only_a_traceparent_is_taken_for_one(given, found):
    assert trace_of({"traceparent": given}) == found


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({"id": UUID, "name": "free text"}, {"id": UUID}),
        ({"id": 41, "userId": UUID}, {"id": "41"}),
        ({"targetId": "s3cret/W0rds"}, {"targetId": "(not an id)"}),
        ({"status": "yes", "body": "free text"}, {"status": "yes"}),
        ({"id": {"a": "b"}}, {"id": "(not an id)"}),
        ({"url": "https://user:word@api.example/path?token=x", "headers": {}}, {"host": "api.example"}),
        ({"url": "http://[broken"}, {"host": "(not an id)"}),
        ({"url": 5}, {"host": "(not an id)"}),
    ],
)  # fmt: skip
def test_the_target_is_ids_and_hosts_alone(arguments, shown):
    assert target_of(arguments) == shown


def test_the_audit_appends_json_to_its_file_and_opens_it_late(tmp_path):
    path = tmp_path / "audit.jsonl"
    audit = Audit(str(path))
    assert not path.exists()
    audit.write({"tool": "a"})
    audit.write({"tool": "b"})
    assert [json.loads(line)["tool"] for line in path.read_text().splitlines()] == ["a", "b"]
    audit.close()


def test_without_a_file_the_audit_is_in_the_log_whatever_the_level(caplog):
    logger = logging.getLogger("dbplanet")
    before = logger.level
    logger.setLevel("ERROR")
    try:
        Audit().write({"tool": "a"})
    finally:
        logger.setLevel(before)
    assert [record.message for record in caplog.records] == ["audit"]


def test_a_line_that_cannot_be_written_is_told_without_its_content(tmp_path, caplog, capsys):
    Audit(str(tmp_path / "gone" / "audit.jsonl")).write({"tool": "hidden"})
    assert "could not be written" in caplog.text
    assert "hidden" not in caplog.text + capsys.readouterr().err
