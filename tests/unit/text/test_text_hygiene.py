"""`clean_text`: hygiene for text that is no HTML."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbplanet.text import clean_html, clean_text
from dbplanet.text.html import _BOUNDARIES, _EMPHASIS, _runs
from dbplanet.text.hygiene import neutralise_tags, replace_surrogates, strip_controls, strip_invisible
from dbplanet.text.scan import Scanner
from dbplanet.text.tree import parse

_ANY_TEXT = st.text(st.characters(exclude_categories=[]))
_DANGEROUS = st.text(
    st.sampled_from(
        "a <>\n\t字ب1#❤😀👩🏽🇩🇪🏴\u200b\u200c\u200d\u202e\u2066\ufe00\ufe0f\ufeff\u00ad\u2028\r\x00\x1b\x85"
        "\ud83d\ude00\U000e0067\U000e0062\U000e007f\U000e0100"
    )
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Pass\u200bwort\ufeff", "Passwort", id="zero-width"),
        pytest.param("a\u202eb\u202cc\u2066d\u2069", "abcd", id="bidirectional overrides and isolates"),
        pytest.param("x" + "".join(chr(0xE0000 + ord(c)) for c in "ignore"), "x", id="tag characters"),
        pytest.param("Infor\u00admation", "Information", id="soft hyphen"),
        pytest.param("a\x00b\x07c\x1b[31md", "abc[31md", id="control characters"),
        pytest.param("a\r\nb\rc\u2028d\te", "a\nb\nc\nd\te", id="line ends become newlines, tabs stay"),
        pytest.param("ja <script>x</script>", "ja ‹script›x‹/script›", id="tags"),
        pytest.param("a < b <c\nd> e > f <", "a ‹ b ‹c\nd› e > f <", id="a sign without a partner stays"),
        pytest.param("<\n> Zitat", "‹\n> Zitat", id="the mark of a quotation stays"),
        pytest.param("\ud83d\ude00 \ud83d!", "😀 \ufffd!", id="surrogates are joined or replaced"),
        pytest.param("&lt;b&gt; &amp;", "&lt;b&gt; &amp;", id="entities are plain text here"),
        pytest.param("a\u200db\ufe0f", "ab", id="joiners and selectors with nothing to shape"),
        pytest.param("❤\ufe0f\ufe0f\ufe0e", "❤\ufe0f", id="one selector, not a message in selectors"),
    ],
)
def test_what_nobody_sees_is_removed(text, expected):
    assert clean_text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "👩‍🚒 👨‍👩‍👧 👍🏽 ❤️ 1️⃣ ☺︎",
        "🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "שלום مرحبا می‌خواهم क्‍ष",
        "東京都 葛󠄀城",
        "**fett** [Ziel](https://a.example)\n\n> Zitat -> 3 & 4\u00a0€",
    ],
)
def test_what_shapes_the_text_is_kept(text):
    assert clean_text(text) == text


@given(st.one_of(_ANY_TEXT, _DANGEROUS))
def test_cleaning_twice_changes_nothing_more(text):
    once = clean_text(text)
    assert clean_text(once) == once
    once.encode("utf-8")


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "Zs"], exclude_characters="<>")))
def test_ordinary_text_is_left_alone(text):
    assert clean_text(text) == text


@given(st.one_of(_ANY_TEXT, _DANGEROUS))
def test_no_step_is_left_out_where_it_would_change_something(text):
    assert clean_text(text) == neutralise_tags(strip_invisible(strip_controls(replace_surrogates(text))))


@given(st.one_of(_ANY_TEXT, _DANGEROUS))
def test_a_line_without_markup_reads_as_it_does_beside_markup(text):
    line = text.replace("<", "").replace("&", "")
    assert clean_html(line) == clean_html(f"{line}<i></i>")


_PIECES = st.sampled_from(
    [
        "<em>",
        "</em>",
        "<b>",
        "</b>",
        "<em class='a>'>",
        "<p>",
        "</p>",
        "<td>",
        "<a href=x>",
        "<br>",
        "<i>",
        "<",
        *" aö\n\x0c",
    ]
)


@given(st.lists(_PIECES, max_size=30).map("".join))
def test_emphasis_is_what_a_parser_says(source):
    def read(node, inside=False):
        for child in node.children:
            if isinstance(child, str):
                yield child, inside
            else:
                yield from read(child, inside or child.name == "em")

    def tokens():
        return Scanner(source, _EMPHASIS, _BOUNDARIES).tokens()

    parsed = [(letter, inside) for text, inside in read(parse(tokens())) for letter in text]
    assert [(letter, inside) for text, inside in _runs(tokens()) for letter in text] == parsed
