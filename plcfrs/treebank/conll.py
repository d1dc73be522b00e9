"""CoNLL-U (Universal Dependencies) and CoNLL-X (Buchholz and Marsi 2006): one word per line.

As a treebank, such a file has words, tags, lemmas and morphology below ROOT. CoNLL-U is written as
it was read, with comments, multiword ranges (``3-4``) and empty nodes (``8.1``); empty columns
become ``_``. The place of a word in its text is ``TokenRange=start:end`` in MISC, as UDPipe writes
it. CoNLL-X holds only the words, and its projective heads are not read. The heads may have several
roots or cycles, since parsers write such files. CoNLL-2008 and CoNLL-2009 are read as CoNLL-X,
without predicates and their arguments; predicted columns stand in for empty ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import itemgetter

from plcfrs.errors import TreebankError
from plcfrs.treebank.format import Chunk, Format
from plcfrs.trees import ROOT, Node, Token, Tree
from plcfrs.trees.labels import escape, escaping, unescape
from plcfrs.trees.notation import field, parse_brackets
from plcfrs.trees.tree import Columns, DependencyTree

_COLUMNS = 10
_LINE = re.compile(r"[^\r\n]+")
_COLUMN = re.compile(r"[^ \t]+")
_IDENTIFIER = re.compile(r"#[ \t]*sent_id[ \t]*=[ \t]*(\S.*)")
_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
_EMPTY_NODE = re.compile(r"([0-9]{1,18})\.[0-9]{1,18}")
_NUMBER = re.compile(r"[0-9]{1,18}")
_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:[ \t\r]*\n|#[^\n]*\n)*(?:1(?:-[0-9]+)?|0\.1)(?:\t[^\t\n]+){9}(?:\n|\Z)"
)
_SHORT_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*1(?:(?:\t[^\t\n]+){7}|(?:\t[^\t\n]+){5}|(?:\t[^\t\n]+){10,})(?:\r?\n|\Z)"
)
_HEAD = re.compile(r"_|[0-9]{1,18}")
_LEAST_COLUMNS_2008, _LEAST_COLUMNS_2009 = 11, 13
_WITHOUT = {8: ["_", "_"], 6: ["_"] * 4}  # CoNLL-X without projective heads, or without any
_SEPARATORS = re.compile(r"[\t\r\n]")
_IN_CELL, _WITHOUT_BLANKS = escaping(r"[\0\t\r\n]"), escaping(r"[\0\s]")
_PLACE = re.compile(r"(?<![^|])TokenRange=([0-9]{1,9}):([0-9]{1,9})(?![^|])")
_Row = list[str]


def split(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield the lines up to each blank line."""
    number = start = 0
    held: list[str] = []
    for line_number, line in enumerate(lines, start=1):
        if line.strip(" \t\r\n"):
            start = start if held else line_number
            held.append(line)
        elif held:
            number += 1
            yield Chunk(path, start, "".join(held), number)
            held = []
    if held:
        yield Chunk(path, start, "".join(held), number + 1)


def parse(chunk: Chunk) -> Tree:
    """Read the words of a sentence, without their heads."""
    sentence = _read(chunk, with_heads=False)
    root = Node(ROOT, children=list(range(len(sentence.tokens))))
    return Tree(root, sentence.tokens, sentence.id)


def _parse_conllx(chunk: Chunk) -> DependencyTree:
    sentence = _read(_completed(chunk))  # without the projective heads
    sentence.columns = [Columns(coarse_tag) for coarse_tag, *_ in sentence.columns]
    return sentence


def render_conllu(sentence: DependencyTree) -> str:
    """Write a sentence with comments, multiword ranges and empty nodes."""
    rows = [_line(row, _IN_CELL) for row in _rows(sentence)]
    lines = sorted([*sentence.other_lines, *enumerate(rows)], key=itemgetter(0))
    return "\n".join([*_comments(sentence), *(line for _, line in lines), "\n"])


def render_conllx(sentence: DependencyTree) -> str:
    """Write the words of a sentence."""
    lines = [_line([*row[:-2], "", ""], _WITHOUT_BLANKS) for row in _rows(sentence)]
    return "\n".join([*lines, "\n"])


def _parse_conllx_words(chunk: Chunk) -> Tree:
    return parse(_completed(chunk))


