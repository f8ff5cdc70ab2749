"""HTML → text: processor milliseconds per MB of a page as an editor writes it; one line of JSON.

python -m bench.pages
"""

from __future__ import annotations

import json
import statistics
import time
from typing import Final

from dbplanet.text import html_to_text

_SECTION: Final = """
<h2 class="headline">Fahrplanwechsel {number}: was sich für <em>Sie</em> ändert</h2>
<p style="margin:0">Ab dem <strong>14. Dezember</strong> fahren die Züge zwischen Köln und Ulm&nbsp;öfter.
Mehr dazu steht im <a href="/pages/fahrplan/{number}?tab=1">Fahrplan</a> &ndash; auch für Gäste.</p>
<ul><li>Halt in Fulda</li><li>Umstieg in Hanau<ul><li>Gleis 7</li></ul></li></ul>
<table><thead><tr><th>Zug</th><th>Abfahrt</th></tr></thead>
<tbody><tr><td>ICE {number}</td><td>08:15</td></tr><tr><td>RE 50</td><td>09:42</td></tr></tbody></table>
<blockquote><p>Pünktlichkeit ist kein Zufall.</p></blockquote><pre><code>ice --nummer {number}</code></pre>
<div class="image"><img src="/web/{number}.jpg" alt="Ein Zug auf der Brücke"></div>
"""
_ROUNDS: Final = 5


def page(size: int) -> str:
    """Return a page of at least ``size`` bytes."""
    sections: list[str] = []
    length = 0
    while length < size:
        sections.append(_SECTION.format(number=len(sections)))
        length += len(sections[-1].encode())
    return "".join(sections)


def main() -> None:
    """Measure and print ``{"ms": [for each round, per MB]}``."""
    html = page(1_000_000)
    megabytes = len(html.encode()) / 1e6
    html_to_text(html[:20_000])
    rounds = []
    for _ in range(_ROUNDS):
        begun = time.process_time()
        text = html_to_text(html)
        rounds.append((time.process_time() - begun) * 1e3 / megabytes)
        if "- Umstieg in Hanau" not in text:
            raise RuntimeError("the text lacks what the page says")
    print(json.dumps({"ms": rounds, "median": statistics.median(rounds)}))


if __name__ == "__main__":
    main()
