"""Cutting XML into sentences, which are then parsed one by one.

So memory stays constant, a malformed sentence does not affect others, and document types are never
loaded. Files that declare entities are errors, since their sentences may need them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError, fromstring
from xml.parsers.expat import ErrorString

from plcfrs.errors import TreebankError
from plcfrs.treebank.format import Chunk, Format

ENCODING = re.compile(rb"\A(?:\xef\xbb\xbf)?<\?xml\s[^>]*?encoding\s*=\s*[\"']([-\w.]+)")
"""Finds the encoding in the XML declaration of a file."""

XML = partial(Format, encoding_declaration=ENCODING, declaration_first=True)
"""Makes a format of files in XML."""

_PROLOG = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.DOTALL)
_ELEMENT = re.compile(rb"<([A-Za-z_][-\w.]*)")
_COMMENT = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>", re.DOTALL)
_COMMENT_START = re.compile(r"<!--|<!\[CDATA\[")
_COMMENT_END = re.compile(r"-->|\]\]>")
_ENTITY = "<!ENTITY"


def begins_with(*elements: str, inside: str) -> Callable[[bytes], bool]:
    """Return a `Format.signature` that tests whether the first element is one of these.

    It may also be another element, if one is inside it that only this format has.

    >>> is_tigerxml = begins_with("corpus", "s", inside="graph")
    >>> is_tigerxml(b"<?xml version='1.0'?><!-- <a> --><corpus id='x'>"), is_tigerxml(b"<a><b/>")
    (True, False)
    >>> is_tigerxml(b"<my-corpus><s id='s1'><graph root='s1_500'>")
    True
    """

    def signature(start: bytes) -> bool:
        text = _PROLOG.sub(b"", start)
        first = _ELEMENT.search(text)
        return first is not None and (
            first[1].decode("ascii") in elements
            or (
                text[: first.start()].strip(b"\xef\xbb\xbf \t\r\n") == b""
                and f"<{inside}".encode() in text
            )
        )

    return signature


def splitter(element: str) -> Callable[[Iterable[str], str], Iterator[Chunk]]:
    """Return a `Format.split` that yields these elements without the text between them.

    >>> lines = ["<corpus><s id='1'>", "</s><s id='2'/></corpus>"]
    >>> [(chunk.line, chunk.text) for chunk in splitter("s")(lines, "a.xml")]
    [(1, "<s id='1'></s>"), (2, "<s id='2'/>")]
    """
    marks = f"<{element}", f"</{element}"
    tag = re.compile(
        rf"(?P<start><{element}(?=[\s/>]))(?P<empty>[^<>]*/>)?|</{element}\s*>", re.ASCII
    )

    def split(lines: Iterable[str], path: str) -> Iterator[Chunk]:
        held: list[str] = []
        number = start = 0
        is_reported = False
        for line_number, line in enumerate(_without_comments(lines), start=1):
            if held and marks[0] not in line and marks[1] not in line:  # most lines
                held.append(line)
                continue
            for text, begins, ends in _pieces(line, tag):
                if begins:
                    if held:
                        yield Chunk(path, start, "".join(held), number)
                    held, start, number = [text], line_number, number + 1
                elif held:
                    held.append(text)
                elif ends or (_ENTITY in text and not is_reported):
                    is_reported = is_reported or not ends
                    yield Chunk(path, line_number, text, number)
                if ends and held:
                    yield Chunk(path, start, "".join(held), number)
                    held = []
        if held:
            yield Chunk(path, start, "".join(held), number)

    return split


class XMLSentence(NamedTuple):
    """The XML element of a sentence."""

    chunk: Chunk  # its text
    element: Element
    name: str  # the identifier in messages; empty for none

    def error(self, message: str, part: Element) -> TreebankError:
        """Return an error that names the sentence and the line where a part of it begins."""
        # Elements have no lines, but the n-th of a name begins at its n-th start tag.
        number = [*self.element.iter(part.tag)].index(part)
        tags = re.finditer(rf"<{re.escape(part.tag)}(?=[\s/>])", self.chunk.text)
        place = next(islice(tags, number, None), None)
        return self.chunk.error(message, place.start() if place else 0, self.name or None)


def parse_sentence(chunk: Chunk, element: str, identifier: str) -> XMLSentence:
    """Parse the text of a sentence: an element whose first attribute `identifier` identifies it."""
    if not chunk.text.startswith(f"<{element}"):
        if _ENTITY in chunk.text:
            raise chunk.error("declared entities are not supported: write their text")
        raise chunk.error(f"'</{element}>' without a '<{element} ...>' before it")
    found = re.search(rf"\s{identifier}\s*=\s*(['\"])(.*?)\1", chunk.text)
    name = found[2] if found else ""
    try:
        return XMLSentence(chunk, fromstring(chunk.text), name)
    except ParseError as error:
        line, message = error.position[0], f"not well-formed XML: {ErrorString(error.code)}"
        if f"</{element}" not in chunk.text:
            line, message = 1, f"'</{element}>' is missing: this sentence does not end"
        raise TreebankError(message, chunk.path, chunk.line + line - 1, name or None) from None


def _pieces(line: str, tag: re.Pattern[str]) -> Iterator[tuple[str, bool, bool]]:
    """Cut a line at the tags; yield each piece, and whether it begins and ends an element."""
    place, begins = 0, False
    for match in tag.finditer(line):
        if match["start"]:
            if place < match.start():
                yield line[place : match.start()], begins, False
            place, begins = match.start(), True
        if not match["start"] or match["empty"]:
            yield line[place : match.end()], begins, True
            place, begins = match.end(), False
    if place < len(line):
        yield line[place:], begins, False


def _without_comments(lines: Iterable[str]) -> Iterator[str]:
    """Leave out comments and CDATA that are closed, but keep all line ends."""
    held: list[str] = []
    for line in lines:
        if not held and "<!" not in line:
            yield line
            continue
        held.append(line)
        if len(held) > 1 and not _COMMENT_END.search(line):
            continue
        text = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), "".join(held))
        if not _COMMENT_START.search(text):
            held = []
            yield from re.findall(r"[^\n]*\n|[^\n]+", text)
    yield from held