def _completed(chunk: Chunk) -> Chunk:
    """Add the columns that shorter files lack, and choose those of longer files."""

    def completed(line: re.Match[str]) -> str:
        row = line[0].split("\t")
        if len(row) >= _LEAST_COLUMNS_2008:
            return "\t".join(_chosen(row))
        return "\t".join([*row, *_WITHOUT.get(len(row), [])])

    return chunk._replace(text=_LINE.sub(completed, chunk.text))


def _chosen(row: _Row) -> _Row:
    """Return the ten columns of a word in a file of the shared task of 2008 or 2009."""
    if len(row) >= _LEAST_COLUMNS_2009 and all(map(_HEAD.fullmatch, row[8:10])):  # 2009
        form, *pairs = row[1:12]
        lemma, tag, morph, head, relation = map(_filled, pairs[::2], pairs[1::2])
    else:  # words of 2008 may be split; the gold tags are those of whole words
        form, lemma = _filled(row[5], row[1]), _filled(row[6], row[2])
        tag = _filled(row[3] if form == row[1] else row[7], _filled(row[7], row[4]))
        morph, (head, relation) = "_", row[8:10]
    return [row[0], form, lemma, tag, tag, morph, head, relation, "_", "_"]


def _filled(cell: str, other: str) -> str:
    return other if cell == "_" else cell


def is_conll(start: bytes) -> bool:
    r"""Whether a file begins with the first of the ten columns of a sentence.

    >>> is_conll(b"# a\n1\tWhy\t_\tADV\t_\t_\t0\troot\t_\t_\n"), is_conll(b"1\tWhy\n")
    (True, False)
    """
    return _START.match(start) is not None


def is_conllx(start: bytes) -> bool:
    r"""Whether a file begins with ten columns, or eight, six or more than ten, of a sentence.

    >>> is_conllx(b"1\train\t_\tN\tN\t_\t2\tSUB\n"), is_conllx(b"1\train\n")
    (True, False)
    """
    return is_conll(start) or _SHORT_START.match(start) is not None


def _read(chunk: Chunk, *, with_heads: bool = True) -> DependencyTree:
    sentence = DependencyTree([], [], [])
    expected: list[tuple[int, int]] = []  # words that must exist, and the places that say so
    for line in _LINE.finditer(chunk.text):
        if line[0].startswith("#"):
            sentence.comments.append(line[0])
            continue
        row = _row(chunk, line)
        words = len(sentence.tokens)
        if row[0] == str(words + 1):
            _add_token(sentence, row)
            if with_heads:
                expected.append((_add_head(chunk, sentence, row, line.start()), line.start()))
        elif (last := _last_word(row[0], words)) is not None:
            sentence.other_lines.append((words, line[0]))
            expected.append((last, line.start()))
        else:
            raise chunk.error(f"expected word {words + 1}, but found {row[0]!r}", line.start())
    if not sentence.tokens:
        raise chunk.error("the sentence has no words")
    for word, place in expected:
        if word > len(sentence.tokens):
            raise chunk.error(f"word {word} is missing: the last is {len(sentence.tokens)}", place)
    names = [match[1] for match in map(_IDENTIFIER.match, sentence.comments) if match]
    sentence.id = names[0].strip() if names else ""
    return sentence


def _row(chunk: Chunk, line: re.Match[str]) -> _Row:
    row = line[0].split("\t")
    if len(row) != _COLUMNS:
        raise chunk.error(
            f"expected {_COLUMNS} columns with tabs between them, but found {len(row)}",
            line.start(),
        )
    if "" in row:
        place = row.index("") + 1
        raise chunk.error(f"column {place} is empty: it must be at least '_'", line.start())
    return row


def _add_token(sentence: DependencyTree, row: _Row) -> None:
    _, form, *others = row
    lemma, coarse_tag, tag, morph, _, _, enhanced, misc = (
        "" if cell == "_" else unescape(cell) for cell in others
    )
    token = Token(unescape(form), tag or coarse_tag, lemma, morph)
    if place := _PLACE.search(misc):
        token.start, token.end = map(int, place.groups())
    sentence.tokens.append(token)
    sentence.columns.append(Columns(coarse_tag, enhanced, misc))


def _add_head(chunk: Chunk, sentence: DependencyTree, row: _Row, place: int) -> int:
    number, head, relation = row[0], row[6], row[7]
    if not _NUMBER.fullmatch(head):
        advice = ": the file has no heads, only words and tags" if head == "_" else ""
        raise chunk.error(f"expected the number of a head, but found {head!r}{advice}", place)
    if int(head) == int(number):
        raise chunk.error(f"word {number} is its own head", place)
    sentence.heads.append(int(head))
    sentence.relations.append("" if relation == "_" else unescape(relation))
    return int(head)


