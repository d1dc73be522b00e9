"""The TIGER-XML format (König, Lezius and Voormann 2003), in any corpus or subcorpus of a file.

Elements without a mother are attached to ROOT, which is written as VROOT; ``--`` means empty.
Several functions are joined by hyphens, a category split is written ``S^WH``. The format cannot
hold indices, marks of binarization or control characters. An identifier that is not an XML name
becomes a comment, ``<s id="s1" com="id: wsj_0001:1">``, and is read back from there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from xml.etree.ElementTree import Element

from plcfrs.errors import TreebankError
from plcfrs.treebank.format import FIRST_NODE, MARKUP, Chunk, lost_in_columns, numbered_nodes
from plcfrs.treebank.xmltext import XML, XMLSentence, begins_with, parse_sentence, splitter
from plcfrs.trees import ROOT, Node, SecondaryEdge, Token, Tree
from plcfrs.trees.labels import escaping
from plcfrs.trees.notation import (
    add_root,
    category_field,
    field,
    functions_field,
    or_empty,
    read_category,
    read_functions,
)
from plcfrs.wording import NOT_XML

_VIRTUAL_ROOT = "VROOT"
_COMMENT = "id: "
_NAME = re.compile(r"[A-Za-z_][-\w.]*", re.ASCII)
_NUMBER = re.compile(r"[0-9]+")
_TEXT = re.compile(r">[^<]*[^<\s]")
_ESCAPES = {ord(char): f"&#{ord(char)};" for char in '&<>"\t\n\r'}
_IN_ATTRIBUTE = escaping(r"(?!)")
_HEADER = """\
<?xml version="1.0" encoding="{encoding}"?>
<corpus id="plcfrs">
<head>
<annotation>
<feature name="word" domain="T"/>
<feature name="lemma" domain="T"/>
<feature name="pos" domain="T"/>
<feature name="morph" domain="T"/>
<feature name="cat" domain="NT"/>
<edgelabel/>
<secedgelabel/>
</annotation>
</head>
<body>
"""


def parse(chunk: Chunk) -> Tree:
    """Read a sentence."""
    if "<graph" not in chunk.text and _TEXT.search(chunk.text):
        raise chunk.error(f"not TigerXML, which has a <graph> in each <s>, but {MARKUP}")
    sentence = parse_sentence(chunk, "s", "id")
    tokens = [_read_token(sentence, element) for element in sentence.element.iter("t")]
    nodes = {element: _read_node(sentence, element) for element in sentence.element.iter("nt")}
    children = _by_name(sentence, nodes)
    mothers = _link(sentence, nodes, children, tokens)
    top = Node(ROOT, children=[child for name, child in children.items() if name not in mothers])
    _check_links(sentence, nodes, top)
    kept = {node for element, node in nodes.items() if "\\" in element.attrib["cat"]}
    root = add_root(_without_virtual_root(top.children, kept), kept)
    comment, name = (sentence.element.get(key, "") for key in ("com", "id"))
    original = comment.startswith(_COMMENT)
    tree = Tree(root, tokens, comment.removeprefix(_COMMENT) if original else name)
    tree.sort_children()
    tree.secondary_edges = _read_secondary(sentence, nodes, children, root)
    return tree


def render(tree: Tree, number: int) -> str:
    """Write a sentence with nodes numbered from 500, children before their mothers."""
    sentence = _sentence_name(tree.id, number)
    names = _names(tree, sentence)
    secondary = _render_secondary(tree, names)
    original = f"{_COMMENT}{NOT_XML.sub('_', tree.id)}"
    comment = f" com={_quoted(original)}" if tree.id not in ("", sentence) else ""
    lines = [f'<s id="{sentence}"{comment}>', f'<graph root="{names[tree.root]}">', "<terminals>"]
    for child, name in names.items():
        if isinstance(child, int):
            features, edges = _render_token(tree.tokens[child]), secondary[child]
            lines += _render_element("t", name, features, edges)
    lines += ["</terminals>", "<nonterminals>"]
    for child, name in names.items():
        if isinstance(child, Node):
            category = _VIRTUAL_ROOT if child is tree.root else category_field(tree, child)
            edges = [_render_edge("edge", _function(tree, c), names[c]) for c in child.children]
            edges += secondary[child]
            lines += _render_element("nt", name, f"cat={_quoted(category)}", edges)
    text = "\n".join([*lines, "</nonterminals>", "</graph>", "</s>\n"])
    wrong = NOT_XML.search(text)
    if wrong:
        raise TreebankError(f"XML cannot hold the character {wrong[0]!r}", sentence=tree.id)
    return text


TIGERXML = XML(
    "tigerxml",
    (".xml", ".tiger", ".tig"),
    splitter("s"),
    parse,
    render,
    header=_HEADER,
    lost=lost_in_columns,
    footer="</body>\n</corpus>\n",
    signature=begins_with("corpus", "subcorpus", "s", inside="graph"),
)


def _read_token(sentence: XMLSentence, element: Element) -> Token:
    form = element.get("word")
    if form is None:
        raise sentence.error("a token (t) has no word", element)
    tag, lemma, morph = (or_empty(element.get(key, "")) for key in ("pos", "lemma", "morph"))
    return Token(form, tag, lemma, morph)


def _read_node(sentence: XMLSentence, element: Element) -> Node:
    label = element.get("cat")
    if label is None:
        raise sentence.error("a node (nt) has no category (cat)", element)
    return read_category(label)


def _by_name(sentence: XMLSentence, nodes: dict[Element, Node]) -> dict[str, Node | int]:
    children: dict[str, Node | int] = {}
    for place, element in enumerate(chain(sentence.element.iter("t"), nodes)):
        name = element.get("id")
        if name is None:
            raise sentence.error(f"a {element.tag} has no id", element)
        if name in children:
            raise sentence.error(f"the id {name!r} occurs twice", element)
        children[name] = nodes.get(element, place)
    return children


def _link(
    sentence: XMLSentence,
    nodes: dict[Element, Node],
    children: dict[str, Node | int],
    tokens: list[Token],
) -> set[str]:
    linked: set[str] = set()
    for element, mother in nodes.items():
        for edge in element.iter("edge"):
            name, child = _target(sentence, edge, children)
            if name in linked:
                raise sentence.error(
                    f"two edges to {name!r}: write the second one as secedge", edge
                )
            linked.add(name)
            mother.children.append(child)
            label = edge.get("label", "")
            if isinstance(child, int):
                tokens[child].function = or_empty(label)
            else:
                child.functions = read_functions(label)
    return linked


def _target(
    sentence: XMLSentence, edge: Element, children: dict[str, Node | int]
) -> tuple[str, Node | int]:
    name = edge.get("idref", "")
    if name not in children:
        raise sentence.error(f"this {edge.tag} points to {name!r}: no t or nt has that id", edge)
    return name, children[name]


def _check_links(sentence: XMLSentence, nodes: dict[Element, Node], top: Node) -> None:
    reached = set(top.preorder())
    for element, node in nodes.items():
        name = element.get("id")
        if node not in reached:
            raise sentence.error(f"node {name!r} is in a cycle, or below a cycle", element)
        if not node.children and node.category != _VIRTUAL_ROOT:
            raise sentence.error(f"node {name!r} has no children", element)


def _without_virtual_root(children: list[Node | int], kept: set[Node]) -> list[Node | int]:
    top: list[Node | int] = []
    for child in children:
        if isinstance(child, Node) and child.category == _VIRTUAL_ROOT and child not in kept:
            top += child.children
        else:
            top.append(child)
    return top


def _read_secondary(
    sentence: XMLSentence, nodes: dict[Element, Node], children: dict[str, Node | int], root: Node
) -> list[SecondaryEdge]:
    kept = set(root.preorder())
    secondary = []
    for element in chain(sentence.element.iter("t"), nodes):
        for edge in element.iter("secedge"):
            child = children[element.attrib["id"]]
            _, parent = _target(sentence, edge, children)
            if isinstance(child, Node) and child not in kept:
                child = root
            if isinstance(parent, Node):
                label = or_empty(edge.get("label", ""))
                secondary.append(SecondaryEdge(label, child, parent if parent in kept else root))
    return secondary


def _sentence_name(identifier: str, number: int) -> str:
    if _NAME.fullmatch(identifier):
        return identifier
    return f"s{identifier if _NUMBER.fullmatch(identifier) else number}"


def _names(tree: Tree, sentence: str) -> dict[Node | int, str]:
    names: dict[Node | int, str] = {
        position: f"{sentence}_{position + 1}" for position in range(len(tree.tokens))
    }
    # In a long sentence, tokens and nodes must not share a number.
    for node, number in numbered_nodes(tree, max(FIRST_NODE, len(tree.tokens) + 1)).items():
        names[node] = f"{sentence}_{number}"
    names[tree.root] = f"{sentence}_{_VIRTUAL_ROOT}"
    return names


def _render_token(token: Token) -> str:
    return (
        f"word={_quoted(token.form)} lemma={_attribute(token.lemma)} "
        f"pos={_attribute(token.tag)} morph={_attribute(token.morph)}"
    )


def _render_element(element: str, name: str, features: str, edges: list[str]) -> list[str]:
    start = f'<{element} id="{name}" {features}'
    return [f"{start}>", *edges, f"</{element}>"] if edges else [f"{start}/>"]


def _function(tree: Tree, child: Node | int) -> str:
    if isinstance(child, Node):
        return _quoted(functions_field(child.functions))
    return _attribute(tree.tokens[child].function)


def _render_secondary(tree: Tree, names: dict[Node | int, str]) -> dict[Node | int, list[str]]:
    edges: dict[Node | int, list[str]] = {child: [] for child in names}
    for edge in tree.secondary_edges:
        # A transformation may have removed either end.
        if edge.child in names and edge.parent in names:
            edges[edge.child].append(
                _render_edge("secedge", _attribute(edge.label), names[edge.parent])
            )
    return edges


def _render_edge(name: str, label: str, target: str) -> str:
    return f'<{name} label={label} idref="{target}"/>'


@lru_cache(maxsize=10_000)
def _attribute(text: str) -> str:
    return _quoted(field(text, _IN_ATTRIBUTE))


def _quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'
