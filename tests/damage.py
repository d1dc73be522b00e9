"""Damaged copies of trees, as from bad parsers: with wrong labels, brackets and tags."""

import copy
from random import Random

from plcfrs.trees import Node, Token, Tree, no_parse

CATEGORIES = ("NP", "VP", "S", "PP", "ADVP", "PRT")
FUNCTIONS = ((), ("SBJ",), ("LOC", "PRD"))


def damaged(tree: Tree, random: Random) -> Tree:
    """Return a copy with up to six things wrong; every fiftieth is a NOPARSE tree."""
    if random.random() < 0.02:
        return no_parse(copy.deepcopy(tree.tokens))
    parse = copy.deepcopy(tree)
    for _ in range(random.randint(0, 6)):
        nodes = [node for node in parse.nodes() if node is not parse.root]
        if nodes:
            _damage(parse, random.choice(nodes), random)
        _damage_token(random.choice(parse.tokens), random)
    parse.sort_children()
    return parse


def _damage(parse: Tree, node: Node, random: Random) -> None:
    mother = parse.parents()[node]
    match random.choice(["label", "functions", "move", "delete", "insert"]):
        case "label":
            node.category = random.choice(CATEGORIES)
        case "functions":
            node.functions = random.choice(FUNCTIONS)
        case "move" if len(mother.children) > 1:  # anywhere else: gaps open and close
            below = set(node.preorder())
            mother.children.remove(node)
            places = [other for other in parse.nodes() if other not in below]
            random.choice(places).children.append(node)
        case "delete":
            place = mother.children.index(node)
            mother.children[place : place + 1] = node.children
        case "insert":  # above some of the children
            chosen = random.sample(node.children, random.randint(1, len(node.children)))
            node.children = [child for child in node.children if child not in chosen]
            node.children.append(Node(random.choice(CATEGORIES), children=chosen))


def _damage_token(token: Token, random: Random) -> None:
    match random.choice(["tag", "function", "nothing", "nothing"]):
        case "tag":
            token.tag = random.choice(["NN", "VB", ",", "$."])
        case "function":
            token.function = random.choice(["", "HD", "SB"])
