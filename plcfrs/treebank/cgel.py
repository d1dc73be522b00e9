r"""The format of CGELBank (Reynolds, Arora and Schneider 2023), with functions, gaps and notes.

    # sent_id = s1
    (Clause
        :Prenucleus (x / NP
            :Head (N_pro :t "what"))
        :Head (Clause
            :Subj (x / GAP)
            :Head (VP
                :Head (V :t "fell" :l "fall" :xpos "VBD" :p "?"))))

A gap is the null element ``*T*-33`` below GAP: the letters of its index are digits of a number with
the base 36, so that fillers can be moved to their gaps. The lemma is that of ``:l``, or else the
corrected or written word. Punctuation (``:p``) is a token with the function ``p``, beside its word;
``pre`` in its morphology says that it is before the word. Other properties of words, and their
notes, are in the morphology, ``xpos=VBD|note=odd``; a word that was left out is a null element.
Lines that begin with ``#`` are the comments of a tree. ``_`` is no function.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field

from plcfrs.errors import TreebankError
from plcfrs.treebank import conll
from plcfrs.treebank.format import Chunk, Format, check_continuous
from plcfrs.trees import ROOT, Node, Token, Tree
from plcfrs.trees.heads import PUNCTUATION_TAGS
from plcfrs.trees.labels import escape, escaping, unescape
from plcfrs.trees.tree import NULL_TAG

_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:[ \t\r]*\n|#[^\n]*\n)*"
    rb"\((?:[a-z]\w* / )?[^\s()\":/]+\s+:[^\s()\":]+\s+[(\"]"
)
_PART = re.compile(r'(\()|(\))|"((?:[^"\\]|\\.)*)"|:([^\s()":]+)|([^\s()":]+)|(\S)', re.ASCII)
_INDEX = re.compile(r"[a-z][a-z0-9]{0,4}")
_QUOTED = re.compile(r"\\(.)")
_COMMENTS = re.compile(r"(?:#[^\n]*(?:\n|\Z))*")
_NAME = re.compile(r"#\s*sent_id\s*=\s*(\S.*)")
_GAP, _TRACE = "GAP", re.compile(r"\*T\*(?:-([0-9]{1,9}))?")
_BASE = 36
_PUNCTUATION, _PRE, _NO_FUNCTION = "p", "pre", "_"
_TAGS = {"?": ".", "!": ".", '"': "''", "(": "-LRB-", ")": "-RRB-"}
_ORDER = {name: place for place, name in enumerate(("t", "correct", "l", "xpos", "p", "note"))}
_PROPERTY = re.compile(r"([a-z]+)=(.*)", re.DOTALL)
_IN_CATEGORY = escaping(r"[\0\t-\r ()\":]|\A/")
_IN_FUNCTION = escaping(r"[\0\t-\r ()\":]|\A_\Z")
_IN_FUNCTIONS = escaping(r"[\0\t-\r ()\":-]|\A_\Z")
_IN_QUOTES = escaping(r"[\0\t-\r]")
_IN_PROPERTY = escaping(r"[\0|]")


@dataclass
class _Part:
    """A constituent or word of a file, with its function."""

    function: str
    place: int
    words: list[str] = field(default_factory=list)  # an index and a slash, and the category
    properties: list[tuple[str, str]] = field(default_factory=list)
    children: list[Node | int] = field(default_factory=list)


def parse(chunk: Chunk) -> Tree:
    """Read a tree."""
    start = _COMMENTS.findall(chunk.text)[0]
    comments = [line.rstrip("\r") for line in start.split("\n") if line]
    tree = _Reader(chunk, len(start)).read()
    names = [found[1] for found in map(_NAME.match, comments) if found]
    tree.id, tree.comments = unescape(names[0].strip()) if names else "", comments
    return tree


class _Reader:
    """Reads the tree of a chunk, which begins behind its comments."""

    def __init__(self, chunk: Chunk, start: int) -> None:
        self._chunk, self._start = chunk, start
        self._tokens: list[Token] = []

    def read(self) -> Tree:
        above = _Part("", self._start)
        open_parts, name = [above], ""
        for found in _PART.finditer(self._chunk.text, self._start):
            opens, closes, text, role, word, stray = found.groups()
            part, place = open_parts[-1], found.start()
            if stray or (role and name) or (closes and (name or len(open_parts) == 1)):
                raise self._error(f"{found[0]!r} is unexpected here", place)
            if opens and part is above and above.children:
                raise self._error("more than one tree", place)
            if (opens and not name and part is not above) or (text is not None and not name):
                raise self._error(f"expected a function or property before {found[0]!r}", place)
            if word and (part is above or name or part.properties or part.children):
                raise self._error(f"{word!r} needs a bracket or quotes", place)
            if opens:
                open_parts.append(_Part(name, place))
            elif closes:
                open_parts.pop()
                is_root = open_parts == [above] and part.words == [ROOT] and part.children
                open_parts[-1].children += part.children if is_root else self._close(part)
            elif text is not None:
                part.properties.append((name, unescape(_QUOTED.sub(r"\1", text))))
            elif word:
                part.words.append(word)
            name = role or ""
        if len(open_parts) > 1:
            raise self._error(f"missing ')': {len(open_parts) - 1} more needed", self._start)
        if not above.children:
            raise self._error("no tree follows the comments", 0)
        return Tree(Node(ROOT, children=above.children), self._tokens)

    def _close(self, part: _Part) -> list[Node | int]:
        """Return a constituent, or a word and its punctuation."""
        index, category = self._label(part)
        properties = dict(part.properties)
        if not part.children:
            if properties.keys().isdisjoint(("t", "correct")) and category != _GAP:
                raise self._error(f"({category}) has neither a word nor constituents", part.place)
            return self._leaf(part, category, index)
        if unknown := properties.keys() - {"note"}:
            message = f":{min(unknown)} is only for words, not for constituents"
            raise self._error(message, part.place)
        return [_node(part, category, index, part.children, properties.get("note", ""))]

    def _leaf(self, part: _Part, category: str, index: int | None) -> list[Node | int]:
        properties = dict(part.properties)
        has_form = "t" in properties
        place, children = _PRE, list[Node | int]()
        for name, text in part.properties if has_form else [("t", ""), *part.properties]:
            if name == "t" and place == _PRE:
                place = ""
                children.append(self._word(part, category, index, properties))
            elif name == "p":
                tag = text if text in PUNCTUATION_TAGS else _TAGS.get(text, ":")
                children.append(self._add(Token(text, tag, text, place, _PUNCTUATION)))
        return children

    def _word(
        self, part: _Part, category: str, index: int | None, properties: dict[str, str]
    ) -> Node | int:
        """Return a word; one with an index, a gap or a word that was left out is a constituent."""
        corrected = properties.get("correct")
        if "t" not in properties and corrected is None:
            gap = self._add(Token("*T*" if index is None else f"*T*-{index}", NULL_TAG))
            return _node(part, category, None, [gap], properties.get("note", ""))
        form = properties.get("t", f"*{corrected}*")
        usual = properties.get("t", "") if corrected is None else corrected
        lemma = properties.get("l") or usual
        # A lemma that need not be written is kept as such.
        dropped = ("t", "p") if lemma == usual else ("t", "p", "l")
        others = [pair for pair in part.properties if pair[0] not in dropped]
        morph = "|".join(f"{name}={escape(text, _IN_PROPERTY, '')}" for name, text in others)
        token = Token(form, category if "t" in properties else NULL_TAG, lemma, morph)
        if "t" not in properties or index is not None:
            return _node(part, category, index, [self._add(token)], "")
        token.function = "" if part.function == _NO_FUNCTION else unescape(part.function)
        return self._add(token)

    def _add(self, token: Token) -> int:
        self._tokens.append(token)
        return len(self._tokens) - 1

    def _label(self, part: _Part) -> tuple[int | None, str]:
        match part.words:
            case [category]:
                return None, unescape(category)
            case [index, "/", category] if _INDEX.fullmatch(index):
                return int(index, _BASE), unescape(category)
        raise self._error("expected a category, or an index and a category: (x / NP", part.place)

    def _error(self, message: str, place: int) -> TreebankError:
        return self._chunk.error(message, place)


def render(tree: Tree, number: int) -> str:
    """Write comments and a tree, with a blank line behind it."""
    check_continuous(tree, "cgel")
    if not tree.tokens:
        raise TreebankError("cgel cannot hold a sentence without words", sentence=tree.id)
    name = f"# sent_id = {escape(tree.id or str(number), _IN_QUOTES)}"
    text = f"# text = {escape(' '.join(tree.words()), _IN_QUOTES)}"
    comments = [name if _NAME.match(line) else line for line in tree.comments] or [name, text]
    return "\n".join([*comments, _written(tree), "\n"])


def _written(tree: Tree) -> str:
    marks = _marks(tree)
    skipped: set[Node | int] = {place for places in marks.values() for place in places}
    for node in tree.bottom_up():
        if skipped.issuperset(node.children):
            skipped.add(node)
    top, *others = (child for child in tree.root.children if child not in skipped)
    is_root = isinstance(top, Node) and top.category == ROOT
    if others or is_root or _function_of(tree, top) != _NO_FUNCTION:
        top = tree.root
    stack: list[tuple[Node | int, int] | None] = [(top, 0)]
    lines: list[str] = []
    while stack:
        part = stack.pop()
        if part is None:
            lines[-1] += ")"
            continue
        child, depth = part
        children = [] if isinstance(child, int) else [c for c in child.children if c not in skipped]
        text, children = _opened(tree, child, children, marks)
        function = f":{_function_of(tree, child)} " if depth else ""
        lines.append(f"{'    ' * depth}{function}({text}")
        stack.append(None)
        stack += [(below, depth + 1) for below in reversed(children)]
    return "\n".join(lines)


def _opened(
    tree: Tree, child: Node | int, children: list[Node | int], marks: dict[int, list[int]]
) -> tuple[str, list[Node | int]]:
    """Return the text behind the bracket of a part of a tree, and the parts below it."""
    if isinstance(child, int):
        token = tree.tokens[child]
        return (_gap(token) if token.is_null else _word(tree, child, token.tag, marks)), []
    index = "" if child.index is None else f"{_letters(child.index)} / "
    category = escape(child.category, _IN_CATEGORY)
    if len(children) == 1 and isinstance(only := children[0], int):
        token = tree.tokens[only]
        if token.is_null and child.category == _GAP:
            return _gap(token) + _note(child), []
        is_word = (
            "correct=" in token.morph if token.is_null else index and token.tag == child.category
        )
        if is_word and not token.function:
            return index + _word(tree, only, child.category, marks), []
    return index + category + _note(child), children


def _gap(token: Token) -> str:
    index = _TRACE.fullmatch(token.form)
    return f"{_letters(int(index[1]))} / {_GAP}" if index and index[1] else _GAP


def _word(tree: Tree, place: int, category: str, marks: dict[int, list[int]]) -> str:
    """Return the category and the properties of a word or of a word that was left out."""
    token, beside = tree.tokens[place], marks.get(place, ())
    pairs = list(_properties(token.morph))
    usual = dict(pairs).get("correct", "" if token.is_null else token.form)
    if "l" not in dict(pairs) and token.lemma not in ("", usual):
        pairs.append(("l", token.lemma))
    if not token.is_null:
        pairs.append(("t", token.form))
    pairs += [("p", tree.tokens[mark].form) for mark in beside if mark > place]
    pairs.sort(key=lambda pair: _ORDER.get(pair[0], _ORDER["xpos"]))
    before = [("p", tree.tokens[mark].form) for mark in beside if mark < place]
    texts = [f" :{name} {_quoted(text)}" for name, text in [*before, *pairs]]
    return escape(category, _IN_CATEGORY) + "".join(texts)


def _marks(tree: Tree) -> dict[int, list[int]]:
    """Return the punctuation that is beside each word."""
    are_marks = [token.function == _PUNCTUATION and not token.is_null for token in tree.tokens]
    words = [i for i, token in enumerate(tree.tokens) if not (are_marks[i] or token.is_null)]
    marks: dict[int, list[int]] = {}
    for place, token in enumerate(tree.tokens if words else ()):
        if are_marks[place]:
            at = bisect(words, place)
            is_before = at == 0 or (token.morph == _PRE and at < len(words))
            marks.setdefault(words[at if is_before else at - 1], []).append(place)
    return marks


def _properties(morph: str) -> Iterator[tuple[str, str]]:
    for part in morph.split("|"):
        if (found := _PROPERTY.fullmatch(part)) and found[1] not in ("t", "p"):
            yield found[1], unescape(found[2])


def _function_of(tree: Tree, child: Node | int) -> str:
    if isinstance(child, int):
        function = escape(tree.tokens[child].function, _IN_FUNCTION, "")
    else:
        function = "-".join(escape(name, _IN_FUNCTIONS) for name in child.functions)
    return function or _NO_FUNCTION


def _node(
    part: _Part, category: str, index: int | None, children: list[Node | int], note: str
) -> Node:
    names = [] if part.function in ("", _NO_FUNCTION) else part.function.split("-")
    return Node(category, tuple(map(unescape, names)), index=index, children=children, note=note)


def _letters(index: int) -> str:
    """Return the index of a file, which begins with a letter.

    >>> _letters(33), _letters(int("x1", 36)), _letters(7)
    ('x', 'x1', 'x7')
    """
    from numpy import base_repr  # here, because NumPy is slow to import

    digits = base_repr(index, _BASE).lower()
    return digits if digits[0].isalpha() else f"x{digits}"


def _note(node: Node) -> str:
    return f" :note {_quoted(node.note)}" if node.note else ""


def _quoted(text: str) -> str:
    escaped = escape(text, _IN_QUOTES, "")
    return '"' + escaped.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _lost(tree: Tree) -> Iterator[str]:
    nodes, tokens = tree.nodes(), tree.tokens
    lost = {
        "secondary edges": tree.secondary_edges,
        "category splits": any(node.split for node in nodes),
        "indices": any(node.gap_index is not None for node in nodes),
        "marks of binarization": any(node.intermediate or node.ancestors for node in nodes),
        "morphology": any(
            token.morph not in ("", _PRE) and not [*_properties(token.morph)] for token in tokens
        ),
        "kinds of null elements": any(
            token.is_null and not _TRACE.fullmatch(token.form) and "correct=" not in token.morph
            for token in tokens
        ),
        "places in the text": any(token.start is not None for token in tokens),
    }
    return (part for part, is_lost in lost.items() if is_lost)


def is_cgel(start: bytes) -> bool:
    r"""Whether a file begins with a tree with functions, perhaps behind comments.

    >>> is_cgel(b'# sent_id = 1\n(NP :Head (N :t "rain"))'), is_cgel(b"(NP (N rain))")
    (True, False)
    """
    return _START.match(start) is not None


CGEL = Format("cgel", (".cgel",), conll.split, parse, render, lost=_lost, signature=is_cgel)
