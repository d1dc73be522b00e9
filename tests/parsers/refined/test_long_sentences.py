"""Numbers far below the range of floats: against decimal numbers of 50 digits."""

from decimal import Decimal, localcontext
from random import Random

import pytest
from naive.latent import Model, Pair, What, model_of, of_tokens, rules_of
from naive.refinements import WORDS, random_tables, refinement_of, with_words
from searching import searched

from plcfrs.budget import UNLIMITED
from plcfrs.chart import ChartParser
from plcfrs.grammar import Grammar, Nonterminal, Rule, tag
from plcfrs.parsers.refined.grammar import RefinedLexicon
from plcfrs.parsers.refined.model import RefinedForest, RefinedModel

pytestmark = pytest.mark.full

S, X = Nonterminal("S"), Nonterminal("X")
A, B, C = map(tag, "abc")
TOP = Rule(S, (X,), ((0,),))
LONGER = {word: Rule(X, (word, X), ((0, 1),)) for word in (A, B, C)}
LAST = {word: Rule(X, (word,), ((0,),)) for word in (A, B)}
# Of 10,000,000 derivations of X, one has no C.
COUNTS = {TOP: 1, LONGER[C]: 1e7, **dict.fromkeys([LONGER[A], LONGER[B], *LAST.values()], 0.25)}


@pytest.fixture(params=[2, 70, pytest.param(150, marks=pytest.mark.full)])
def words(request):
    return [WORDS[(place * place) % 3] for place in range(request.param)]


@pytest.fixture
def refined():
    """A chain of tokens each of which is an A or a B; three substates of X, two of the tags."""
    random = Random(1)
    refined = with_words(Grammar(dict(COUNTS), start=S), random)
    states = dict.fromkeys(refined.symbols, 2) | {S: 1, X: 3}
    tables = random_tables([*COUNTS, *refined.pairs], states, 0.0, random)
    for what, table in tables.items():
        if isinstance(what, Rule) and what not in (TOP, LONGER[C]):
            tables[what] = {states: number * 1e-5 for states, number in table.items()}
    refined.refinements = (refinement_of(Model(states, tables), refined),)
    return refined


def total(model: Model, tags: list[set[Nonterminal]], combine=sum) -> Decimal:
    """Add up, or take the best, of all derivations whose tokens have some of the given tags."""
    with localcontext() as context:
        context.prec = 50
        below = {}
        for position in reversed(range(len(tags))):
            terms: dict[int, list[Decimal]] = {state: [] for state in range(model.states[X])}
            for symbol in tags[position]:
                of_word = decimals(model, (symbol, str(position)))
                if position == len(tags) - 1:
                    for (state, tagged), number in decimals(model, LAST[symbol]).items():
                        terms[state].append(number * of_word[tagged,])
                else:
                    for (state, tagged, rest), number in decimals(model, LONGER[symbol]).items():
                        terms[state].append(number * of_word[tagged,] * below[rest])
            below = {state: combine(found) for state, found in terms.items()}
        return combine(number * below[state] for (_, state), number in decimals(model, TOP).items())


def decimals(model: Model, what: What | Pair) -> dict:
    return {states: Decimal(number) for states, number in model.probability[what].items()}


def cost_of(probability: Decimal) -> float:
    return -float(probability.ln())


def close(expected):
    return pytest.approx(expected, rel=1e-9)


def tag_at(edge, position: int) -> Nonterminal | None:
    """Return the tag of a token if the edge of a rule has it as a child."""
    rule, spans = edge
    return rule.rhs[0] if rule != TOP and spans[1] == 1 << position else None


def test_no_underflow(refined, words, monkeypatch):
    monkeypatch.setattr(RefinedModel, "log_ratios", (500.0,))
    tags = [{A: 0.0, B: 0.5}] * len(words)
    model = of_tokens(model_of(refined), refined, words, tags)
    free = [{A, B} for _ in words]
    whole = total(model, free)
    assert cost_of(whole) > 10 * len(words)
    forest = ChartParser(refined.grammar, budget=UNLIMITED).parse_with_forest(tags, 500.0)[1]
    pairs = RefinedLexicon(refined).pairs(words)
    found = RefinedForest(forest, pairs, refined.unrefined()).sums(refined.refinements[0])
    assert found.log_probability == close(-cost_of(whole))
    assert found.posterior[-2:] == close([1, 1])
    assert searched(refined, words, tags, "mpd").cost == close(cost_of(total(model, free, max)))
    for objective in ("max-rule-product", "max-rule-sum"):
        result = searched(refined, words, tags, objective)
        edges = rules_of(result.derivation)
        chosen = [
            next(filter(None, (tag_at(edge, n) for edge in edges))) for n in range(len(words))
        ]
        assert result.cost == close(cost_of(total(model, [{symbol} for symbol in chosen])))
        for place in {0, len(words) // 2, len(words) - 1}:
            fixed = [{chosen[place]} if n == place else both for n, both in enumerate(free)]
            assert float(total(model, fixed) / whole) >= 0.5 - 1e-9
