"""Substates by enumeration: every way to assign them to the nodes of a tree.

Petrov et al. (2006) for the trees of a treebank, Petrov and Klein (2007) and Petrov (2010) for the
derivations of a sentence; no dynamic programming, no scaling.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, pairwise, product
from math import exp, fsum, log, prod
from typing import NamedTuple

from naive.parser import Candidates
from naive.sums import items_of
from plcfrs.grammar import Derivation, Nonterminal, Rule
from plcfrs.parsers.refined.grammar import RefinedGrammar
from plcfrs.parsers.refined.kernel import Refinement

Pair = tuple[Nonterminal, str]  # a tag and the class of its word
What = Rule | Pair
States = tuple[int, ...]
Edge = tuple[What, tuple[int, ...]]  # with the spans of the mother and the children


class Model(NamedTuple):
    """One refinement: the number of states of each symbol, and their probabilities."""

    states: dict[Nonterminal, int]
    probability: dict[What, dict[States, float]]


class Event(NamedTuple):
    """A rule, or a tag with its word, at some nodes of a tree: the mother, then the children."""

    what: What
    nodes: tuple[int, ...]


def model_of(refined: RefinedGrammar, number: int = 0) -> Model:
    """Return a refinement of a grammar as tables."""
    return tables_of(refined, refined.refinements[number])


def tables_of(refined: RefinedGrammar, refinement: Refinement) -> Model:
    """Return the numbers of a refinement as tables; missing entries are 0."""
    symbols = refined.grammar.nonterminals()
    states = dict(zip(symbols, map(int, refinement.states), strict=True))
    found = {what: zeros(states, what) for what in (*refined.grammar.rules, *refined.pairs)}
    places = pairwise(refinement.rule_start)
    for what, (first, end) in zip(refined.grammar.rules, places, strict=True):
        for entry in range(first, end):
            columns = (refinement.state, refinement.left, refinement.right)[: what.rank + 1]
            chosen = tuple(int(column[entry]) for column in columns)
            found[what][chosen] += float(refinement.probability[entry])
    places = pairwise(refinement.pair_start)
    for what, (first, end) in zip(refined.pairs, places, strict=True):
        numbers = refinement.pair_probability[first:end].tolist()
        found[what] = {(state,): number for state, number in enumerate(numbers)}
    return Model(states, found)


def zeros(states: Mapping[Nonterminal, int], what: What) -> dict[States, float]:
    """Return the number 0 for each combination of states."""
    combinations = product(*(range(states[symbol]) for symbol in symbols_of(what)))
    return dict.fromkeys(combinations, 0.0)


def symbols_of(what: What) -> tuple[Nonterminal, ...]:
    """Return the symbols that have states: the mother, then the children."""
    return (what.lhs, *what.rhs) if isinstance(what, Rule) else (what[0],)


def totals(model: Model) -> dict[tuple[Nonterminal, int], float]:
    """Return the sum of the probabilities of all rules and words of a symbol in a state."""
    sums = defaultdict(float)
    for what, probabilities in model.probability.items():
        for states, probability in probabilities.items():
            sums[symbols_of(what)[0], states[0]] += probability
    return dict(sums)


def events_of(derivation: Derivation, classes: Sequence[str]) -> list[Event]:
    """Return the events of a tree; the classes are those of its words, in their order."""
    leaf_class = {leaf: classes[word] for word, leaf in enumerate(derivation.order())}
    leaves, nodes = count(), count()
    events = []

    def add(part: Derivation, children: list[int]) -> int:
        node = next(nodes)
        what = part.rule if children else (part.nonterminal, leaf_class[next(leaves)])
        events.append(Event(what, (node, *children)))
        return node

    derivation.fold(add)
    return events


def symbols_at(events: Iterable[Event]) -> dict[int, Nonterminal]:
    """Return the symbol of each node."""
    return {
        node: symbol
        for what, nodes in events
        for symbol, node in zip(symbols_of(what), nodes, strict=True)
    }


def assignments(model: Model, events: Sequence[Event]) -> Iterator[tuple[dict[int, int], float]]:
    """Yield every assignment of states to nodes, with the joint probability of tree and states."""
    symbols = symbols_at(events)
    for states in product(*(range(model.states[symbol]) for symbol in symbols.values())):
        at = dict(zip(symbols, states, strict=True))
        yield at, prod(model.probability[what][chosen(at, nodes)] for what, nodes in events)


def chosen(at: Mapping[int, int], nodes: tuple[int, ...]) -> States:
    return tuple(at[node] for node in nodes)


def number_of_assignments(model: Model, events: Sequence[Event]) -> int:
    return prod(model.states[symbol] for symbol in symbols_at(events).values())


def likelihood(model: Model, events: Sequence[Event]) -> float:
    """Return the probability of a tree, summed over its states."""
    return fsum(probability for _, probability in assignments(model, events))


def expected_counts(model: Model, trees: Iterable[Sequence[Event]]) -> dict[What, dict]:
    """Return how often each event is expected in each combination of states."""
    terms = {what: {states: [0.0] for states in p} for what, p in model.probability.items()}
    for events in trees:
        whole = likelihood(model, events)
        for at, probability in assignments(model, events):
            for what, nodes in events:
                terms[what][chosen(at, nodes)].append(probability / whole)
    return {what: {states: fsum(t) for states, t in of.items()} for what, of in terms.items()}


def state_counts(counts: Mapping[What, dict]) -> dict[tuple[Nonterminal, int], float]:
    """Return how often each symbol is expected in each state."""
    sums = defaultdict(float)
    for what, of_states in counts.items():
        for states, expected in of_states.items():
            sums[symbols_of(what)[0], states[0]] += expected
    return dict(sums)


def maximize(model: Model, counts: Mapping[What, dict]) -> Model:
    """Return the relative frequencies: a step of EM. All states must have been expected."""
    sums = state_counts(counts)
    return model._replace(
        probability={
            what: {s: expected / sums[symbols_of(what)[0], s[0]] for s, expected in of.items()}
            for what, of in counts.items()
        }
    )


def merge_loss(
    model: Model, trees: Sequence[Sequence[Event]], symbol: Nonterminal, one: int, other: int
) -> float:
    """Return how much log likelihood is lost by merging two states, at one node at a time.

    Petrov et al. (2006), section 2.3: inside the two have the mean of their probabilities by their
    relative frequencies, outside the sum; the losses at all nodes are added up.
    """
    found = state_counts(expected_counts(model, trees))
    both = found[symbol, one] + found[symbol, other]
    share = {state: found[symbol, state] / both for state in (one, other)}
    losses = []
    for events in trees:
        whole = likelihood(model, events)
        for node, at_node in symbols_at(events).items():
            if at_node == symbol:
                losses.append(log(whole) - log(merged_likelihood(model, events, node, share)))
    return fsum(losses)


def merged_likelihood(
    model: Model, events: Sequence[Event], node: int, share: Mapping[int, float]
) -> float:
    """Return the probability of a tree in which the states that have a share are merged at a node.

    The node is cut in two: the tree above it sees one state, the tree below it another.
    """
    above = -1
    cut = [
        Event(what, (nodes[0], *(above if child == node else child for child in nodes[1:])))
        for what, nodes in events
    ]

    def weight(at: Mapping[int, int]) -> float:
        if at[above] in share and at[node] in share:
            return share[at[node]]
        return float(at[above] == at[node])

    return fsum(weight(at) * probability for at, probability in assignments(model, cut))


class Sums(NamedTuple):
    """Sums over all derivations of a sentence and all states of their nodes.

    The posterior of an edge is the probability that a derivation has it, with any states.
    """

    probability: float
    best: float
    posteriors: dict[Edge, float]


def of_tokens(
    model: Model, refined: RefinedGrammar, words: Sequence[str], tags: Candidates
) -> Model:
    """Return the model with a separate class of words for each token of a sentence.

    Its probability is that of the tag as it is given, times that of the class of the word with
    the state, relative to that of the class with the tag.
    """
    totals: dict[Nonterminal, float] = defaultdict(float)
    for (symbol, _), number in refined.pairs.items():
        totals[symbol] += number
    tokens = {}
    for position, word_class in enumerate(refined.classes.of_sentence(words)):
        for symbol, cost in tags[position].items():
            pair = symbol, word_class
            if pair not in refined.pairs:
                continue  # a tag that the grammar does not have
            tokens[symbol, str(position)] = {
                states: exp(-cost) * probability / (refined.pairs[pair] / totals[symbol])
                for states, probability in model.probability[pair].items()
            }
    return model._replace(probability={**model.probability, **tokens})


def sums_of(model: Model, derivations: Iterable[Derivation], classes: Sequence[str]) -> Sums:
    """Add up over the derivations of a sentence whose words have the classes."""
    terms, whole, best = defaultdict(list), [], 0.0
    for derivation in derivations:
        edges = edges_of(derivation, classes)
        for _, probability in assignments(model, events_of(derivation, classes)):
            best = max(best, probability)
            whole.append(probability)
            for edge in edges:
                terms[edge].append(probability)
    total = fsum(whole)
    posteriors = {edge: fsum(found) / (total or 1.0) for edge, found in terms.items()}
    return Sums(total, best, posteriors)


def edges_of(derivation: Derivation, classes: Sequence[str]) -> list[Edge]:
    """Return the rules of a derivation, and its tags with their words, with the spans."""
    spans = [span for _, span in items_of(derivation)]
    return [
        (what, tuple(spans[node] for node in nodes))
        for what, nodes in events_of(derivation, classes)
    ]


def product_of(several: Sequence[Sums]) -> dict[Edge, float]:
    """Return the geometric mean of the posteriors of several refinements (Petrov 2010)."""
    return {
        edge: prod(sums.posteriors[edge] ** (1 / len(several)) for sums in several)
        for edge in several[0].posteriors
    }


def rule_product(derivation: Derivation, of: Mapping[Edge, float]) -> float:
    """Return the value that max-rule-product maximizes (Petrov and Klein 2007)."""
    return prod(of[edge] for edge in rules_of(derivation))


def rule_sum(derivation: Derivation, of: Mapping[Edge, float]) -> float:
    """Return the value that max-rule-sum maximizes (Petrov and Klein 2007)."""
    return fsum(of[edge] for edge in rules_of(derivation))


def rules_of(derivation: Derivation) -> list[Edge]:
    """Return the rules of a derivation with the spans, without the words."""
    words = [""] * len(derivation.order())
    return [edge for edge in edges_of(derivation, words) if isinstance(edge[0], Rule)]
