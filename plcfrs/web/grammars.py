"""What a model consists of: its rules, and what else `plcfrs inspect` prints.

For a rule there are the sentences from which it is extracted, for two grammars their differences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import PlainTextResponse
from pydantic import AliasPath, BaseModel, BeforeValidator, Field

from plcfrs.errors import InputError
from plcfrs.grammar import Grammar, Recipe, Rule
from plcfrs.grammar.binarization import origins
from plcfrs.grammar.extraction import Use
from plcfrs.grammar.extraction import uses as uses_of
from plcfrs.grammar.report import overview_lines
from plcfrs.grammar.selection import (
    SORT_KEYS,
    Comparison,
    ListedRule,
    RuleQuery,
    SortKey,
    compare,
    dump,
    select_rules,
)
from plcfrs.query.hits import hit_in
from plcfrs.stopping import until_stopped
from plcfrs.transformation import Options, transform
from plcfrs.transformation.presets import options_of
from plcfrs.treebank.compilation import compile_trees
from plcfrs.treebank.compiled import CompiledTrees
from plcfrs.trees import Tree
from plcfrs.web.limits import RefusedError
from plcfrs.web.queries import HitAnswer, describe_hit
from plcfrs.web.requests import PAGE, ModelName, Offset, PageSize, ServerStore, threaded
from plcfrs.web.serializers import Answer, Printed
from plcfrs.web.store import NamedModel, Treebank

Change = Literal["changed", "appeared", "disappeared"]
Length = Annotated[int, BeforeValidator(len)]
_DIVERGENCES = 20  # symbols that are listed

api = APIRouter()


class RuleAnswer(Answer):
    """A rule of a grammar."""

    rule: Printed = Field(
        description="In the notation of grammar files: SQ -> VP_2 MD NP [0 1 2 0]."
    )
    clause: str = Field(
        description="In the notation of the papers: SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)."
    )
    count: float | None = Field(description="Null if the grammar has only probabilities.")
    probability: float
    cost: float = Field(description="-log p (natural logarithm).")
    fan_out: int = Field(validation_alias=AliasPath("rule", "lhs", "fanout"))
    rank: int = Field(validation_alias=AliasPath("rule", "rank"))
    complexity: int = Field(description="Exponent of the sentence length in the parsing time.")
    examples: list[Printed] = Field(description="Sentences, if the grammar keeps them.")


class RulesAnswer(Answer):
    """A page of the rules that were found."""

    total: int
    rules: list[RuleAnswer]


class InspectionAnswer(BaseModel):
    """What a model consists of, besides its rules."""

    lines: list[str] = Field(description="As plcfrs inspect prints them.")
    substates: bool = Field(description="Whether its symbols have substates.")


class UseAnswer(HitAnswer):
    """A constituent of a treebank from which a rule is extracted, with its context."""

    number: int = Field(
        description="Of its tree, from 1, if traces become crossing branches, as for /trees."
    )
    marked: list[int] = Field(
        description="The constituent in that tree, as in data-node; empty if the model had other "
        "trees."
    )


class UsesAnswer(BaseModel):
    """A page of the uses of a rule in a treebank."""

    total: int
    trees: int = Field(description="Number of trees that have them.")
    uses: list[UseAnswer]


class ChangeAnswer(Answer):
    """A rule in two grammars."""

    rule: Printed = Field(description="In the notation of grammar files.")
    clause: str = Field(description="In the notation of the papers.")
    before: float = Field(description="Its probability; 0 in a grammar without it.")
    after: float = Field(description="Its probability; 0 in a grammar without it.")
    change: float = Field(description="The difference of the probabilities.")
    count_before: float | None = Field(description="Null if the grammar has no counts.")
    count_after: float | None = Field(description="Null if the grammar has no counts.")


class DivergenceAnswer(BaseModel):
    """How much the distribution over the rules of a symbol changes."""

    symbol: Printed
    bits: float = Field(description="The Jensen-Shannon divergence, from 0 to 1.")


class ChangesAnswer(Answer):
    """The changes from one grammar to another, and a page of those of a kind."""

    changed: Length = Field(description="Number of rules whose probability changes.")
    appeared: Length
    disappeared: Length
    unchanged: int
    new_symbols: list[Printed]
    lost_symbols: list[Printed]
    new_words: Length = Field(description="Number of words that appear.")
    lost_words: Length = Field(description="Number of words that disappear.")
    divergences: list[DivergenceAnswer] = Field(
        description="Of the left-hand sides that change most."
    )
    changes: list[ChangeAnswer]


@dataclass
class Search:
    """A search for rules, as the parameters of a request."""

    store: ServerStore
    model: ModelName = None
    lhs: Annotated[str, Query(description="The left-hand side: VP_2, or VP*.")] = ""
    rhs: Annotated[str, Query(description="Symbols that must be among the children.")] = ""
    fan_out: Annotated[int | None, Query(ge=1, description="Of the left-hand side.")] = None
    text: Annotated[str, Query(description="A part of the rule as written.")] = ""
    sort: Annotated[str, Query(description=", ".join(SORT_KEYS))] = "count"
    restored: Annotated[
        bool, Query(description="Whether to show rules as they were before binarization.")
    ] = False

    def rules(self) -> tuple[Grammar, list[ListedRule]]:
        """Return the grammar and the rules that are found in it."""
        grammar = self.store.model(self.model).rules(restored=self.restored)
        query = RuleQuery(self.lhs.strip() or None, tuple(self.rhs.split()), self.fan_out)
        if self.sort not in SORT_KEYS:
            raise InputError(f"sort: expected one of {', '.join(SORT_KEYS)}, not {self.sort}")
        found = select_rules(grammar, query, self.sort)
        part = " ".join(self.text.split()).lower()
        if part:
            found = [each for each in found if part in f"{each.rule}\n{each.clause}".lower()]
        return grammar, found


@api.get("/rules")
@threaded
def rules(
    search: Annotated[Search, Depends()], offset: Offset = 0, limit: PageSize = PAGE
) -> RulesAnswer:
    """Search the rules of a grammar."""
    _, found = search.rules()
    page = found[offset : offset + limit]
    return RulesAnswer(total=len(found), rules=list(map(RuleAnswer.model_validate, page)))


@api.get("/rules.yaml", response_class=PlainTextResponse)
@threaded
def file(search: Annotated[Search, Depends()]) -> PlainTextResponse:
    """Give all rules that are found as YAML, as plcfrs inspect -o writes it."""
    name = 'attachment; filename="rules.yaml"'
    text = dump(*search.rules())
    return PlainTextResponse(text, headers={"Content-Disposition": name})


@api.get("/rules/uses")
@threaded
def uses(
    store: ServerStore,
    rule: Annotated[str, Query(description="In the notation of grammar files.")],
    treebank: str,
    model: ModelName = None,
    offset: Offset = 0,
    limit: PageSize = PAGE,
) -> UsesAnswer:
    """List the constituents of a treebank from which a rule is extracted."""
    named, source = store.model(model), store.treebank(treebank)
    wanted = _rules(named, rule)
    if not wanted:
        raise RefusedError(404, f"the grammar has no rule {rule}")
    try:
        found = _find_uses(source, dict(named.model.about), wanted)
    except RefusedError:
        raise
    except InputError as error:
        message = f"cannot find the sentences of a rule of {named.name}: {error}"
        raise RefusedError(400, message) from None
    return UsesAnswer(
        total=len(found),
        trees=len({use.number for use in found}),
        uses=[_describe_use(use, source) for use in found[offset : offset + limit]],
    )


@api.get("/rules/changes")
@threaded
def changes(
    store: ServerStore,
    other: Annotated[str, Query(description="The model before the changes.")],
    model: ModelName = None,
    kind: Annotated[Change, Query(description="The kind of changes to list.")] = "changed",
    sort: Annotated[
        Literal["prob", "count"],
        Query(description="By the change, or by it times the count of the left-hand side."),
    ] = "prob",
    offset: Offset = 0,
    limit: PageSize = PAGE,
) -> ChangesAnswer:
    """Compare the rules of two grammars before binarization, as plcfrs inspect --diff."""
    found = _compare(store.model(other), store.model(model), sort)
    divergences = list(found.divergences.items())[:_DIVERGENCES]
    return ChangesAnswer.of(
        found,
        divergences=[DivergenceAnswer(symbol=str(each), bits=bits) for each, bits in divergences],
        changes=getattr(found, kind)[offset : offset + limit],
    )


@api.get("/inspection")
@threaded
def inspection(
    store: ServerStore,
    model: ModelName = None,
    symbol: Annotated[str, Query(description="A symbol whose substates are shown.")] = "",
) -> InspectionAnswer:
    """Say what a model consists of: figures, substates, transitions, relations, weights."""
    named, symbol = store.model(model), symbol.strip()
    shown = named.inspect()
    if not symbol:
        overview = []
        if shown.grammar is not None:
            overview = overview_lines(named.name, named.rules(), named.rules(restored=True))
        text = "\n".join([*overview, *shown.lines])
    elif shown.symbol is None:
        raise named.without("it has no substates")
    else:
        text = "\n\n".join(shown.symbol(symbol))
    return InspectionAnswer(lines=text.splitlines(), substates=shown.symbol is not None)


@lru_cache(4)
def _compare(before: NamedModel, after: NamedModel, sort: SortKey) -> Comparison:
    return compare(before.rules(restored=True), after.rules(restored=True), sort)


def _rules(named: NamedModel, written: str) -> list[Rule]:
    """Return the rules before binarization: the written one, or rules that it is a part of."""
    whole = [rule for rule in named.rules(restored=True).rules if str(rule) == written]
    return whole or [
        origin
        for rule, found in origins(named.rules()).items()
        if str(rule) == written
        for origin in found
    ]


def _find_uses(treebank: Treebank, stated: Mapping[str, str], wanted: list[Rule]) -> list[Use]:
    """Return the uses of some rules; the number of a tree is that on the page."""
    recipe, options = Recipe.of(stated), options_of(stated)
    if options == Options():
        trees: Sequence[Tree] = treebank.trees(transformed=True)
        numbers: Sequence[int] = range(1, len(trees) + 1)
    else:
        numbers, trees = _transformed(treebank, tuple(stated.items()))
    found = uses_of(until_stopped(trees), recipe, wanted)
    return [use._replace(number=numbers[use.number]) for use in found]


@lru_cache(1)
def _transformed(
    treebank: Treebank, stated: tuple[tuple[str, str], ...]
) -> tuple[list[int], CompiledTrees]:
    """Return the trees as a model had them, and their numbers on the page from 1.

    What is kept is compiled: it takes little memory.
    """
    options = options_of(dict(stated))
    trees = treebank.trees(transformed=False)
    shown = (tree for tree in trees if not all(token.is_null for token in tree.tokens))
    found = [
        (number, transformed)
        for number, tree in enumerate(until_stopped(shown), start=1)
        if (transformed := transform(tree, options)).tokens
    ]
    return [number for number, _ in found], compile_trees(tree for _, tree in found)


def _describe_use(use: Use, treebank: Treebank) -> UseAnswer:
    span = use.tree.yields()[use.node]
    hit = describe_hit(hit_in(use.tree, use.node, use.number))
    shown = treebank.trees(transformed=True)[use.number - 1]
    return UseAnswer.of(hit, marked=_same_constituents(shown, use, span))


def _same_constituents(shown: Tree, use: Use, span: int) -> list[int]:
    """Return the numbers of the constituent of a use in the tree of the page."""
    if len(shown.tokens) != len(use.tree.tokens):
        return []
    yields = shown.yields()
    return [
        number
        for number, node in enumerate(shown.nodes())
        if yields[node] == span and node.category == use.node.category
    ]
