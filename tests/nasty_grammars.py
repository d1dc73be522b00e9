"""Random grammars with the texts that have broken file formats before."""

from grammar_strategies import grammars
from hypothesis import strategies as st
from nasty import texts

from plcfrs.grammar import Grammar, Kind, Lexicon, Nonterminal, Rule

SIGNATURES = ("lower -", "lower hyphen -ing", "Capital first -", "digit -", "lower -ärts", "sign -")
KINDS: tuple[Kind, ...] = ("category", "category", "intermediate")


def same(one: Grammar, other: Grammar) -> bool:
    """Whether two grammars are equal, also in the order of rules and words."""
    return (
        one == other
        and list(one.rules.items()) == list(other.rules.items())
        and list(one.lexicon.words) == list(other.lexicon.words)
        and list(one.lexicon.signatures) == list(other.lexicon.signatures)
    )


@st.composite
def nasty_grammars(
    draw: st.DrawFn, max_rank: int = 3, touching: bool = True, signatures: bool = False
) -> Grammar:
    """Random grammars with nasty names, some of which are both a tag and a category."""
    grammar = draw(grammars(max_rank=max_rank, touching=touching))
    names = draw(st.lists(texts(), min_size=2, max_size=4))
    renamed: dict[Nonterminal, Nonterminal] = {}
    some_names = st.lists(st.sampled_from(names), max_size=2).map(tuple)
    for symbol in grammar.nonterminals():
        kind = symbol.kind if symbol.kind == "tag" else draw(st.sampled_from(KINDS))
        renamed[symbol] = symbol._replace(
            category=draw(st.sampled_from(names)),
            split=draw(st.sampled_from(["", *names])),
            functions=draw(some_names),
            kind=kind,
            ancestors=draw(some_names),
            siblings=draw(some_names),
        )
    # Two symbols with one name become one; a symbol with rules stays one with rules.
    rules = {
        Rule(renamed[lhs], tuple(renamed[child] for child in rhs), yield_function): weight
        for (lhs, rhs, yield_function), weight in grammar.rules.items()
    }
    weights = draw(st.sampled_from(["counts", "probabilities"]))
    if weights == "probabilities":
        rules = Grammar(rules).probabilities()
    probabilities = st.floats(0, 1, exclude_min=True)
    tags = [renamed[symbol] for symbol in renamed if symbol.kind == "tag"]
    tags.append(Nonterminal(draw(texts()), kind="tag"))
    tagged = st.dictionaries(st.sampled_from(tags), probabilities, min_size=1, max_size=2)
    words = draw(st.dictionaries(texts(), tagged, max_size=5))
    written = st.dictionaries(st.sampled_from(SIGNATURES), tagged, max_size=3 * signatures)
    options = draw(st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=2))
    return Grammar(rules, Lexicon(words, draw(written)), renamed[grammar.start], weights, options)
