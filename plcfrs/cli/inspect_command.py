"""``plcfrs inspect``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import click

from plcfrs.cli.command import argument, command_of, group
from plcfrs.errors import InputError
from plcfrs.grammar import Grammar, Inspection, parse_yield_function, unbinarize_grammar
from plcfrs.grammar.formats import check_is_model
from plcfrs.grammar.report import comparison_lines, overview_lines, rule_table
from plcfrs.grammar.selection import ALL_RULES, RuleQuery, SortKey, compare, dump, select_rules
from plcfrs.settings import setting
from plcfrs.storage.included import SAME_ANNOTATION
from plcfrs.storage.model_file import DEFAULT_KIND, kind_of
from plcfrs.treebank import open_output

_SHOWN = 50
_CHANGES = 15


@dataclass(frozen=True)
class RuleOptions:
    """The options that select rules."""

    lhs: str | None = setting(
        None, "Rules with this left-hand side: VP_2, or a pattern: VP*.", metavar="SYMBOL"
    )
    rhs: tuple[str, ...] = setting(
        (), "Rules with this child; may be repeated.", commas=False, metavar="SYMBOL"
    )
    fan_out: int | None = setting(None, "Rules of fan-out N.", least=1, short="--fanout")
    rank: int | None = setting(None, "Rules with N children.", least=1)
    function: str | None = setting(
        None, "Rules with this yield function.", option="yield", metavar="'0 1 0'"
    )
    min_count: float = setting(0, "Rules seen at least N times.", fraction=True, metavar="N")

    @property
    def query(self) -> RuleQuery:
        """The query."""
        function = parse_yield_function(self.function) if self.function else None
        return RuleQuery(self.lhs, self.rhs, self.fan_out, self.rank, function, self.min_count)


@dataclass(frozen=True)
class InspectOptions:
    """The options of ``plcfrs inspect``."""

    model: str = argument("MODEL")
    rules: RuleOptions = group(RuleOptions)
    sort: SortKey | None = setting(
        None,
        "Sort rules, highest first. With --diff, prob is the change of the probability, and count "
        "weights it by the count of the symbol.  [default: count; prob with --diff; grammar order "
        "with -o]",
    )
    top: int | None = setting(
        None,
        f"Show only the first N rules.  [default: {_SHOWN}; all with -o; {_CHANGES} with --diff]",
        least=1,
    )
    binarized: bool = setting(
        False, "Show the binarized rules, not the rules before binarization (if they are known)."
    )
    output: str | None = setting(
        None,
        "Write the rules as YAML; - is standard output.",
        short="-o",
        metavar="FILE",
        is_output=True,
    )
    diff: str | None = setting(None, "Show the changes from OTHER to MODEL.", metavar="OTHER")
    symbol: str | None = setting(
        None,
        "Show the substates of a symbol of a refined grammar: VP, VP_2, @VP+NP, a tag.",
        metavar="NAME",
    )


@command_of("inspect", InspectOptions())
def command(chosen: InspectOptions) -> None:
    """Show the statistics of a model, find rules in a grammar, or compare it with another one.

    Without options: the number of rules by fan-out, rank, count and parsing complexity (the sum
    of the fan-outs of all symbols of a rule); useless symbols, cycles of unary rules, recursion
    and entropies; the most frequent discontinuous rules and the rules of the highest complexity.

    With --lhs, --rhs and so on: the rules that meet all of these conditions, in the notation of
    the papers, with sentences of the treebank if the grammar has them (extract --examples). With
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
    model, binarized, query = chosen.model, chosen.binarized, chosen.rules.query
    shown = _inspect(model)
    alone = [n for n, value in (("--diff", chosen.diff), ("--symbol", chosen.symbol)) if value]
    if alone and (query != ALL_RULES or chosen.output or len(alone) > 1):
        raise click.UsageError(
            f"{alone[0]} cannot be combined with --symbol, --diff, -o or options that select rules."
        )
    if chosen.symbol is not None:
        if shown.symbol is None:
            raise click.UsageError(f"--symbol is for grammars with substates: {model} has none.")
        click.echo("\n\n".join(shown.symbol(chosen.symbol)))
    elif chosen.diff is not None:
        other = _inspect(chosen.diff)
        old, new = (_rules_of(inspection, binarized=binarized) for inspection in (other, shown))
        changes = compare(old, new, chosen.sort)
        lines = comparison_lines(chosen.diff, model, changes, chosen.top or _CHANGES)
        click.echo("\n".join(lines))
    elif chosen.output is not None:
        _write(chosen.output, _rules_of(shown, binarized=binarized), chosen)
    elif query != ALL_RULES or chosen.sort or chosen.top or binarized:
        _show_rules(_rules_of(shown, binarized=binarized), chosen)
    else:
        overview = []
        if shown.grammar is not None:
            overview = overview_lines(model, shown.grammar, unbinarize_grammar(shown.grammar))
        click.echo("\n".join([*overview, *shown.lines, *_annotation(model, shown.grammar)]))


def _inspect(path: str) -> Inspection:
    """Return the inspection of a model; a grammar does not need Numba, which is slow to import."""
    check_is_model(path)
    if kind_of(path) == DEFAULT_KIND:
        return Inspection(Grammar.load(path))
    from plcfrs.parsing.registry import family_of

    family = family_of(path)
    shown = family.inspect(Path(path))
    if shown.grammar is not None:
        return shown
    return replace(shown, lines=[f"{path}: {family.title}", *shown.lines])


def _annotation(path: str, grammar: Grammar | None) -> list[str]:
    """Return a line about the functions and null elements that a model has learned, if any."""
    is_alone = kind_of(path) == DEFAULT_KIND and path not in SAME_ANNOTATION
    if is_alone and not (grammar and grammar.completion):
        return []
    from plcfrs.completion import Completion  # here, since Numba takes long to import

    completion = Completion.find(path)
    return [f"annotation: {completion}"] if completion else []


def _rules_of(shown: Inspection, *, binarized: bool) -> Grammar:
    """Return the grammar of a model, binarized or as it was before."""
    if shown.grammar is None:
        raise click.UsageError(f"There are no rules to show: {shown.lines[0]}.")
    return shown.grammar if binarized else unbinarize_grammar(shown.grammar)


def _show_rules(grammar: Grammar, chosen: InspectOptions) -> None:
    rules = select_rules(grammar, chosen.rules.query, chosen.sort or "count")
    top = chosen.top or _SHOWN
    click.echo("\n".join(rule_table(rules[:top])))
    if len(rules) > top:
        click.echo(f"{top} of {len(rules)} rules are shown: --top shows more", err=True)


def _write(path: str, grammar: Grammar, chosen: InspectOptions) -> None:
    """Write the rules that match a query; if all rules match, also write the words."""
    if path != "-" and Path(path).suffix not in (".yaml", ".yml"):
        raise InputError(f"{path}: rules are written as YAML: give a name that ends in .yaml")
    listed = select_rules(grammar, chosen.rules.query, chosen.sort, chosen.top)
    with open_output(path) as file:
        file.write(dump(grammar, listed))
