"""Dependencies of Penn trees with functions and traces, after Johansson and Nugues (2007).

The finite auxiliary is the head of a clause, and *to* that of an infinitive; prepositions and
complementizers are heads, too. The first conjunct is the head of a coordination; each other one
depends on the conjunct before it, or on the conjunction between them. A moved phrase depends on the
word that governs its trace, so that branches may cross.

Null elements are words of the graph, but never heads of other words. The relations of words alone
are a tree; those of null elements say what is understood.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from plcfrs.errors import TreebankError
from plcfrs.predicates.heads import CLAUSES, NOMINAL, Conjunct, Part, Structure
from plcfrs.transformation import reattach_traces
from plcfrs.transformation.traces import find_traces
from plcfrs.trees import Node, Token, Tree, restore_traces
from plcfrs.trees.antecedents import antecedents
from plcfrs.trees.tree import TRACE_TYPES

NO_WORD = -1
"""The head of the head of a sentence."""

How = Literal["explicit", "controlled", "relativized", "passive", "shared", "gapped"]
"""How an argument is known: explicit in its clause, or why it is understood."""

EXPLICIT: How = "explicit"
_EXTRAPOSED, _EXTRAPOSITION = "*EXP*", "EXTR"
_MOVING = tuple(type_ for type_ in TRACE_TYPES if type_ != _EXTRAPOSED)
_SYNTACTIC = ("SBJ", "LGS", "PRD", "DTV", "PUT", "BNF", "VOC")
_ADVERBIAL = ("TMP", "LOC", "MNR", "DIR", "EXT", "PRP", "ADV")
_FUNCTIONS = _SYNTACTIC + _ADVERBIAL
"""The functions that are relations; the first of several counts."""

_NO_RELATIONS = ("CLF", "CLR", "HLN", "IMP", "NOM", "SEZ", "TPC", "TTL", "UNF", _EXTRAPOSITION)

BE = frozenset(["am", "are", "be", "been", "being", "is", "was", "were", "'m", "'re", "'s", "ai"])
GET = frozenset(["get", "gets", "getting", "got", "gotten"])
HAVE = frozenset(["'d", "'ve", "had", "has", "have", "having"])
_AUXILIARIES = BE | GET | HAVE | {"did", "do", "does", "doing", "done"}
_COMPLEMENTIZERS = ("that", "whether", "if", "for")
VERBS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD")


@dataclass(frozen=True)
class Edge:
    """A relation of a word to its head; both are positions in the tree with null elements.

    Parameters
    ----------
    head, word : int
    relation : str
    span : int
        The words of the dependent phrase.
    mother : Node
        The node at which the phrase is attached.
    how : str
    """

    head: int
    word: int
    relation: str
    span: int
    mother: Node
    how: How = EXPLICIT


@dataclass
class Graph:
    """The relations of a sentence.

    Parameters
    ----------
    tree : Tree
        With null elements, and with moved phrases where their traces were.
    edges : dict of Node or int to Edge
        The edges of the parts of the tree that are not heads.
    conjuncts : dict of Node to list of int
        The words that head the conjuncts of coordinated nodes.
    gaps : dict of Node to dict
        For each conjunct without its verb, the edges of its remnants by their counterparts.
    """

    tree: Tree
    structure: Structure
    clauses: dict[Node, Node]  # of wh-phrases, where they stood
    antecedents: dict[int, Node]  # by the positions of null elements
    edges: dict[Part, Edge] = field(default_factory=dict)
    understood: list[Edge] = field(default_factory=list)
    words: dict[Node, int] = field(default_factory=dict)  # the lexical heads
    conjuncts: dict[Node, list[int]] = field(default_factory=dict)
    gaps: dict[Node, dict[Node, Edge]] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: Tree) -> Graph:
        """Return the explicit relations of a tree, and those of its null elements.

        Raises
        ------
        TreebankError
            If the tree has no functions.
        """
        work = tree.copy() if tree.annotation is None else restore_traces(tree)
        check_functions(work)
        parents = work.parents()
        clauses = {node: parents[node] for node in parents if node.category.startswith("WH")}
        phrases = antecedents(work)
        _reattach(work, phrases)
        graph = cls(work, Structure(work), clauses, phrases)
        if not work.tokens:
            return graph
        for node in work.bottom_up():
            _attach_children(graph, node)
        word, span = graph.words[work.root], graph.structure.span(work.root)
        graph.edges[work.root] = Edge(NO_WORD, word, "ROOT", span, work.root)
        return graph

    @cached_property
    def mothers(self) -> dict[Part, Node]:
        """The mother of every word and node."""
        return self.tree.mothers()

    def all_edges(self) -> list[Edge]:
        """Return the explicit and the understood edges."""
        return [*self.edges.values(), *self.understood]

    def word(self, part: Part) -> int:
        """Return the lexical head of a part."""
        return self.words[part] if isinstance(part, Node) else part

    def token(self, part: Part) -> Token:
        """Return the token of the lexical head of a part."""
        return self.tree.tokens[self.word(part)]


def _reattach(tree: Tree, phrases: dict[int, Node]) -> None:
    """Move phrases to their traces, where they get the functions of their placeholders."""
    traces = find_traces(tree)
    reattach_traces.in_place(tree, _MOVING)  # children stay in the order of the traces
    remaining = set(tree.nodes())
    fillers: dict[Node, Node] = {}
    for trace in traces:
        filler = phrases.get(trace.position)
        if filler and trace.type == _EXTRAPOSED:
            filler.functions = (_EXTRAPOSITION,)
        elif filler and trace.placeholder not in remaining:
            filler.functions = (*trace.placeholder.functions, *filler.functions)
            fillers[trace.placeholder] = filler
    for null, phrase in list(phrases.items()):  # a placeholder may be an antecedent, too
        phrases[null] = fillers.get(phrase, phrase)
        if not phrases[null].children:  # they have moved
            del phrases[null]


def check_functions(tree: Tree) -> None:
    """Raise a TreebankError if a tree has a clause without functions, or functions of others."""
    nodes = tree.nodes()
    functions = {function for node in nodes for function in node.functions}
    if functions and functions.isdisjoint(_FUNCTIONS + _NO_RELATIONS):
        raise TreebankError(
            f"the function {min(functions)} is not one of the Penn Treebank", sentence=tree.id
        )
    has_clause = any(
        node.category == "S" and {"NP", "VP"} <= {child.category for child in node.nodes}
        for node in nodes
    )
    if has_clause and not functions and not any(token.is_null for token in tree.tokens):
        raise TreebankError(
            "the tree has no functions: add them with plcfrs complete", sentence=tree.id
        )


def _attach_children(graph: Graph, node: Node) -> None:
    """Choose the head of a node, and add the edges of its other children."""
    structure = graph.structure
    conjuncts = structure.conjuncts(node)
    head = conjuncts[0].head if conjuncts else structure.head(node.category, node.children)
    graph.words[node] = word = graph.word(head)
    governors = _coordinate(graph, node, conjuncts)
    for place, child in enumerate(node.children):
        if child is not head and child not in graph.edges and child not in graph.gaps:
            governor = governors.get(child, head)
            relation = _relation(graph, node, place, governor)
            _add(graph, node, child, graph.word(governor), relation)
            if relation == "OPRD":
                _raise_subject(graph, node, child, word)


def _add(graph: Graph, mother: Node, child: Part, head: int, relation: str) -> None:
    span = graph.structure.span(child)
    graph.edges[child] = Edge(head, graph.word(child), relation, span, mother)


def _coordinate(graph: Graph, node: Node, conjuncts: list[Conjunct]) -> dict[Part, Part]:
    """Add the edges of conjuncts, and return the heads of their modifiers."""
    governors: dict[Part, Part] = {}
    last = conjuncts[0].head if conjuncts else NO_WORD
    first = last
    words = []
    for conjunct in conjuncts:
        head, connector = conjunct.head, conjunct.connector
        # After verbs that are conjuncts without own objects, objects belong to all of them.
        are_shared = isinstance(head, int) and isinstance(first, int) and not conjuncts[0].others
        is_verb = graph.structure.kind(head) == "verb"
        governors |= dict.fromkeys(conjunct.others, first if are_shared and is_verb else head)
        if head is not first:
            governor = graph.word(last)
            if connector is not None:
                _add(graph, node, connector, governor, "COORD")
                governor = graph.word(connector)
            if isinstance(head, Node) and _add_gap(graph, node, last, head, governor):
                continue
            _add(graph, node, head, governor, "COORD" if connector is None else "CONJ")
        last = head
        words.append(graph.word(head))
    if words:
        graph.conjuncts[node] = words
    return governors


def _add_gap(graph: Graph, mother: Node, full: Part, conjunct: Node, governor: int) -> bool:
    """Attach the remnants of a conjunct without a verb, if it is one."""
    counterparts = {
        part.index: part
        for part, edge in graph.edges.items()
        if isinstance(part, Node) and edge.span
    }
    pairs = {
        counterparts[child.gap_index]: child
        for child in conjunct.nodes
        if child.gap_index is not None and child.gap_index in counterparts
    } or _likely_counterparts(graph, full, conjunct)
    if not pairs:
        return False
    gap = graph.gaps[conjunct] = {}
    for child in conjunct.children:
        _add(graph, mother, child, governor, "P" if graph.structure.is_mark(child) else "DEP")
    for counterpart, remnant in pairs.items():
        relation = graph.edges[counterpart].relation
        edge = replace(graph.edges[remnant], relation=f"GAP-{relation}")
        graph.edges[remnant] = gap[counterpart] = edge
    return True


def _likely_counterparts(graph: Graph, full: Part, conjunct: Node) -> dict[Node, Node]:
    """Return the remnants of a clause without a verb by their counterparts in the one before it."""
    remnants = [child for child in conjunct.nodes if graph.structure.span(child)]
    has_verb = any(graph.structure.kind(child) == "verb" for child in conjunct.children)
    if has_verb or conjunct.category != "S" or not isinstance(full, Node) or len(remnants) < 2:
        return {}
    pairs: dict[Node, Node] = {}
    for remnant in remnants:
        for part in full.preorder():
            is_free = part in graph.edges and part not in pairs and graph.structure.span(part)
            if is_free and part.category == remnant.category:
                pairs[part] = remnant
                break
    return pairs if len(pairs) == len(remnants) else {}


def _raise_subject(graph: Graph, mother: Node, clause: Part, verb: int) -> None:
    """Make the subject of a small clause or an infinitive the object of the verb above."""
    for child in clause.nodes if isinstance(clause, Node) else ():
        own = graph.edges.get(child)
        if own and own.span and own.relation == "SBJ":
            graph.understood.append(replace(own, how="controlled"))
            graph.edges[child] = replace(own, head=verb, relation="OBJ", mother=mother)
            whole = graph.edges[clause]
            graph.edges[clause] = replace(whole, span=whole.span & ~own.span)


def _relation(graph: Graph, node: Node, place: int, head: Part) -> str:
    """Return the relation of a child to the head of its mother."""
    child = node.children[place]
    if graph.structure.is_mark(child):
        return "P"
    functions = child.functions if isinstance(child, Node) else ()
    name = graph.structure.name(child).removeprefix("WH")
    if _EXTRAPOSITION in functions:
        return _EXTRAPOSITION
    if name == "PP" and isinstance(child, Node):  # by: the function is that of the noun phrase
        functions = (
            *functions,
            *(f for below in child.nodes for f in below.functions if f == "LGS"),
        )
    elif "LGS" in functions:
        functions = ()
    for function in _FUNCTIONS:
        if function in functions:
            return function
    if name in ("PRN", "PRT"):
        return name
    if name in ("INTJ", "UH", "CC", "CONJP"):
        return "DEP"
    mother = node.category.removeprefix("WH")
    is_wh = name != graph.structure.name(child)
    if mother == "SBAR" and not is_wh:
        return "SUB" if graph.structure.kind(child) in ("clause", "verb") else "AMOD"
    if mother in ("VP", "SBAR", *CLAUSES):
        return _relation_to_verb(graph, node, place, head, name)
    if mother == "PP":
        is_behind = node.children.index(head) < place and name not in ("ADVP", "RB")
        return "PMOD" if is_behind or is_wh else "AMOD"
    if mother in NOMINAL:
        return _relation_to_noun(graph, node, place, head, name)
    return "AMOD" if mother in ("ADJP", "ADVP", "QP") else "DEP"


def _relation_to_verb(graph: Graph, node: Node, place: int, head: Part, name: str) -> str:
    child = node.children[place]
    verb = graph.token(head)
    match graph.structure.kind(child):
        case "verb" if verb.tag == "TO":
            return "IM"
        case "verb" if verb.tag == "MD" or verb.form.lower() in _AUXILIARIES:
            return "VC"
        case "verb":
            return "OPRD"
        case "clause" if node.category == "VP" and isinstance(child, Node):
            connector = graph.token(child)
            if connector.tag == "IN" and connector.form.lower() not in _COMPLEMENTIZERS:
                return "ADV"
            return "OPRD" if _is_small(graph, child) else "OBJ"
        case "noun" if node.category == "VP" and isinstance(child, Node):
            later = (c for c in node.children[place + 1 :] if _is_object(c))
            return "IOBJ" if next(later, None) is not None else "OBJ"
        case "noun" if isinstance(child, Node) and name == "NP":
            others = [*node.nodes, *(below for other in node.nodes for below in other.nodes)]
            has_subject = any("SBJ" in other.functions for other in others)
            return "OBJ" if has_subject else "SBJ"
    return "ADV"


def _is_object(part: Part) -> bool:
    return (
        isinstance(part, Node)
        and part.category in ("NP", "WHNP")
        and not set(part.functions) & {*_FUNCTIONS}
    )


def _is_small(graph: Graph, clause: Node) -> bool:
    """Whether a clause below a verb is an infinitive, or has a subject and no finite verb."""
    if clause.category != "S":
        return False
    tag = graph.token(clause).tag
    if tag == "VBG":
        return any(
            "SBJ" in child.functions and graph.structure.span(child) for child in clause.nodes
        )
    return tag in ("TO", "VB", "VBN") or tag not in VERBS


def _relation_to_noun(graph: Graph, node: Node, place: int, head: Part, name: str) -> str:
    child, tokens = node.children[place], graph.tree.tokens
    if name == "POS":
        return "SUFFIX"
    if isinstance(child, int):
        names = {tokens[part].tag for part in (child, graph.word(head))}
        return "NAME" if names <= {"NNP", "NNPS"} and child < graph.word(head) else "NMOD"
    before = node.children[place - 1] if place else None
    is_apart = isinstance(before, int) and tokens[before].tag in (",", ":", "-LRB-")
    is_behind = node.children.index(head) < place
    return "APPO" if name in NOMINAL and is_apart and is_behind else "NMOD"
