"""The rules of a model, their sentences in a treebank, and all that `plcfrs inspect` prints."""

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
from plcfrs.web import routes
from plcfrs.web.limits import RefusedError
from plcfrs.web.queries import HitAnswer, describe_hit
from plcfrs.web.store import NamedModel, NamedTreebank

Change = Literal["changed", "appeared", "disappeared"]
Length = Annotated[int, BeforeValidator(len)]
_DIVERGENCES = 20  # symbols to list

api = APIRouter()


class RuleAnswer(routes.Answer):
    """A rule of a grammar."""

    rule: routes.Printed = Field(
        description="The rule as in grammar files: SQ -> VP_2 MD NP [0 1 2 0]."
    )
    clause: str = Field(description="The rule as in the papers: SQ(XYZU) -> VP(X,U) MD(Y) NP(Z).")
    count: float | None = Field(
        description="How often it was used; null if the grammar has only probabilities."
    )
    probability: float = Field(description="Its probability given the left-hand side.")
    cost: float = Field(description="-ln of the probability.")
    fan_out: int = Field(
        validation_alias=AliasPath("rule", "lhs", "fanout"),
        description="The fan-out of the left-hand side.",
    )
    rank: int = Field(validation_alias=AliasPath("rule", "rank"), description="Number of children.")
    complexity: int = Field(description="The exponent of the sentence length in the parsing time.")
    examples: list[routes.Printed] = Field(description="Example sentences, if the grammar has any.")


class RulesAnswer(routes.Answer):
    """A page of the rules found."""

    total: int = Field(description="Number of rules found.")
    rules: list[RuleAnswer]


class InspectionAnswer(BaseModel):
    """A description of a model, besides its rules."""

    lines: list[str] = Field(description="The lines that plcfrs inspect prints.")
    substates: bool = Field(description="Whether the symbols of the model have substates.")


class UseAnswer(HitAnswer):
    """A constituent of a treebank that a rule is extracted from, with its context."""

    number: int = Field(
        description="The number of its tree as in GET /trees with transform=true, from 1."
    )
    marked: list[int] = Field(
        description="The constituent, by its data-node in the picture of that tree; empty if the "
        "model was trained on a different form of the tree."
    )


class UsesAnswer(BaseModel):
    """A page of the uses of a rule in a treebank."""

    total: int = Field(description="Number of uses.")
    trees: int = Field(description="Number of trees with uses.")
    uses: list[UseAnswer]


class ChangeAnswer(routes.Answer):
    """A rule in two grammars."""

    rule: routes.Printed = Field(description="The rule as in grammar files.")
    clause: str = Field(description="The rule as in the papers.")
    before: float = Field(description="Its probability before; 0 if the grammar lacks it.")
    after: float = Field(description="Its probability after; 0 if the grammar lacks it.")
    change: float = Field(description="The difference of the probabilities.")
    count_before: float | None = Field(description="Its count before; null without counts.")
    count_after: float | None = Field(description="Its count after; null without counts.")


class DivergenceAnswer(BaseModel):
    """The change of the distribution over the rules of a symbol."""

    symbol: routes.Printed
    bits: float = Field(description="The Jensen-Shannon divergence in bits, from 0 to 1.")


class ChangesAnswer(routes.Answer):
    """The changes from one grammar to another, and a page of one kind of changed rules."""

    changed: Length = Field(description="Number of rules with a different probability.")
    appeared: Length = Field(description="Number of rules only in the new grammar.")
    disappeared: Length = Field(description="Number of rules only in the old grammar.")
    unchanged: int = Field(description="Number of rules that stay the same.")
    new_symbols: list[routes.Printed] = Field(description="Symbols only in the new grammar.")
    lost_symbols: list[routes.Printed] = Field(description="Symbols only in the old grammar.")
    new_words: Length = Field(description="Number of words only in the new grammar.")
    lost_words: Length = Field(description="Number of words only in the old grammar.")
    divergences: list[DivergenceAnswer] = Field(description="The left-hand sides that change most.")
    changes: list[ChangeAnswer] = Field(description="A page of the rules of the kind.")


