"""What was measured as Markdown: medians of the rounds with their range, ratios of the same round."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence

from bench.measures import Measure, Windows
from bench.peers import Peer
from bench.stand import Outcome, Setting
from bench.starting import IDLE_SESSIONS, Start


def table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """Return a table; its first columns are words, the others numbers."""
    rules = ["---" if index < words else "---:" for index in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rules, *rows))


def number(value: float) -> str:
    """Return a value to three digits or so: 1,234 12.3 0.12."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def spread(values: Sequence[float]) -> str:
    """Return the median and, of several values, their range."""
    middle = number(statistics.median(values))
    return middle if len(values) == 1 else f"{middle} ({number(min(values))}–{number(max(values))})"


def ratio(ones: Sequence[float], others: Sequence[float]) -> str:
    """Return the median of the ratios of each round."""
    pairs = [one / other for one, other in zip(ones, others, strict=True) if other]
    return f"{statistics.median(pairs):.2f}" if pairs else "–"


def windows(measure: Measure, seen: Windows) -> str:
    """Return the table of a measure under load."""
    is_slow = any(setting.delay for setting in measure.settings)
    compared = "ours" if measure.against == "ours" else measure.settings[0].label
    head = [
        measure.vary,
        "server",
        measure.unit,
        f"{compared} ×" if measure.against == "ours" else f"× {compared}",
    ]
    head += ["CPU µs", "CPU ×", "p50 ms", "p99 ms", "longest ms", "errors"]
    rows = [
        [
            setting.label,
            peer.title,
            spread(_each(outcomes, "rate")),
            *_compared(measure, seen, setting, peer),
            *_details(outcomes),
            *([str(max(outcome.peak for outcome in outcomes))] if is_slow else []),
        ]
        for (setting, peer), outcomes in seen.items()
    ]
    return table([*head, "most at once"] if is_slow else head, rows, words=2)


def _each(outcomes: Sequence[Outcome], name: str) -> list[float]:
    return [getattr(outcome.sample, name) for outcome in outcomes]


def _compared(measure: Measure, seen: Windows, setting: Setting, peer: Peer) -> list[str]:
    """Return units/s and its ratio, processor time and its ratio.

    The ratios say how many times as fast ours is, or this setting is as the first one.
    """
    here = seen[setting, peer]
    times = number(statistics.median(_each(here, "server_us")))
    if measure.against == "first":
        other = seen.get((measure.settings[0], peer))
    else:
        other = next((seen[key] for key in seen if key[0] == setting and key[1].name == "ours"), None)
    if other is None or other is here:
        return ["", times, ""]
    pairs = (here, other) if measure.against == "first" else (other, here)
    fast, slow = (_each(one, "rate") for one in pairs)
    cheap, dear = (_each(one, "server_us") for one in pairs)
    return [ratio(fast, slow), times, ratio(dear, cheap)]


def _details(outcomes: Sequence[Outcome]) -> list[str]:
    return [
        number(statistics.median(_each(outcomes, "p50"))),
        number(statistics.median(_each(outcomes, "p99"))),
        number(max(_each(outcomes, "longest"))),
        f"{sum(outcome.sample.errors for outcome in outcomes):,}",
    ]


def faults(measure: Measure, seen: Windows) -> list[str]:
    """Return lines of the rows with errors, the most frequent one of each, or calls kept from the tenant."""
    return [
        f"{peer.title}, {setting.label} {measure.vary}: {words}"
        for (setting, peer), outcomes in seen.items()
        for words in filter(None, (_error(outcomes), _kept(setting, peer, outcomes)))
    ]


def _error(outcomes: Sequence[Outcome]) -> str:
    worst = max((outcome.sample for outcome in outcomes), key=lambda sample: sample.errors)
    return worst.faults[0] if worst.errors else ""


def _kept(setting: Setting, peer: Peer, outcomes: Sequence[Outcome]) -> str:
    if peer.name == "echo" or not setting.kind.startswith("call"):
        return ""
    missing = sum(max(0, outcome.sample.units - outcome.asked) for outcome in outcomes)
    return f"{missing:,} calls were answered without asking the tenant" if missing else ""


def starts(seen: Mapping[Peer, Start]) -> str:
    """Return the table of starting and memory."""
    head = ["", "first answer, s", "MiB then", f"MiB per {IDLE_SESSIONS:,} idle sessions"]
    return table(
        head,
        [
            [peer.title, spread(start.seconds), spread(start.memory), spread(start.sessions)]
            for peer, start in seen.items()
        ],
    )


def areas(seen: Mapping[str, float]) -> str:
    """Return the table of where the time goes."""
    return table(["", "share"], [[area, f"{share:.0%}"] for area, share in seen.items()])


def html(rounds: Sequence[float]) -> str:
    """Return the table of HTML → text."""
    return table(["", "CPU ms per MB of HTML"], [["a generated page of 1 MB", spread(rounds)]])
