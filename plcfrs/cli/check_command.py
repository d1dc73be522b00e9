"""``plcfrs check``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import click

from plcfrs.checking import (
    Finding,
    LabelSets,
    Rule,
    check_indices,
    check_labels,
    check_rules,
    find_rare_rules,
    find_variation,
    ranked,
    read_rules,
)
from plcfrs.cli.command import command_of, group, treebanks_argument
from plcfrs.cli.convert_command import refuse_dependencies
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import kind_of_output, output_setting, progress, write_rows
from plcfrs.parsing.registry import MODULES, load_model
from plcfrs.query import Treebank
from plcfrs.settings import setting
from plcfrs.treebank import open_output
from plcfrs.treebank.compilation import compile_trees
from plcfrs.trees import Tree
from plcfrs.wording import counted

_KINDS = {".tsv": "tsv", ".jsonl": "json"}
CHECKS = ("labels", "indices", "rare", "variation")


@dataclass(frozen=True)
class CheckOptions:
    """The options of ``plcfrs check``."""

    treebanks: tuple[str, ...] = treebanks_argument()
    output: str = output_setting()
    to: str | None = setting(
        None,
        "Format of the output.  [default: by file extension, else text]",
        choices=("text", "tsv", "json"),
    )
    checks: tuple[str, ...] = setting(CHECKS, "What to check.", choices=CHECKS)
    rules: str | None = setting(
        None,
        "Rules: on each line a query for what no tree may have, a tab, and a message.",
        metavar="FILE",
    )
    model: str | None = setting(
        None,
        "Look for what this parser contradicts: an included model, or a file. It must not have "
        "learned from these trees.",
    )
    folds: int | None = setting(
        None,
        "Train N parsers, and look for what they contradict: each judges a part of the trees, and "
        "learns from the others.",
        least=2,
    )
    family: str = setting("features", "The family of these parsers.", choices=tuple(MODULES))
    top: int | None = setting(None, "Show only the first N findings.", least=1)
    input: InputOptions = group(InputOptions)


@command_of("check", CheckOptions())
def command(chosen: CheckOptions) -> None:
    """Find probable errors in a treebank, the most probable first.

    Labels that look like misspelled frequent ones; indices without a partner, and traces without an
    antecedent; what breaks one of your rules; labels where they hardly ever stand; and the same
    words with another tree elsewhere (Dickinson and Meurers 2003; Boyd, Dickinson and Meurers
    2007). With --model or --folds: constituents, functions and null elements that a parser is sure
    about, but that the trees do not have.

    \b
    Examples:
      plcfrs check treebank.mrg --top 50
      plcfrs check my-treebank --rules rules.tsv -o findings.tsv
      plcfrs check english.mrg --model plcfrs:english
      plcfrs check german.export --folds 10
    """  # noqa: D301
    refuse_dependencies(chosen.treebanks, chosen.input.format)
    rules = read_rules(chosen.rules) if chosen.rules else []
    trees = compile_trees(progress(chosen.input.read(chosen.treebanks), "read"))
    found = ranked(_findings(trees, chosen, rules))
    shown = found[: chosen.top]
    kind = chosen.to or kind_of_output(chosen.output, _KINDS)
    if kind == "tsv":
        header = ["sentence", "check", "score", "label", "positions", "words", "message"]
        write_rows(chosen.output, header, map(_row, shown))
    else:
        render = _json if kind == "json" else _text
        with open_output(chosen.output) as file:
            for finding in shown:
                file.write(render(finding))
    chosen.input.report()
    click.echo(f"{counted(len(found), 'finding')} in {counted(len(trees), 'tree')}", err=True)


def _findings(
    trees: Sequence[Tree], chosen: CheckOptions, rules: Sequence[Rule]
) -> Iterator[Finding]:
    if "labels" in chosen.checks:
        sets = LabelSets.of(trees, {})
        for tree in progress(trees, "labels"):
            yield from check_labels(tree, sets)
    if "indices" in chosen.checks:
        for tree in progress(trees, "indices"):
            yield from check_indices(tree)
    yield from check_rules(Treebank(trees), rules)
    if "rare" in chosen.checks:
        yield from find_rare_rules(trees)
    if "variation" in chosen.checks:
        yield from find_variation(trees)
    yield from _doubts(trees, chosen)


def _doubts(trees: Sequence[Tree], chosen: CheckOptions) -> Iterator[Finding]:
    """Yield what parsers contradict; say how many of the trees a parser has learned from."""
    if chosen.model or chosen.folds:
        # Here, for a fast start.
        from plcfrs.checking import find_doubts, find_doubts_in_folds, has_learned
    if chosen.model:
        parser = load_model(chosen.model)
        if learned := sum(has_learned(parser, tree) for tree in trees):
            click.echo(
                f"{chosen.model} has learned from {learned} of {counted(len(trees), 'tree')}, so "
                "it does not judge them: use --folds",
                err=True,
            )
        yield from find_doubts(progress(trees, "parser"), parser)
    if chosen.folds:
        yield from find_doubts_in_folds(trees, chosen.family, chosen.folds)


def _text(finding: Finding) -> str:
    what = f"{finding.label}: {finding.words}" if finding.label else finding.words
    return f"{finding.sentence}\t{finding.score:.2f}\t{finding.kind}\t{what}\t{finding.message}\n"


def _row(finding: Finding) -> list[object]:
    places = " ".join(str(position + 1) for position in finding.positions)
    values = finding.label, places, finding.words, finding.message
    return [finding.sentence, finding.kind, f"{finding.score:.3f}", *values]


def _json(finding: Finding) -> str:
    return json.dumps(asdict(finding), ensure_ascii=False) + "\n"