def _last_word(name: str, words: int) -> int | None:
    """Return the last word of a range that begins next, or the word before an empty node."""
    if (found := _RANGE.fullmatch(name)) and words + 1 == int(found[1]) < int(found[2]):
        return int(found[2])
    if (found := _EMPTY_NODE.fullmatch(name)) and int(found[1]) == words:
        return words
    return None


def _comments(sentence: DependencyTree) -> list[str]:
    name = f"# sent_id = {_SEPARATORS.sub('_', sentence.id)}"
    comments = [name if _IDENTIFIER.match(comment) else comment for comment in sentence.comments]
    return [name, *comments] if sentence.id and name not in comments else comments


def _rows(sentence: DependencyTree) -> list[_Row]:
    if not sentence.tokens:
        raise TreebankError("CoNLL cannot hold a sentence without words", sentence=sentence.id)
    columns = sentence.columns or [Columns()] * len(sentence.tokens)
    parts = zip(sentence.tokens, sentence.heads, sentence.relations, columns, strict=True)
    return [
        [
            str(number),
            token.form,
            token.lemma,
            more.coarse_tag or token.tag,
            token.tag,
            token.morph,
            str(head),
            relation,
            more.enhanced,
            _misc(token, more.misc),
        ]
        for number, (token, head, relation, more) in enumerate(parts, start=1)
    ]


def _misc(token: Token, others: str) -> str:
    """Return the last column with the place of a token, if it is known."""
    if token.start is None:
        return others
    place = f"TokenRange={token.start}:{token.end}"
    found = _PLACE.search(others)
    return others.replace(found[0], place) if found else "|".join(filter(None, [others, place]))


def _line(row: _Row, special: re.Pattern[str]) -> str:
    number, form, *others = row
    cells = (field(cell, special, "_") for cell in others)
    return "\t".join([number, escape(form, special), *cells])


def _lost_in_conllx(sentence: DependencyTree) -> Iterator[str]:
    if sentence.comments:
        yield "comments"
    if sentence.other_lines:
        yield "multiword ranges and empty nodes"


CONLLU = Format(
    "conllu",
    (".conllu",),
    split,
    parse,
    signature=is_conll,
    parse_dependencies=_read,
    render_dependencies=render_conllu,
)
CONLLX = Format(
    "conllx",
    (".conllx", ".conll"),
    split,
    _parse_conllx_words,
    lost=_lost_in_conllx,
    signature=is_conllx,
    parse_dependencies=_parse_conllx,
    render_dependencies=render_conllx,
)


_TREE_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:#begin document[^\n]*\s*)?"
    rb"[^\s#]+[ \t]+[0-9]+[ \t]+0[ \t]+\S+[ \t]+\S+[ \t]+(?:\(|\*|-[ \t])"
)


def split_documents(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield the lines up to each blank line, without the marks around documents."""
    yield from split(("\n" if line.startswith("#") else line for line in lines), path)


def parse_document(chunk: Chunk) -> Tree:
    """Read a tree of CoNLL-2012 (Pradhan et al. 2012), with a part of it behind each word."""
    parts = []
    for line in _LINE.finditer(chunk.text):
        row = _COLUMN.findall(line[0])
        if len(row) < 6 or row[5].count("*") > 1:
            raise chunk.error("expected a word, its tag and its part of the tree", line.start())
        word, tag = (text.replace("(", "-LRB-").replace(")", "-RRB-") for text in row[3:5])
        above, _, below = row[5].strip("-").partition("*")
        parts.append(f"{above} ({tag} {word}) {below}")
    return parse_brackets(f"({' '.join(parts)})", chunk.error)


def is_conll2012(start: bytes) -> bool:
    """Whether a file begins with a word, its tag and a part of a tree in columns 4 to 6.

    >>> is_conll2012(b"a/b 0 0 rain NN (TOP(S(NP*) -"), is_conll2012(b"1 rain _ N N _ 0 ROOT")
    (True, False)
    """
    return _TREE_START.match(start) is not None


CONLL2012 = Format(
    "conll2012",
    (".gold_conll", ".v4_gold_conll", ".auto_conll", ".v4_auto_conll"),
    split_documents,
    parse_document,
    signature=is_conll2012,
)
