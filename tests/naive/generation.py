"""All trees of a symbol with so many words, by trying every rule and every way to share the words.

A symbol is not repeated over the same words, as in `plcfrs.grammar.enumeration`.
"""

from collections.abc import Iterator
from itertools import product

from plcfrs.grammar import Derivation, Grammar, Nonterminal
from plcfrs.grammar.rules import apply

Words = tuple[tuple[str, ...], ...]


def trees(grammar: Grammar, length: int) -> list[tuple[str, Derivation, float]]:
    """Return the sentences with their derivations and their probabilities."""
    found = derived(grammar, grammar.start, length, ())
    return [(" ".join(words), derivation, p) for (words,), derivation, p in found]


def derived(
    grammar: Grammar, symbol: Nonterminal, length: int, above: tuple[Nonterminal, ...]
) -> Iterator[tuple[Words, Derivation, float]]:
    rules = {rule: p for rule, p in grammar.probabilities().items() if rule.lhs == symbol}
    if not any(rule.lhs == symbol for rule in grammar.rules):
        yield from words_of(grammar, symbol) if length == 1 else ()
    for rule, probability in rules.items():
        if symbol in above:
            continue
        same_words = (*above, symbol) if rule.rank == 1 else ()
        for lengths in product(range(1, length + 1), repeat=rule.rank):
            if sum(lengths) != length:
                continue
            ways = (
                list(derived(grammar, child, part, same_words))
                for child, part in zip(rule.rhs, lengths, strict=True)
            )
            for children in product(*ways):
                parts = apply(rule.yield_function, [words for words, _, _ in children])
                p = probability
                for _, _, q in children:
                    p *= q
                below = tuple(derivation for _, derivation, _ in children)
                words = tuple(map(tuple, parts))
                yield words, Derivation(symbol, rule.yield_function, below), p


def words_of(grammar: Grammar, tag: Nonterminal) -> Iterator[tuple[Words, Derivation, float]]:
    lexicon = grammar.lexicon.probabilities()
    if not lexicon:
        yield ((str(tag),),), Derivation(tag), 1.0
    for word, tags in lexicon.items():
        if tag in tags:
            yield ((word,),), Derivation(tag), tags[tag]
