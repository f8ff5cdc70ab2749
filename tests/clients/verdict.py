"""What has to come of a case: in the client's own report, and on the wire."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from clients.matrix import MODERN, STDIO, USERS, Case

TOOLS: Final = 28
_MODERN_ANSWERS: Final = {"POST 200"}
_HANDSHAKE_ANSWERS: Final = {"POST 200", "POST 202", "GET 405", "DELETE 200"}


def expected(way: str) -> dict[str, tuple[bool, str]]:
    """Return, by label, whether a call is to fail and what its text must contain."""
    return {
        "search": (False, "Search results for “Brücke”"),
        "user": (False, f"Signed-in user: {USERS[way]}"),
        "content": (False, "Die Mainbrücke in Würzburg"),
        "unknown": (True, "No_SuchTool"),
    }


def faults(case: Case, report: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a client's report."""
    if report["version"] != case.version:
        yield f"negotiated {report['version']}, expected {case.version}"
    if len(set(report["tools"])) != TOOLS:
        yield f"lists {len(report['tools'])} tools, expected {TOOLS}"
    for label, (fails, text) in expected(case.way).items():
        call = report["calls"][label]
        if call["is_error"] != fails or text not in call["text"]:
            yield f"{label}: expected {'an error' if fails else 'a result'} with {text!r}"
        done = [step[0] for step in call["progress"]]
        if done != sorted(set(done)):
            yield f"{label}: progress does not grow: {done}"
        # the Inspector's command line never shows any
        if label == "content" and not done and "inspector" not in case.client.name:
            yield "content: no progress"
    yield from (f"the client says: {complaint}" for complaint in report.get("complaints", ()))


def wire_faults(case: Case, exchanges: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with the ``METHOD status`` lines of a case, in the order of their end."""
    seen = Counter(exchanges)
    if strange := seen.keys() - (_MODERN_ANSWERS if case.version == MODERN else _HANDSHAKE_ANSWERS):
        yield f"unexpected on the wire: {', '.join(sorted(strange))}"
    # One stream is asked for after each `initialized`, and perhaps once more; more is a loop.
    if seen["GET 405"] > 2 * seen["POST 202"]:
        yield f"asks for a stream {seen['GET 405']} times"
    if seen["DELETE 200"] != ends_session(case):
        yield f"{seen['DELETE 200']} sessions ended, expected {int(ends_session(case))}"


def ends_session(case: Case) -> bool:
    """Tell whether the client must end its session when it closes."""
    return case.client.ends_sessions and case.version != MODERN and case.way != STDIO
