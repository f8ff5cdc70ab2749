"""``python -m bench``: measure, print Markdown, and keep it in ``bench/results.md``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from bench import machine, starting, tables
from bench.children import CHECKOUT
from bench.measures import MEASURES, Plan
from bench.peers import DEFAULT, PEERS, Peer, find
from bench.processes import PROC
from bench.stand import Stand, stand

RESULTS: Final = CHECKOUT / "bench" / "results.md"

Section = Iterator[str]


def _windows(name: str) -> Callable[[Stand, Sequence[Peer], Plan], Section]:
    def section(stand: Stand, peers: Sequence[Peer], plan: Plan) -> Section:
        measure = MEASURES[name]
        seen = measure.run(stand, peers, plan)
        yield f"### {measure.title}"
        if measure.note:
            yield measure.note
        yield tables.windows(measure, seen)
        yield from (f"Errors of {line}" for line in tables.faults(measure, seen))

    return section


def _starts(stand: Stand, peers: Sequence[Peer], plan: Plan) -> Section:
    yield "### Starting, memory"
    yield tables.starts(starting.starts(stand, peers, plan))


def _html(stand: Stand, peers: Sequence[Peer], plan: Plan) -> Section:
    yield "### HTML → text"
    yield tables.html(starting.html())


SECTIONS: Final[Mapping[str, Callable[[Stand, Sequence[Peer], Plan], Section]]] = {
    **{name: _windows(name) for name in MEASURES},
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
        default=list(DEFAULT),
        help=f"some of {', '.join(PEERS)}; ours@FOLDER is ours in another checkout",
    )
    parser.add_argument("--rounds", type=int, help="of each measure (3)")
    parser.add_argument("--seconds", type=float, help="of each window (1.0)")
    parser.add_argument("--users", type=int, help="users among the callers; else each is one of its own")
    parser.add_argument("--quick", action="store_true", help="one short round of all, about a minute")
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
    usual = Plan(rounds=1, seconds=0.5) if options.quick else Plan()
    plan = Plan(options.rounds or usual.rounds, options.seconds or usual.seconds)
    peers: list[Peer] = []
    missing: list[Peer] = []
    for peer in find(options.peers):
        (missing if peer.why_not() else peers).append(peer)
    yield "\n".join(f"- {line}" for line in [*machine.described(), _how(plan)])
    yield from (f"{peer.title} is left out: {peer.why_not()}." for peer in missing)
    with stand(options.users) as made:
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
    if not (PROC / "self" / "smaps_rollup").exists():
        sys.exit("The bench reads processor time and memory from /proc, as Linux has it.")
    paragraphs = []
    for paragraph in report(options):
        paragraphs.append(paragraph)
        print(f"{paragraph}\n", flush=True)
    RESULTS.write_text("\n\n".join(paragraphs) + "\n", "utf-8")


if __name__ == "__main__":
    main()