@dataclass
class RuleParameters:
    """The parameters of a search for rules."""

    store: routes.ServerStore
    model: routes.ModelName = None
    lhs: Annotated[str, Query(description="The left-hand side, such as VP_2 or VP*.")] = ""
    rhs: Annotated[str, Query(description="Symbols that the children must include.")] = ""
    fan_out: Annotated[
        int | None, Query(ge=1, description="The fan-out of the left-hand side.")
    ] = None
    text: Annotated[str, Query(description="A part of the rule as it is written.")] = ""
    sort: Annotated[str, Query(description=f"One of {', '.join(SORT_KEYS)}.")] = "count"
    restored: Annotated[
        bool, Query(description="Whether to show rules as before binarization.")
    ] = False

    def rules(self) -> tuple[Grammar, list[ListedRule]]:
        """Return the grammar and the rules found in it."""
        grammar = self.store.model(self.model).rules(restored=self.restored)
        query = RuleQuery(self.lhs.strip() or None, tuple(self.rhs.split()), self.fan_out)
        if self.sort not in SORT_KEYS:
            raise InputError(f"sort: expected one of {', '.join(SORT_KEYS)}, not {self.sort}")
        rules = select_rules(grammar, query, self.sort)
        part = " ".join(self.text.split()).lower()
        if part:
            rules = [rule for rule in rules if part in f"{rule.rule}\n{rule.clause}".lower()]
        return grammar, rules


@api.get("/rules")
@routes.threaded
def rules(
    search: Annotated[RuleParameters, Depends()],
    offset: routes.Offset = 0,
    limit: routes.PageSize = routes.PAGE,
) -> RulesAnswer:
    """Search the rules of a grammar."""
    _, listed = search.rules()
    page = listed[offset : offset + limit]
    return RulesAnswer(total=len(listed), rules=list(map(RuleAnswer.model_validate, page)))


@api.get("/rules.yaml", response_class=PlainTextResponse)
@routes.threaded
def file(search: Annotated[RuleParameters, Depends()]) -> PlainTextResponse:
    """Give all rules found as YAML, as plcfrs inspect -o writes them."""
    name = 'attachment; filename="rules.yaml"'
    text = dump(*search.rules())
    return PlainTextResponse(text, headers={"Content-Disposition": name})


@api.get("/rules/uses")
@routes.threaded
def uses(
    store: routes.ServerStore,
    rule: Annotated[str, Query(description="The rule as in grammar files.")],
    treebank: routes.TreebankName,
    model: routes.ModelName = None,
    offset: routes.Offset = 0,
    limit: routes.PageSize = routes.PAGE,
) -> UsesAnswer:
    """List the constituents of a treebank that a rule is extracted from."""
    named, source = store.model(model), store.treebank(treebank)
    wanted = _rules(named, rule)
    if not wanted:
        raise RefusedError(404, f"the grammar has no rule {rule}")
    try:
        uses = _find_uses(source, dict(named.model.about), wanted)
    except RefusedError:
        raise
    except InputError as error:
        message = f"cannot find the sentences of a rule of {named.name}: {error}"
        raise RefusedError(400, message) from None
    return UsesAnswer(
        total=len(uses),
        trees=len({use.number for use in uses}),
        uses=[_describe_use(use, source) for use in uses[offset : offset + limit]],
    )


@api.get("/rules/changes")
@routes.threaded
def changes(
    store: routes.ServerStore,
    other: Annotated[str, Query(description="The model before the changes.")],
    model: routes.ModelName = None,
    kind: Annotated[Change, Query(description="The kind of changed rules to list.")] = "changed",
    sort: Annotated[
        Literal["prob", "count"],
        Query(description="By the change, or by it times the count of the left-hand side."),
    ] = "prob",
    offset: routes.Offset = 0,
    limit: routes.PageSize = routes.PAGE,
) -> ChangesAnswer:
    """Compare the rules of two grammars before binarization, as plcfrs inspect --diff."""
    comparison = _compare(store.model(other), store.model(model), sort)
    divergences = list(comparison.divergences.items())[:_DIVERGENCES]
    return ChangesAnswer.of(
        comparison,
        divergences=[
            DivergenceAnswer(symbol=str(symbol), bits=bits) for symbol, bits in divergences
        ],
        changes=getattr(comparison, kind)[offset : offset + limit],
    )


