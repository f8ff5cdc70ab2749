"""Property 8 of the specification (Requirement 11.3), and the same for whole layouts of widgets."""

import html
import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dbplanet.haiilo.widgets import layout_to_text
from dbplanet.text import clean_html, clean_text, html_to_text

_TAG = re.compile(r"<[^>]*>")


def _words(text: str) -> list[str]:
    return text.split()


_PLAIN_NAMES = _words("""
p div span b em a ul ol li table tr td th caption thead h1 h2 pre code blockquote br hr dl dt dd
svg math select option textarea title frameset form button template x-y
""")
_NAMES = [*_PLAIN_NAMES, "script", "style", "iframe", "img"]
_PLAIN_ATTRIBUTES = ["", " href=/x", ' href="javascript:x"', " colspan=99", " rowspan=0", ' start="-3"', " a"]
_ATTRIBUTES = [*_PLAIN_ATTRIBUTES, " title='>", ' alt="<b>"', ' src="//a/<"']
_ODD = _words("""
< > & &lt; &gt; &#60; &amp;lt; &#x3c <!-- --> <! <? </ ' " ` | \\ &#99999999999; \x00 \x02 \x03 \u200b \ud800
""")
_KEYS = _words("""
rte html text callout headline code button divider welcome video media image singlefile downloads
teaser iframe rss poll bookmarking blogarticle blog neu
""")
_FIELDS = _words("""
html_content _html_content md_text text title url _url rssUrl question description options answer slides
headline _image id _files _bookmarks album _media _titles welcomeText rows widgets settings slots name
key _headline size
""")


def _tags(names: list[str], attributes: list[str]) -> st.SearchStrategy[str]:
    return st.builds(
        "<{}{}{}>".format, st.sampled_from(["", "", "/"]), st.sampled_from(names), st.sampled_from(attributes)
    )


_PIECES = st.one_of(_tags(_NAMES, _ATTRIBUTES), st.sampled_from(_ODD), st.text(max_size=5))
_HTML = st.one_of(st.text(), st.lists(_PIECES).map("".join))
_LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), _HTML)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(_FIELDS), inner, max_size=5)
    ),
    max_leaves=12,
)
_WIDGETS = st.fixed_dictionaries(
    {"key": st.sampled_from(_KEYS)}, optional={"settings": _VALUES, "text": _VALUES}
)
_LAYOUTS = st.one_of(
    _VALUES,
    st.lists(_WIDGETS, max_size=4),
    st.fixed_dictionaries(
        {"rows": st.lists(st.lists(st.fixed_dictionaries({"widgets": st.lists(_WIDGETS, max_size=3)})))}
    ),
    st.fixed_dictionaries(
        {
            "widgets": st.dictionaries(st.sampled_from(_FIELDS), st.lists(_WIDGETS, max_size=3)),
            "settings": _VALUES,
        }
    ),
)


# Feature: dbplanet-mcp-tools, Property 8: HTML widget text extraction removes all tags
@settings(max_examples=200, deadline=None)
@given(_HTML)
def test_no_html_leaves_a_tag(source):
    assert not _TAG.search(clean_html(source))
    assert not _TAG.search(html_to_text(source, base_url="https://planet.example/x"))
    assert not _TAG.search(clean_text(source))


# Feature: dbplanet-mcp-tools, Property 8: HTML widget text extraction removes all tags
@settings(max_examples=200, deadline=None)
@given(st.text("aä&#;x3lt7amp \n"))
def test_entities_are_decoded_to_their_characters_exactly_once(text):
    expected = " ".join(text.split())
    assert clean_html(html.escape(text)) == expected
    assert clean_html(f"<p>{html.escape(text)}</p>") == expected


# Feature: dbplanet-mcp-tools, Property 8: HTML widget text extraction removes all tags
@settings(max_examples=150, deadline=None)
@given(st.lists(_tags(_PLAIN_NAMES, _PLAIN_ATTRIBUTES), max_size=30))
def test_the_text_between_tags_is_kept_once(tags):
    source = "".join(f"{tag}w{index}w " for index, tag in enumerate(tags))
    for text in (html_to_text(source), clean_html(source)):
        assert [text.count(f"w{index}w") for index in range(len(tags))] == [1] * len(tags)


# Feature: dbplanet-mcp-tools, Property 8: HTML widget text extraction removes all tags
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_LAYOUTS)
def test_no_layout_leaves_a_tag_or_fails(layout):
    assert not _TAG.search(layout_to_text(layout, base_url="https://planet.example"))
