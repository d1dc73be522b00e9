"""Change what parsers make of partial trees, but gold trees do not have.

Parsers have little choice where much of a tree is known. So some of the nodes that they add are in
no gold tree, such as the inner one of ``(NP (NP (NNP Ann)) (POS 's))``.
"""

from __future__ import annotations

import re

from plcfrs.trees import Node, Tree

# The tags of the words beside a verb phrase in a larger one.
_HEAD = re.compile("V|MD|TO|CC|POS")
_FINITE = re.compile("VB[DPZ]")


def with_usual_expansions(tree: Tree) -> Tree:
    """Return a tree without nodes and expansions that gold trees do not have."""
    for mother in tree.bottom_up():
        for node in mother.nodes:
            tags = {tree.tokens[child].tag for child in node.children if isinstance(child, int)}
            if node.category == "PRT" and tags != {"RP"}:
                node.category = "ADVP"
            elif node.category in {"CAPTION", "HEADING"}:
                node.category = "FRAG"
                if len(node.nodes) == len(node.children) == 1:
                    mother.replace(node, node.children[0])
        verb_phrases = [node for node in mother.nodes if node.category == "VP"]
        tags = {tree.tokens[child].tag for child in mother.children if isinstance(child, int)}
        if mother.category == "VP" and len(verb_phrases) == 1 and not any(map(_HEAD.match, tags)):
            place = mother.children.index(verb_phrases[0])
            mother.children[place : place + 1] = verb_phrases[0].children
        _change_expansion(mother, tree)
    tree.sort_children()
    return tree


def _change_expansion(node: Node, tree: Tree) -> None:
    """Change the expansion of a node."""
    if node.category in {"S", "SQ", "VP", "SBAR"}:  # words such as "who" have a phrase
        node.children = [_with_wh_phrase(child, tree) for child in node.children]
    first, *others = node.children
    below = node.nodes
    match [node.category, *_names(node, tree)]:
        case ["NP", "NP" | "NML", "POS"]:  # (NP (NP Ann) 's)
            node.children[:1] = below[0].children
        case ["NP", "RB", "NP"]:  # (NP only (NP (NP two) (PP of them)))
            lowest = _lowest_first(below[0], tree)
            lowest.children.insert(0, first)
            node.children = below[0].children
        case ["VP", "TO", "VB", *_]:  # (VP to go)
            node.children = [first, Node("VP", children=others)]
        case ["VP", "S", "CC", "VP"] if _names(below[0], tree) == ["VP"]:
            node.children[0] = below[0].nodes[0]
        case ["VP", "VP", "CC", "S"] if _names(below[1], tree) == ["VP"]:
            node.children[2] = below[1].nodes[0]
        case ["VP", "JJ"] | ["VP", "JJ", "PP"]:
            node.category = "ADJP"
        case ["SBAR", "VP", *_] | ["SBAR", "NP", "VP", *_]:
            node.children = [Node("S", children=node.children)]
        case ["WHADVP", "WRB", "JJ"]:  # (WHADVP how big)
            node.category = "WHADJP"
        case ["S", *names] if "VP" in names and "NP" in names[names.index("VP") :]:
            verb_phrase = next(each for each in below if each.category == "VP")
            inside = _names(verb_phrase, tree)
            if "S" in inside and any(map(_FINITE.match, inside[inside.index("S") :])):
                node.category = "SINV"  # ("No," said) she
        case [category, same] if below and category == same:
            node.children = below[0].children
        case ["PP", "PP", *_] if _names(below[0], tree) == ["VBG", "TO"]:
            according, to = below[0].children  # (PP (PP according to) (NP him))
            node.children = [according, Node("PP", children=[to, *others])]
        case ["PP", "PP", "NP" | "S" | "SBAR"] if not below[0].nodes:
            node.children[:1] = below[0].children


def _lowest_first(noun_phrase: Node, tree: Tree) -> Node:
    """Return the lowest noun phrase at the beginning of one, but no conjunct and no possessor."""
    names = _names(noun_phrase, tree)
    if names[0] == "NP" and {"CC", "POS"}.isdisjoint(names):
        return _lowest_first(noun_phrase.nodes[0], tree)
    return noun_phrase


def _with_wh_phrase(child: Node | int, tree: Tree) -> Node | int:
    phrases = {"WRB": "WHADVP", "WP": "WHNP"}
    if isinstance(child, int) and (category := phrases.get(tree.tokens[child].tag)):
        return Node(category, children=[child])
    return child


def _names(node: Node, tree: Tree) -> list[str]:
    """Return the categories and tags of children."""
    return [
        child.category if isinstance(child, Node) else tree.tokens[child].tag
        for child in node.children
    ]