@api.get("/inspection")
@routes.threaded
def inspection(
    store: routes.ServerStore,
    model: routes.ModelName = None,
    symbol: Annotated[str, Query(description="A symbol, to show its substates.")] = "",
) -> InspectionAnswer:
    """Describe a model: figures, substates, transitions, relations, weights."""
    named, symbol = store.model(model), symbol.strip()
    shown = named.inspect()
    if not symbol:
        overview = []
        if shown.grammar is not None:
            overview = overview_lines(named.name, named.rules(), named.rules(restored=True))
        completion = named.model.completion
        annotation = [f"annotation: {completion}"] if completion else []
        text = "\n".join([*overview, *shown.lines, *annotation])
    elif shown.symbol is None:
        raise named.without("it has no substates")
    else:
        text = "\n\n".join(shown.symbol(symbol))
    return InspectionAnswer(lines=text.splitlines(), substates=shown.symbol is not None)


@lru_cache(4)
def _compare(before: NamedModel, after: NamedModel, sort: SortKey) -> Comparison:
    return compare(before.rules(restored=True), after.rules(restored=True), sort)


def _rules(named: NamedModel, written: str) -> list[Rule]:
    """Return the rule before binarization, or the rules that a binarized rule is part of."""
    whole = [rule for rule in named.rules(restored=True).rules if str(rule) == written]
    return whole or [
        origin
        for rule, origins_of_rule in origins(named.rules()).items()
        if str(rule) == written
        for origin in origins_of_rule
    ]


def _find_uses(treebank: NamedTreebank, stated: Mapping[str, str], wanted: list[Rule]) -> list[Use]:
    """Return the uses of some rules, with trees numbered as on the page."""
    recipe, options = Recipe.of(stated), options_of(stated)
    if options == Options():
        trees: Sequence[Tree] = treebank.trees(transformed=True)
        numbers: Sequence[int] = range(1, len(trees) + 1)
    else:
        numbers, trees = _transformed(treebank, tuple(stated.items()))
    uses = uses_of(until_stopped(trees), recipe, wanted)
    return [use._replace(number=numbers[use.number]) for use in uses]


@lru_cache(1)
def _transformed(
    treebank: NamedTreebank, stated: tuple[tuple[str, str], ...]
) -> tuple[list[int], CompiledTrees]:
    """Return the trees as the model was trained on them, and their numbers on the page, from 1.

    The cached trees are compiled, so they take little memory.
    """
    options = options_of(dict(stated))
    trees = treebank.trees(transformed=False)
    shown = (tree for tree in trees if not all(token.is_null for token in tree.tokens))
    numbered = [
        (number, transformed)
        for number, tree in enumerate(until_stopped(shown), start=1)
        if (transformed := transform(tree, options)).tokens
    ]
    return [number for number, _ in numbered], compile_trees(tree for _, tree in numbered)


def _describe_use(use: Use, treebank: NamedTreebank) -> UseAnswer:
    span = use.tree.yields()[use.node]
    hit = describe_hit(hit_in(use.tree, use.node, use.number))
    shown = treebank.trees(transformed=True)[use.number - 1]
    return UseAnswer.of(hit, marked=_same_constituents(shown, use, span))


def _same_constituents(shown: Tree, use: Use, span: int) -> list[int]:
    """Return the numbers of the constituent of a use in the tree on the page."""
    if len(shown.tokens) != len(use.tree.tokens):
        return []
    yields = shown.yields()
    return [
        number
        for number, node in enumerate(shown.nodes())
        if yields[node] == span and node.category == use.node.category
    ]
