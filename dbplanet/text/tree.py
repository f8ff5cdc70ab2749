"""html5lib behind bounds: the tree of a page in time that grows linearly with the page.

html5lib's tree construction repairs the markup (implied end tags, misnested links, strays in tables); its
cost per tag grows with the nesting, so nesting and the number of elements are bounded here, where its state
is known. What is beyond the bounds loses its markup and keeps its text.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from html5lib.constants import namespaces, tokenTypes
from html5lib.html5parser import HTMLParser
from html5lib.treebuilders import base

from dbplanet.text.scan import BREAK, Token

MAX_DEPTH = 40
"""Elements open at once; the tree is at most twice as deep, by links html5lib closes around open ones."""
MAX_ELEMENTS = 80_000
"""Elements of one page; 2 MB of ordinary page have half as many."""

_HTML = namespaces["html"]
_CHARACTERS, _SPACES, _START, _END = (
    tokenTypes[kind] for kind in ("Characters", "SpaceCharacters", "StartTag", "EndTag")
)
_NO_ATTRIBUTES: Mapping[str, str] = MappingProxyType({})
_HTML_SPACE = "\t\n\f\r "
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_NO_TEXT_INSIDE = frozenset({"table", "thead", "tbody", "tfoot", "tr", "ul", "ol", "dl"})
_INLINE = frozenset({"a", "code", "em"})
_SCOPE = frozenset({"html", "table", "caption", "td", "th"})
_SCOPES = {
    None: _SCOPE,
    "button": _SCOPE,
    "list": _SCOPE | {"ol", "ul"},
    "table": frozenset({"html", "table"}),
}


class Node:
    """An element: its name, its attributes, and its children, which are nodes and texts."""

    __slots__ = ("attributes", "children", "name", "parent")

    namespace = _HTML

    def __init__(self, name: str, namespace: str = _HTML) -> None:
        self.name = name
        self.attributes: Mapping[str, str] = _NO_ATTRIBUTES
        self.children: list[Node | str] = []
        self.parent: Node | None = None

    # html5lib's interface of a tree node; the names are its own

    @property
    def nameTuple(self) -> tuple[str, str]:  # noqa: N802, D102
        return (_HTML, self.name)

    def appendChild(self, node: "Node") -> None:  # noqa: N802, D102
        self.children.append(node)
        node.parent = self

    def insertText(self, data: str, insertBefore: "Node | None" = None) -> None:  # noqa: N802, N803, D102
        if insertBefore is None:
            self.children.append(data)
        else:
            self.children.insert(self._index(insertBefore), data)

    def insertBefore(self, node: "Node", refNode: "Node") -> None:  # noqa: N802, N803, D102
        self.children.insert(self._index(refNode), node)
        node.parent = self

    def removeChild(self, node: "Node") -> None:  # noqa: N802, D102
        del self.children[self._index(node)]
        node.parent = None

    def reparentChildren(self, newParent: "Node") -> None:  # noqa: N802, N803, D102
        for child in self.children:
            if isinstance(child, Node):
                child.parent = newParent
        newParent.children += self.children
        self.children = []

    def cloneNode(self) -> "Node":  # noqa: N802, D102
        clone = Node(self.name)
        # shared on purpose: a link that was split into several is told from its copies by that
        clone.attributes = self.attributes
        return clone

    def hasContent(self) -> bool:  # noqa: N802, D102
        return bool(self.children)

    def _index(self, node: "Node") -> int:
        # from the end, where the parser works: from the start a long table of strays takes quadratic time
        index = len(self.children) - 1
        while self.children[index] is not node:
            index -= 1
        return index


def _new_root() -> Node:
    return Node("#root")


class _TreeBuilder(base.TreeBuilder):
    documentClass = staticmethod(_new_root)  # noqa: N815
    fragmentClass = staticmethod(_new_root)  # noqa: N815
    elementClass = Node  # noqa: N815

    def elementInScope(self, target: str, variant: str | None = None) -> bool:  # noqa: N802
        # html5lib's own takes three times as long, and this is most of the work on deep pages
        limits = _SCOPES[variant]
        for node in reversed(self.openElements):
            if node.name == target:
                return True
            if node.name in limits:
                return False
        return False


def _tag(kind: int, name: str, attributes: Mapping[str, str]) -> dict[str, Any]:
    return {
        "type": kind,
        "name": name,
        "data": attributes,
        "selfClosing": False,
        "selfClosingAcknowledged": False,
    }


class BoundedParser(HTMLParser):
    """html5lib's tree construction, fed with tokens of ours instead of its own tokenizer's."""

    def __init__(self) -> None:
        super().__init__(tree=_TreeBuilder)
        self._elements = 0
        self._unopened: Counter[str] = Counter()

    def build(self, tokens: Iterable[Token]) -> Node:
        """Build the tree of a fragment.

        :return: the root, whose name is `#root`
        """
        self.innerHTMLMode, self.container, self.scripting = True, "div", False
        # all that this parser asks of its tokenizer is to be iterable
        self.tokenizer = self._bounded(tokens)  # type: ignore[assignment]
        self.reset()
        self.framesetOK = False
        self.mainLoop()
        root: Node = self.tree.getFragment()
        return root

    def parseError(self, errorcode: str = "", datavars: Any = None) -> None:  # noqa: N802
        """Ignore the error: html5lib would keep a list of them all."""

    def _bounded(self, tokens: Iterable[Token]) -> Iterator[dict[str, Any]]:
        for kind, data, attributes in tokens:
            if self._elements > MAX_ELEMENTS and len(self.tree.openElements) > 1:
                yield from self._close_all()
            if kind == "text":
                if data.strip(_HTML_SPACE):
                    yield {"type": _CHARACTERS, "data": data}
                elif self.tree.openElements[-1].name not in _NO_TEXT_INSIDE:
                    yield {"type": _SPACES, "data": data}
            elif self._admits_start(data) if kind == "start" else self._admits_end(data):
                yield _tag(_START if kind == "start" else _END, data, attributes)
            elif data not in _INLINE:
                # the boundary of a block without its markup
                yield {"type": _CHARACTERS, "data": BREAK}

    def _close_all(self) -> Iterator[dict[str, Any]]:
        # so that the rest of an oversized page is lines of its own, not part of a table's last cell
        for node in self.tree.openElements[:0:-1]:
            yield _tag(_END, node.name, _NO_ATTRIBUTES)

    def _admits_start(self, name: str) -> bool:
        self._elements += 1
        if self._elements <= MAX_ELEMENTS and len(self.tree.openElements) < MAX_DEPTH:
            return True
        self._unopened[name] += 1
        return False

    def _admits_end(self, name: str) -> bool:
        if self._unopened[name]:
            self._unopened[name] -= 1
            return False
        # An end without a start costs html5lib several walks through all open elements.
        closes = _HEADINGS if name in _HEADINGS else (name,)
        return any(node.name in closes for node in reversed(self.tree.openElements))


def parse(tokens: Iterable[Token]) -> Node:
    """Build the tree of a page from the scanner's tokens, bounded in depth and size."""
    return BoundedParser().build(tokens)
