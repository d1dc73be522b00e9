"""Relations that words do not show: of null elements, relative clauses, passives and conjuncts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from plcfrs.predicates.graph import BE, EXPLICIT, GET, HAVE, NO_WORD, VERBS, Edge, Graph, How
from plcfrs.predicates.heads import NOMINAL
from plcfrs.trees import Node, Tree
from plcfrs.trees.tree import null_parts, positions

CHAIN = ("VC", "IM")
"""The relations of a verb to the auxiliary or *to* above it."""

_REFERRING = ("*", "*PRO*", "*T*", "*ICH*", "*RNR*")
RELATIVE_TAGS = ("WDT", "WP", "WRB", "IN", "DT")
_SHARED = ("SBJ", "OBJ", "IOBJ", "PRD")


class _Phrase(NamedTuple):
    word: int  # its head
    span: int


def relation_graph(tree: Tree) -> Graph:
    """Return the explicit and understood relations of a tree; both only have words."""
    graph = Graph.of(tree)
    search = _Search(graph)
    search.add_understood()
    _name_extraposed(graph)
    for node, words in reversed(graph.conjuncts.items()):  # mothers first
        search.share(node, words)
    graph.understood += _of_participles(graph)
    for word in verbs_of(graph):
        graph.understood += _object_of_passive(graph, word)
    return graph


def verbs_of(graph: Graph) -> list[int]:
    """Return the verbs that are no auxiliaries, from left to right."""
    clauses = {edge.head for edge in graph.all_edges() if edge.relation in CHAIN}
    mothers = graph.mothers
    return [
        word
        for word, token in enumerate(graph.tree.tokens)
        if token.tag in VERBS
        and word not in clauses
        and graph.structure.kind(mothers[word]) in ("verb", "clause")
    ]


def chain_of(graph: Graph, word: int) -> list[int]:
    """Return a verb and the auxiliaries above it, the nearest first.

    A conjunct shares the auxiliaries of the first one.
    """
    above = {edge.word: edge.head for edge in graph.understood if edge.relation in CHAIN}
    above |= {edge.word: edge.head for edge in graph.edges.values() if edge.relation in CHAIN}
    chain = [word]
    while (head := above.get(chain[-1], NO_WORD)) not in (NO_WORD, *chain):
        chain.append(head)
    return chain


def is_passive(graph: Graph, word: int) -> bool:
    """Return whether a verb is a passive participle, after a form of *be* or *get*, or alone."""
    token = graph.tree.tokens[word]
    _, *auxiliaries = chain_of(graph, word)
    form = graph.tree.tokens[auxiliaries[0]].form.lower() if auxiliaries else ""
    if token.tag not in ("VBN", "VBD") or token.form.lower() in BE or form in HAVE:
        return False
    has_null = any(edge.head == word and edge.how == "passive" for edge in graph.understood)
    return has_null or (token.tag == "VBN" and form in (BE | GET | {""}))


def _name_extraposed(graph: Graph) -> None:
    """Name the clauses that *it* announces as a subject, also if they lack an ``*EXP*``."""
    for part, edge in graph.edges.items():
        if edge.relation == "OBJ" and graph.structure.kind(part) == "clause":
            chain = chain_of(graph, edge.head)
            others = [e for e in graph.edges.values() if e.head in chain and e is not edge]
            subjects = [e for e in others if e.relation == "SBJ"]
            is_it = any(graph.tree.tokens[e.word].form.lower() == "it" for e in subjects)
            if is_it and any(e.relation in ("OBJ", "PRD") for e in others):
                graph.edges[part] = replace(edge, relation="EXTR")


def _of_participles(graph: Graph) -> list[Edge]:
    """Return the subjects of VPs below verbs that are no auxiliaries: *stopped singing*."""
    return [
        replace(subject, head=edge.word, how="controlled")
        for part, edge in graph.edges.items()
        if isinstance(part, Node) and part.category == "VP" and edge.relation == "OPRD"
        for subject in graph.all_edges()
        if subject.relation == "SBJ" and subject.head in chain_of(graph, edge.head)
    ]


def _object_of_passive(graph: Graph, word: int) -> list[Edge]:
    """Return the relation of the subject of a passive as its object, if no null element has it."""
    if not is_passive(graph, word):
        return []
    chain = set(chain_of(graph, word))
    edges = [edge for edge in graph.all_edges() if edge.head in chain]
    subject = next((edge for edge in edges if edge.relation == "SBJ"), None)
    if not subject or any(edge.how == "passive" or edge.relation == "EXTR" for edge in edges):
        return []
    objects = [edge.word for edge in edges if edge.relation == "OBJ"]
    relation = "IOBJ" if objects else "OBJ"
    named = replace(subject, head=word, relation=relation, how="passive")
    return [] if subject.word in objects else [named]


class _Search:
    """Finds what is understood in a sentence."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._mothers = graph.mothers

    def add_understood(self) -> None:
        """Add the relations that stand for null elements, and take these out of the others."""
        graph = self._graph
        found = list(graph.understood)
        for part, edge in list(graph.edges.items()):
            if not edge.span:
                found += self._of_null(edge)
                del graph.edges[part]
            elif isinstance(part, Node) and (host := self._host(part)):
                found.append(replace(edge, word=host.word, span=host.span, how="relativized"))
        for node in graph.tree.nodes():
            mother = self._mothers.get(node)
            if mother and node.category in ("VP", "RRC") and mother.category in NOMINAL:
                found += self._of_reduced_relative(node, mother)
        graph.understood = [edge for edge in found if edge.head != edge.word]

    def _of_null(self, edge: Edge) -> Iterator[Edge]:
        """Yield the relation of what a null element stands for, if that is known."""
        type_ = null_parts(self._graph.tree.tokens[edge.word].form)[0]
        phrase, is_relative = self._resolved(edge.word)
        if phrase is None or type_ not in _REFERRING:
            return
        how: How = "relativized"
        if not is_relative and type_ not in ("*", "*PRO*"):
            how = "shared"
        elif not is_relative:
            how = "controlled" if edge.relation == "SBJ" else "passive"
        yield replace(edge, word=phrase.word, span=phrase.span, how=how)

    def _resolved(self, null: int) -> tuple[_Phrase | None, bool]:
        """Return the words for which a null element stands, and if they have a relative clause."""
        graph, seen = self._graph, set[int]()
        while null not in seen and graph.tree.tokens[null].is_null:
            seen.add(null)
            antecedent = graph.antecedents.get(null)
            if antecedent is None:
                break
            if host := self._host(antecedent):
                return host, True
            if span := graph.structure.span(antecedent):
                return _Phrase(graph.words[antecedent], span), False
            null = graph.words[antecedent]
        return None, False

    def _host(self, phrase: Node) -> _Phrase | None:
        """Return what a relative clause modifies, if a phrase is its pronoun, even an empty one."""
        graph = self._graph
        words = positions(graph.structure.span(phrase))
        tags = {graph.tree.tokens[word].tag for word in words}
        if not phrase.category.startswith("WH") or len(words) > 1 or not tags <= {*RELATIVE_TAGS}:
            return None
        below, above = phrase, graph.clauses[phrase]
        while above.category not in NOMINAL and above in self._mothers:
            below, above = above, self._mothers[above]
            if below.category == "SBAR" and above.category not in ("SBAR", *NOMINAL):
                return None
        is_host = below.category == "SBAR" and above.category in NOMINAL
        return self._without(above, below) if is_host else None

    def _without(self, node: Node, part: Node) -> _Phrase | None:
        """Return a noun phrase without one of its modifiers."""
        graph = self._graph
        span = graph.structure.span(node) & ~graph.structure.span(part)
        return _Phrase(graph.words[node], span) if span >> graph.words[node] & 1 else None

    def _of_reduced_relative(self, clause: Node, mother: Node) -> Iterator[Edge]:
        """Yield the subject of a participle that modifies a noun."""
        phrase = self._without(mother, clause)
        if phrase and self._graph.token(clause).tag in VERBS:
            word = self._graph.words[clause]
            yield Edge(word, phrase.word, "SBJ", phrase.span, mother, "relativized")

    def share(self, node: Node, words: list[int]) -> None:
        """Give conjuncts the relation of the first one, and its subject and objects."""
        graph = self._graph
        first, *others = words
        above: set[Node] = {node}
        while node in self._mothers:
            node = self._mothers[node]
            above.add(node)
        edges = [edge for edge in graph.all_edges() if edge.mother in above]
        for word in others:
            is_verb = graph.tree.tokens[word].tag in (*VERBS, "TO")
            own = {edge.relation for edge in graph.all_edges() if edge.head == word}
            for edge in edges:
                how = "shared" if edge.how == EXPLICIT else edge.how
                chained = edge.relation in ("COORD", "CONJ", "ROOT")
                if edge.word == first and not chained:
                    graph.understood.append(replace(edge, word=word, how=how))
                elif is_verb and edge.head == first and edge.relation in {*_SHARED} - own:
                    graph.understood.append(replace(edge, head=word, how=how))
