"""``plcfrs inspect``."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from plcfrs.binarization import unbinarize_grammar
from plcfrs.cli.options import Command
from plcfrs.errors import InputError
from plcfrs.grammar import Grammar, parse_yield_function
from plcfrs.grammar.comparison import compare
from plcfrs.grammar.dump import dump
from plcfrs.grammar.inspection import Inspection
from plcfrs.grammar.report import comparison_lines, overview_lines, rule_table
from plcfrs.grammar.selection import ALL_RULES, SORT_KEYS, RuleQuery, SortKey, select_rules
from plcfrs.storage.model_file import is_learned
from plcfrs.treebank import open_output

_SHOWN = 50
_CHANGES = 15


def _query_options(command: Command) -> Command:
    """Add the options that select rules; the command gets them as a `RuleQuery`."""

    @click.option(
        "--lhs", metavar="SYMBOL", help="Rules with this left-hand side: VP_2, or a pattern: VP*."
    )
    @click.option(
        "--rhs", metavar="SYMBOL", multiple=True, help="Rules with this child; may be repeated."
    )
    @click.option(
        "--fan-out", "--fanout", type=click.IntRange(1), metavar="N", help="Rules of fan-out N."
    )
    @click.option("--rank", type=click.IntRange(1), metavar="N", help="Rules with N children.")
    @click.option("--yield", "function", metavar="'0 1 0'", help="Rules with this yield function.")
    @click.option(
        "--min-count", type=float, default=0, metavar="N", help="Rules seen at least N times."
    )
    @wraps(command)
    def wrapped(
        lhs: str | None,
        rhs: tuple[str, ...],
        fan_out: int | None,
        rank: int | None,
        function: str | None,
        min_count: float,
        **others: Any,  # noqa: ANN401 (they belong to the command)
    ) -> None:
        yield_function = parse_yield_function(function) if function else None
        query = RuleQuery(lhs, rhs, fan_out, rank, yield_function, min_count)
        command(query=query, **others)

    return wrapped  # type: ignore[return-value]


@click.command("inspect")
@click.argument("model", metavar="MODEL")
@_query_options
@click.option(
    "--sort",
    type=click.Choice(SORT_KEYS),
    help="Highest first. With --diff, prob is the change of the probability, and count weights it "
    "by the count of the symbol.  [default: count; prob with --diff; grammar order with -o]",
)
@click.option(
    "--top",
    type=click.IntRange(1),
    metavar="N",
    help=f"Show only the first N rules.  [default: {_SHOWN}; all with -o; {_CHANGES} with --diff]",
)
@click.option(
    "--binarized",
    is_flag=True,
    help="Show the binarized rules, not the rules before binarization (if they are known).",
)
@click.option(
    "-o", "--output", metavar="FILE", help="Write the rules as YAML; - is standard output."
)
@click.option("--diff", metavar="OTHER", help="Show the changes from OTHER to MODEL.")
@click.option(
    "--symbol",
    metavar="NAME",
    help="Show the substates of a symbol of a refined grammar: VP, VP_2, @VP+NP, a tag.",
)
def command(
    model: str,
    query: RuleQuery,
    sort: SortKey | None,
    top: int | None,
    binarized: bool,
    output: str | None,
    diff: str | None,
    symbol: str | None,
) -> None:
    """Show the statistics of a model, find rules in a grammar, or compare it with another one.

    Without options: the number of rules by fan-out, rank, count and parsing complexity (the sum
    of the fan-outs of all symbols of a rule); useless symbols, cycles of unary rules, recursion
    and entropies; the most frequent discontinuous rules and the rules of the highest complexity.

    With --lhs, --rhs and so on: the rules that meet all of these conditions, in the notation of
    the papers, with sentences of the treebank if the grammar keeps them (extract --examples). With
    -o, they are written as a grammar in YAML, which can be read again.

    For a refined grammar, also the number of substates of each category and tag. With --symbol:
    how often each substate is used, its most frequent rules with their probabilities, and the most
    probable substates of the children; for tags, the most frequent words, with rare words
    grouped by spelling and ending.

    For a parser without a grammar: how it was trained, what it knows, and the number of its
    weights.

    \b
    Examples:
      plcfrs inspect wsj.plcfrs
      plcfrs inspect wsj.plcfrs --lhs 'VP*' --rhs WHNP --fan-out 2 --top 5
      plcfrs inspect wsj.plcfrs --yield '0 1 0' --min-count 2 -o rules.yaml
      plcfrs inspect --diff before.plcfrs after.plcfrs
      plcfrs inspect wsj.refined --symbol VP
    """  # noqa: D301
    shown = _inspect(model)
    alone = [name for name, value in (("--diff", diff), ("--symbol", symbol)) if value]
    if alone and (query != ALL_RULES or output or len(alone) > 1):
        raise click.UsageError(
            f"{alone[0]} cannot be combined with --symbol, --diff, -o or options that select rules."
        )
    if symbol is not None:
        if shown.symbol is None:
            raise click.UsageError(f"--symbol is for grammars with substates: {model} has none.")
        click.echo("\n\n".join(shown.symbol(symbol)))
    elif diff is not None:
        old, new = (_rules_of(each, binarized=binarized) for each in (_inspect(diff), shown))
        found = compare(old, new, sort)
        click.echo("\n".join(comparison_lines(diff, model, found, top or _CHANGES)))
    elif output is not None:
        _write(output, _rules_of(shown, binarized=binarized), query, sort, top)
    elif query != ALL_RULES or sort or top or binarized:
        rules = _rules_of(shown, binarized=binarized)
        _show_rules(rules, query, sort or "count", top or _SHOWN)
    else:
        overview = []
        if shown.grammar is not None:
            overview = overview_lines(model, shown.grammar, unbinarize_grammar(shown.grammar))
        click.echo("\n".join([*overview, *shown.lines]))


def _inspect(path: str) -> Inspection:
    """Return the inspection of a model; a grammar is inspected without waiting for Numba."""
    if not is_learned(path):
        return Inspection(Grammar.load(path))
    from plcfrs.pipeline.registry import family_of

    family = family_of(path)
    shown = family.inspect(Path(path))
    if shown.grammar is not None:
        return shown
    return replace(shown, lines=[f"{path}: {family.title}", *shown.lines])


def _rules_of(shown: Inspection, *, binarized: bool) -> Grammar:
    """Return the grammar of a model, binarized or restored."""
    if shown.grammar is None:
        raise click.UsageError(f"There are no rules to show: {shown.lines[0]}.")
    return shown.grammar if binarized else unbinarize_grammar(shown.grammar)


def _show_rules(grammar: Grammar, query: RuleQuery, sort: SortKey, top: int) -> None:
    rules = select_rules(grammar, query, sort)
    click.echo("\n".join(rule_table(rules[:top])))
    if len(rules) > top:
        click.echo(f"{top} of {len(rules)} rules are shown: --top shows more", err=True)


def _write(
    path: str, grammar: Grammar, query: RuleQuery, sort: SortKey | None, top: int | None
) -> None:
    """Write the rules that match a query; if all rules do, write the words, too."""
    if path != "-" and Path(path).suffix not in (".yaml", ".yml"):
        raise InputError(f"{path}: rules are written as YAML: give a name that ends in .yaml")
    listed = select_rules(grammar, query, sort, top)
    with open_output(path) as file:
        file.write(dump(grammar, listed))
