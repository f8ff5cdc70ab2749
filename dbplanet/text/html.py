"""HTML as text: a page as Markdown, an excerpt or a title as one line."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from dbplanet.text.hygiene import clean_text, neutralise_tags, replace_surrogates
from dbplanet.text.render import Renderer
from dbplanet.text.scan import BREAK, Scanner, Token
from dbplanet.text.tree import parse

_BLOCKS = [
    "address",
    "article",
    "aside",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frameset",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "main",
    "nav",
    "noframes",
    "noscript",
    "optgroup",
    "option",
    "p",
    "search",
    "section",
    "select",
    "summary",
    "template",
    "textarea",
    "title",
    "tr",
]
_STRUCTURES = {
    **dict.fromkeys(_BLOCKS, "div"),
    **{
        name: name
        for name in [
            "a",
            "blockquote",
            "caption",
            "code",
            "dd",
            "dl",
            "dt",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "hr",
            "li",
            "ol",
            "p",
            "pre",
            "table",
            "tbody",
            "td",
            "tfoot",
            "th",
            "thead",
            "tr",
            "ul",
        ]
    },
    **dict.fromkeys(("listing", "xmp"), "pre"),
    **dict.fromkeys(("dir", "menu"), "ul"),
}
_EMPHASIS = dict.fromkeys(("em", "strong", "b"), "em")
_BOUNDARIES = frozenset(_STRUCTURES) - {"a", "code"}


def html_to_text(html: str, *, base_url: str = "") -> str:
    """Turn a page or a fragment into plain Markdown that reads like the page.

    Headings, lists, tables, quotations, code and links keep their structure; images are their alternative
    text; scripts, styles and comments are left out, emphasis is not marked. No `<…>` sequence is left, not in
    code either (Property 8): it is written `‹…›`. Invisible characters are removed, entities decoded once.

    :param html: any text; nothing in it raises an error, and time grows linearly with its length
    :param base_url: the page's absolute address; links are resolved against it
    :return: Markdown without white space around it, "" for a page without text
    """
    tokens = Scanner(replace_surrogates(html), _STRUCTURES).tokens()
    return neutralise_tags(Renderer(base_url).markdown(parse(tokens)))


def clean_html(html: str) -> str:
    """Turn an excerpt, a title or another short piece of HTML into one line.

    `<em>`, `<strong>` and `<b>` become `**…**`; every other tag is removed, a block's leaves a space. White
    space is collapsed, entities are decoded once, no `<…>` sequence is left (Property 8, Requirement 11.3).
    """
    if "<" not in html and "&" not in html:
        return " ".join(clean_text(html).split())
    tokens = Scanner(replace_surrogates(html), _EMPHASIS, _BOUNDARIES).tokens()
    runs = groupby(_runs(tokens), lambda run: run[1])
    line = "".join(_marked("".join(text for text, _ in run), is_emphasis) for is_emphasis, run in runs)
    return neutralise_tags(" ".join(line.replace(BREAK, " ").split()))


def _runs(tokens: Iterable[Token]) -> Iterator[tuple[str, bool]]:
    """The texts in order, and whether each is emphasised; emphasis alone nests without a parser's help."""
    depth = 0
    for kind, data, _ in tokens:
        if kind == "text":
            yield data, depth > 0
        else:
            depth = depth + 1 if kind == "start" else max(depth - 1, 0)


def _marked(text: str, is_emphasis: bool) -> str:
    core = text.replace(BREAK, " ").strip()
    if not is_emphasis or not core:
        return text
    start = text.index(core[0])
    return f"{text[:start]}**{core}**{text[len(text.rstrip()) :]}"
