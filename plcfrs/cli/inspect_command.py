"""``plcfrs inspect``."""

from __future__ import annotations

from collections import defaultdict
from difflib import get_close_matches

import click

from plcfrs.cli.summary import figures, oddities
from plcfrs.grammar import Grammar, Nonterminal
from plcfrs.pipeline import is_refined
from plcfrs.refine import RefinedGrammar
from plcfrs.refine.kernel.arrays import Refinement
from plcfrs.refine.substates import substates

_SHOWN = 8


@click.command("inspect")
@click.argument("grammar")
@click.option(
    "--symbol",
    metavar="NAME",
    help="Show the substates of this symbol of a refined grammar: VP, VP_2, @VP+NP, a tag.",
)
def command(grammar: str, symbol: str | None) -> None:
    """Show the figures of a grammar, useless symbols, and cycles of unary rules.

    Of a refined grammar also the number of substates of each category and tag; with --symbol
    how often each of its substates is taken, and the commonest rules of each with their
    probabilities, and the likeliest substates below; of tags the commonest words, rare ones by
    how they are written and end.

    \b
    Examples:
      plcfrs inspect wsj.plcfrs
      plcfrs inspect wsj.refined --symbol VP
    """  # noqa: D301
    if is_refined(grammar):
        refined = RefinedGrammar.load(grammar)
        if symbol is None:
            _show(grammar, refined.grammar)
            click.echo("\n".join(_numbers_of_substates(refined)))
        else:
            click.echo("\n\n".join(_tables(refined, symbol)))
    elif symbol is None:
        _show(grammar, Grammar.load(grammar))
    else:
        raise click.UsageError(f"--symbol is for refined grammars: {grammar} has no substates.")


def _show(title: str, grammar: Grammar) -> None:
    click.echo(figures(title, grammar))
    for name, value in grammar.options.items():
        click.echo(f"  {name}: {value}")
    for line in oddities(grammar):
        click.echo(line)


def _numbers_of_substates(refined: RefinedGrammar) -> list[str]:
    """Return lines on each refinement: which categories and tags have how many substates."""
    lines = [f"  refined grammars: {len(refined.refinements)}"]
    for number, refinement in enumerate(refined.refinements, start=1):
        lines.append(f"  substates of grammar {number}: {refinement.states.sum()}, by symbol")
        symbols = defaultdict(list)
        for symbol, states in zip(refined.symbols, refinement.states.tolist(), strict=True):
            if symbol.kind != "intermediate":
                symbols[states].append(str(symbol))
        for states in sorted(symbols, reverse=True):
            lines.append(f"    {states}: {' '.join(symbols[states])}")
    return lines


def _tables(refined: RefinedGrammar, name: str) -> list[str]:
    """Return a table of the substates of a symbol for each refinement."""
    return [
        _table(f"{symbol} in grammar {number}", symbol, refined, refinement)
        for symbol in _find(refined, name)
        for number, refinement in enumerate(refined.refinements, start=1)
    ]


def _table(title: str, symbol: Nonterminal, refined: RefinedGrammar, refinement: Refinement) -> str:
    lines = [title]
    for substate in substates(refined, refinement, symbol, _SHOWN):
        lines.append(f"  {symbol}-{substate.number}: {100 * substate.share:.1f}%")
        lines.extend(f"    {choice.probability:.4f}  {choice}" for choice in substate.choices)
    return "\n".join(lines)


def _find(refined: RefinedGrammar, name: str) -> list[Nonterminal]:
    """Return the symbols of a name: it may be both a category and a tag."""
    names = [str(symbol) for symbol in refined.symbols]
    if name not in names:
        similar = ", ".join(get_close_matches(name, names))
        hint = f": is it one of {similar}?" if similar else ""
        raise click.UsageError(f"--symbol: the grammar has no symbol {name}{hint}")
    return [symbol for symbol in refined.symbols if str(symbol) == name]
