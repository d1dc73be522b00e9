"""Binary trees for tests: random ones, those of the treebanks, and the examples of the papers."""

from hypothesis import strategies as st
from strategies import trees

from plcfrs.parsers.transition.settings import find_system
from plcfrs.parsers.transition.system import prepare
from plcfrs.trees import Node, Token, Tree

ORDERS = ("left", "right", "rightd", "dist2", "dist4", "dist8", "label")
SYSTEMS = [
    find_system("gap"),
    find_system("cgap"),
    *(find_system(name, order) for name in ("swap", "skipshift") for order in ORDERS),
]


def system_name(system):
    return f"{type(system).__name__}-{getattr(system, 'order', '')}".rstrip("-")


@st.composite
def headed_trees(draw, max_tokens=10):
    """Random trees with random heads, without function tags."""
    tree = draw(trees(max_tokens))
    for node in tree.nodes():
        node.functions = ()
        node.head = draw(st.integers(0, len(node.children) - 1))
    return tree


def prepared_trees(max_tokens=10, order="head-outward-right"):
    """Random binary trees; with this order, all systems can build them."""
    return headed_trees(max_tokens).map(lambda tree: prepare(tree, order))


def simplified(tree):
    """Return a tree without the parts that transition systems do not build."""
    tree.secondary_edges = []
    for node in tree.nodes():
        node.functions, node.index, node.gap_index = (), None, None
    return tree


def heads(tree):
    return [node.head for node in tree.nodes()]


def sentence(words):
    return [Token(word, "XY") for word in words.split()]


def reflection():
    """Figure 1 of Maier and Lichte (2016)."""
    thought = Node("VP", children=[0, 2], head=1)
    be_thought = Node("VP", children=[thought, 3], head=1)
    clause = Node("S", children=[be_thought, 1], head=1)
    root = Node("ROOT", children=[clause], head=0)
    return Tree(root, sentence("Darüber muss nachgedacht werden"))


def leeway():
    """Figure 1 of Coavoux and Crabbé (2017)."""
    leeway = Node("NP", children=[3, 4], head=1)
    subject = Node("NP", children=[0, leeway], head=1)
    clause = Node("S", children=[subject, 1, 2], head=1)
    root = Node("ROOT", children=[clause], head=0)
    return Tree(root, sentence("Es bestünde somit hinreichender Spielraum"))


def nested(*tokens):
    """Return the tree (((a b) c) d) of a permutation of tokens."""
    node = tokens[0]
    for number, token in enumerate(tokens[1:], start=2):
        category = "ROOT" if number == len(tokens) else "X"
        node = Node(category, children=[node, token], head=0)
    tree = Tree(node, sentence("a " * len(tokens)))
    tree.sort_children()
    return tree
