"""``python -m bench``: measure, print Markdown, and keep it in ``bench/results.md``."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from bench import machine, starting, tables, where
from bench.children import CHECKOUT
from bench.measures import MEASURES, Plan
from bench.peers import DEFAULT, PEERS, QUICK, Peer, find
from bench.processes import PROC
from bench.stand import Setting, Stand, stand

RESULTS: Final = CHECKOUT / "bench" / "results.md"
PAGE: Final = CHECKOUT / "docs" / "benchmarks.md"
BEGIN: Final = "<!-- results: written by make bench OPTIONS=--docs -->"
END: Final = "<!-- end of results -->"

Section = Iterator[str]


def _windows(name: str) -> Callable[[Stand, Sequence[Peer], Plan], Section]:
    def section(stand: Stand, peers: Sequence[Peer], plan: Plan) -> Section:
        measure = MEASURES[name]
        seen = measure.run(stand, peers, plan)
        yield f"### {measure.title}"
        if measure.note:
            yield measure.note
        yield tables.windows(measure, seen)
        yield from (f"Not well: {line}" for line in tables.faults(measure, seen))

    return section


def _starts(stand: Stand, peers: Sequence[Peer], plan: Plan) -> Section:
    yield "### Starting, memory"
    yield tables.starts(starting.starts(stand, peers, plan))


def _html(stand: Stand, peers: Sequence[Peer], plan: Plan) -> Section:
    yield "### HTML → text"
    yield tables.html(starting.html())


def _where(stand: Stand, peers: Sequence[Peer], plan: Plan) -> Section:
    yield "### Where the processor time of a call goes"
    try:
        shares = where.record(stand, Setting("16"), 2 if plan.is_quick else 6)
    except (RuntimeError, OSError) as error:
        yield f"Left out: {error}"
    else:
        yield "`tools/call` in a session, 16 callers, 0 ms tenant; samples of the worker, to some points."
        yield tables.areas(shares)


SECTIONS: Final[Mapping[str, Callable[[Stand, Sequence[Peer], Plan], Section]]] = {
    **{name: _windows(name) for name in MEASURES},
    "where": _where,
    "start": _starts,
    "html": _html,
}


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", type=_names(SECTIONS), help=f"some of {', '.join(SECTIONS)}")
    parser.add_argument(
        "--peers",
        type=_names(PEERS),
        help=f"some of {', '.join(PEERS)}; ours@FOLDER is ours in another checkout",
    )
    parser.add_argument("--rounds", type=int, help="of each measure (3)")
    parser.add_argument("--seconds", type=float, help="of each window (1.0)")
    parser.add_argument("--users", type=int, help="users among the callers; else each is one of its own")
    parser.add_argument("--quick", action="store_true", help="one short round, about a minute")
    parser.add_argument("--docs", action="store_true", help="write the results into docs/benchmarks.md")
    return parser.parse_args(given)


def _names(known: Mapping[str, object]) -> Callable[[str], list[str]]:
    def read(text: str) -> list[str]:
        names = text.split(",")
        unknown = [name for name in names if name.partition("@")[0] not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: known are {', '.join(known)}")
        return names

    return read


def report(options: argparse.Namespace) -> Section:
    """Measure section by section and yield paragraphs."""
    usual = Plan(1, 0.5, is_quick=True) if options.quick else Plan()
    plan = Plan(options.rounds or usual.rounds, options.seconds or usual.seconds, usual.is_quick)
    peers: list[Peer] = []
    missing: list[Peer] = []
    for peer in find(options.peers or (QUICK if options.quick else DEFAULT)):
        (missing if peer.why_not() else peers).append(peer)
    yield "\n".join(f"- {line}" for line in [*machine.described(), _how(plan)])
    yield from (f"{peer.title} is left out: {peer.why_not()}." for peer in missing)
    with stand(options.users, plan.seconds) as made:
        for name in options.only or SECTIONS:
            begun = time.monotonic()
            yield from SECTIONS[name](made, peers, plan)
            print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr)


def _how(plan: Plan) -> str:
    rounds = f"{plan.rounds} alternating rounds" if plan.rounds > 1 else "one round"
    return f"{rounds} of {plan.seconds:g} s for each cell: medians (least–most), ratios within a round"


def main() -> None:
    """Measure, print and keep."""
    options = arguments(sys.argv[1:])
    # So that what was started is stopped.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    if not (PROC / "self" / "smaps_rollup").exists():
        sys.exit("The bench reads processor time and memory from /proc, as Linux has it.")
    paragraphs = []
    for paragraph in report(options):
        paragraphs.append(paragraph)
        print(f"{paragraph}\n", flush=True)
    results = "\n\n".join(paragraphs)
    RESULTS.write_text(f"{results}\n", "utf-8")
    if options.docs:
        PAGE.write_text(with_results(PAGE.read_text("utf-8"), results), "utf-8")


def with_results(page: str, results: str) -> str:
    """Return the page with ``results`` between its two marks."""
    before, found, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (found and end):
        raise ValueError(f"the page has no place for results: {BEGIN} … {END}")
    return f"{before}{BEGIN}\n\n{results}\n\n{END}{after}"


if __name__ == "__main__":
    main()
