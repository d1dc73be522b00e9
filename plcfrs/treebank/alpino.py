"""The XML format of Alpino (van Noord, Bouma, ...), which can only be read.

    <node begin="0" end="1" id="2" index="1" lemma="zij" pos="pron" rel="su" word="Zij"/>

Words are ordered by ``begin``; ``--`` means empty, and the outermost ``top`` is ROOT. A node that
has an ``index``, but no word and no children, becomes a secondary edge: from the node with the
content of this index to the mother of the empty node. A node without words below it is left out,
with its edges.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from plcfrs.treebank.format import Chunk
from plcfrs.treebank.xmltext import XML, XMLSentence, begins_with, parse_sentence, splitter
from plcfrs.trees import Node, SecondaryEdge, Token, Tree
from plcfrs.trees.notation import add_root, or_empty

_POSITION = re.compile(r"[0-9]{1,18}")


def parse(chunk: Chunk) -> Tree:
    """Read a sentence."""
    sentence = parse_sentence(chunk, "alpino_ds", "sentid")
    top = sentence.element.find("node")
    if top is None:
        raise sentence.error("the sentence has no node", sentence.element)
    elements = [*top.iter("node")]
    words = _find_words(sentence, elements)
    children = _build(sentence, elements, words)
    root = _find_root(children.get(top))
    tokens = [_read_token(element) for element in words]
    text = sentence.element.find("sentence")
    name = sentence.element.get("id", "")
    tree = Tree(root, tokens, name if text is None else text.get("sentid", name))
    tree.sort_children()
    if top not in words:
        children[top] = root
    tree.secondary_edges = _read_secondary(sentence, elements, children)
    return tree


_SIGNATURE = begins_with("alpino_ds", "treebank", inside="alpino_ds")
ALPINO = XML("alpino", (".xml",), splitter("alpino_ds"), parse, signature=_SIGNATURE)


def _find_words(sentence: XMLSentence, elements: list[Element]) -> list[Element]:
    words: dict[int, Element] = {}
    for element in elements:
        if element.get("word") is None:
            continue
        begin = element.get("begin", "")
        if not _POSITION.fullmatch(begin):
            raise sentence.error(f"begin of a word must be a number, not {begin!r}", element)
        if int(begin) in words:
            raise sentence.error(f"a second word begins at position {begin}", element)
        words[int(begin)] = element
    return [words[begin] for begin in sorted(words)]


def _build(
    sentence: XMLSentence, elements: list[Element], words: list[Element]
) -> dict[Element, Node | int]:
    children: dict[Element, Node | int] = {word: place for place, word in enumerate(words)}
    for element in reversed(elements):
        below = [children[part] for part in element.findall("node") if part in children]
        if not below:
            continue
        if element in children:
            raise sentence.error("a word has other words below it", element)
        category = element.get("cat")
        if category is None:
            raise sentence.error("a node with children has no category (cat)", element)
        function = or_empty(element.get("rel", ""))
        children[element] = Node(category, (function,) if function else (), children=below)
    return children


def _find_root(whole: Node | int | None) -> Node:
    if whole is None:
        return add_root([])
    if isinstance(whole, Node) and whole.category == "top":
        return add_root(whole.children)
    return add_root([whole])


def _read_token(element: Element) -> Token:
    def read(*keys: str) -> str:
        return or_empty(next((element.attrib[key] for key in keys if key in element.attrib), ""))

    form = element.attrib["word"]
    return Token(form, read("pos"), read("lemma", "root"), read("postag"), read("rel"))


def _read_secondary(
    sentence: XMLSentence, elements: list[Element], children: dict[Element, Node | int]
) -> list[SecondaryEdge]:
    contents = {element.get("index"): element for element in elements if _has_content(element)}
    secondary = []
    for mother in elements:
        for part in mother.findall("node"):
            index = part.get("index")
            if index is None or _has_content(part):
                continue
            if index not in contents:
                raise sentence.error(f"no node has content for index {index!r}", part)
            child, parent = children.get(contents[index]), children.get(mother)
            if child is not None and isinstance(parent, Node):
                secondary.append(SecondaryEdge(or_empty(part.get("rel", "")), child, parent))
    return secondary


def _has_content(element: Element) -> bool:
    return any(key in element.attrib for key in ("word", "cat")) or len(element) > 0
