"""``plcfrs convert``: from one format to another, and between constituents and dependencies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import click

from plcfrs.cli.command import command_of, given_besides, group, treebanks_argument
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import format_setting, output_setting, progress, saved
from plcfrs.errors import InputError
from plcfrs.grammar import Grammar
from plcfrs.grammar.formats import EXTENSIONS, grammar_format_of, recognize_grammar
from plcfrs.parsing.registry import load_model
from plcfrs.settings import file_setting, setting
from plcfrs.transformation import (
    Encoding,
    Unaries,
    from_dependencies,
    join_nulls,
    to_dependencies,
)
from plcfrs.treebank import (
    DEPENDENCY_FORMATS,
    WRITABLE,
    DependencyWriter,
    TreeWriter,
    format_of,
    has_dependencies,
)
from plcfrs.trees import DependencyTree, Tree, mark_heads
from plcfrs.trees.heads import HEAD_RULES_HELP, HeadRules, read_head_rules
from plcfrs.trees.restoring import with_traces
from plcfrs.wording import counted


@dataclass
class DependencyConversion:
    """Turns constituents into dependencies, and counts what the dependencies lose."""

    encoding: Encoding
    rules: HeadRules
    unaries: Unaries
    _trees: int = 0
    _lost: Counter[str] = field(default_factory=Counter)

    def convert(self, trees: Iterable[Tree]) -> Iterator[DependencyTree]:
        """Yield trees as dependencies."""
        for tree in trees:
            self._trees += 1
            self._lost.update(self._losses(tree))
            yield to_dependencies(mark_heads(tree, self.rules), self.encoding, self.unaries)

    def report(self) -> None:
        """Say on stderr what the dependencies have lost, if anything."""
        if self._lost:
            losses = (f"{what} (in {count})" for what, count in self._lost.items())
            trees = counted(self._trees, "tree")
            click.echo(f"{trees}; lost in the dependencies: {', '.join(losses)}", err=True)

    def _losses(self, tree: Tree) -> Iterator[str]:
        nodes = tree.nodes()
        kept = self.unaries == "labels" or self.encoding == "hall-nivre"
        if not kept and any(len(node.children) == 1 for node in nodes[1:]):
            yield "unary nodes"
        if any(node.functions for node in nodes) or any(token.function for token in tree.tokens):
            yield "functions"
        if any(node.index is not None or node.gap_index is not None for node in nodes):
            yield "indices"
        if tree.secondary_edges:
            yield "secondary edges"


def refuse_dependencies(treebanks: Sequence[str], format: str | None) -> None:
    """Raise an InputError if treebanks have dependencies: parsers learn from constituents."""
    if has_dependencies(treebanks, format):
        raise InputError(
            f"{treebanks[0]}: has dependencies, not constituents: convert them first with plcfrs "
            "convert --encoding"
        )


_WORDS = ("tokens", "tagged")


@dataclass(frozen=True)
class ConvertOptions:
    """The options of ``plcfrs convert``."""

    treebanks: tuple[str, ...] = treebanks_argument()
    output: str = output_setting()
    to: str | None = format_setting((*WRITABLE, *DEPENDENCY_FORMATS))
    encoding: Encoding | None = setting(
        None,
        "Turn constituents into dependencies, or back: how relations encode the order in which a "
        "head gets its dependents (see the guide).",
    )
    unaries: Unaries = setting(
        "dropped",
        "Whether dependencies lose unary nodes, or relations have them as labels; hall-nivre "
        "always keeps them.",
    )
    nested: bool = setting(
        False, "Repair dependencies so that a tree has gaps only where arcs cross."
    )
    join_nulls: bool = setting(
        False, "Write null elements and indices of MASC and CRAFT as the Penn Treebank has them."
    )
    quantize: int | None = setting(
        None,
        "Round the network of a trained parser to this number of bits per weight, and put its "
        "encoder into the file.",
        least=2,
        most=8,
        metavar="BITS",
    )
    head_rules: HeadRules = file_setting(
        "collins", HEAD_RULES_HELP, read_head_rules, metavar="NAME|FILE"
    )
    input: InputOptions = group(InputOptions)


@command_of("convert", ConvertOptions())
def command(chosen: ConvertOptions) -> None:
    """Convert treebanks or a grammar from one format to another, or a network to fewer bits.

    Trees are converted one by one. --encoding converts constituents to dependencies and back
    (Fernández-González and Martins 2015); the head rules find heads.

    A plcfrs grammar is recognized by its first line, one of disco-dop by its extension .rules (with
    .lex beside it). The extension of the output decides its format: .plcfrs, .yaml or .rules.

    With --quantize, a neural parser gets a smaller file, which parses without PyTorch and without
    the folder of its encoder. 8 bits cost hardly any accuracy.

    \b
    Examples:
      plcfrs convert negra.export -o negra.discbracket
      plcfrs convert negra.export --to penn -o negra.mrg
      plcfrs convert negra.export -o negra.conllu --encoding direct --head-rules negra
      plcfrs convert parses.conllu -o parses.export --encoding direct
      plcfrs convert negra.plcfrs -o negra.rules
      plcfrs convert wsj.neural -o small.neural --quantize 8
    """  # noqa: D301
    treebanks, output, input = chosen.treebanks, chosen.output, chosen.input
    if chosen.quantize is not None:
        if option := given_besides("treebanks", "output", "quantize"):
            raise click.UsageError(f"{option} is for treebanks, not for a trained parser.")
        _quantize(treebanks, output, chosen.quantize)
        return
    if input.format is None and any(map(recognize_grammar, treebanks)):
        if option := given_besides("treebanks", "output"):
            raise click.UsageError(f"{option} is for treebanks, not for a grammar.")
        _convert_grammar(treebanks, output)
        return
    if chosen.to is None and grammar_format_of(output):
        raise InputError(_no_grammar_error(treebanks))
    encoding = chosen.encoding
    from_dependent = has_dependencies(treebanks, input.format)
    to = chosen.to or _format_of(output, from_dependent, encoding)
    if to in _WORDS and not encoding:
        from_dependent = False  # words are read from files of both kinds
    to_dependent = to in DEPENDENCY_FORMATS
    if chosen.join_nulls and from_dependent:
        raise click.UsageError("--join-nulls is for constituents.")
    _check_encoding(encoding, from_dependent, to_dependent)
    trees: Iterator[Any] = (input.read_dependencies if from_dependent else input.read)(treebanks)
    if chosen.join_nulls:
        trees = map(join_nulls, map(with_traces, trees))
    conversion = None
    if encoding and from_dependent:
        trees = (from_dependencies(tree, encoding, nested=chosen.nested) for tree in trees)
    elif encoding:
        conversion = DependencyConversion(encoding, chosen.head_rules, chosen.unaries)
        trees = conversion.convert(trees)
    writer = DependencyWriter(output, to) if to_dependent else TreeWriter(output, to)
    with saved(writer, output, input) as tree_output:
        for tree in progress(trees, "convert"):
            tree_output.write(tree)
    if conversion:
        conversion.report()
    input.report()


def _format_of(output: str, from_dependent: bool, encoding: Encoding | None) -> str:
    """Return the format of the output; with an encoding, standard output has the other kind."""
    if output == "-" and from_dependent == (encoding is None):
        return "conllu"
    return format_of(output).name


def _check_encoding(encoding: Encoding | None, from_dependent: bool, to_dependent: bool) -> None:
    """Raise if an encoding is superfluous, because both files have the same kind, or missing."""
    if encoding and from_dependent == to_dependent:
        kind = "dependencies" if from_dependent else "constituents"
        raise click.UsageError(
            f"--encoding {encoding} is for constituents and dependencies, but both files have "
            f"{kind}."
        )
    if not encoding and from_dependent != to_dependent:
        kinds = ("dependencies", "constituents")
        source, target = kinds if from_dependent else kinds[::-1]
        *others, last = get_args(Encoding)
        raise InputError(f"from {source} to {target}: add --encoding {', '.join(others)} or {last}")


def _convert_grammar(grammars: tuple[str, ...], output: str) -> None:
    if len(grammars) > 1:
        raise InputError(f"{grammars[0]} is a grammar: convert one grammar at a time")
    if grammar_format_of(output) is None:
        raise InputError(
            f"{grammars[0]} is a grammar: give an output file with -o that ends in one of "
            f"{', '.join(EXTENSIONS)}"
        )
    Grammar.load(grammars[0]).save(output)


def _quantize(models: tuple[str, ...], output: str, bits: int) -> None:
    if len(models) > 1:
        raise InputError("--quantize: convert one model at a time")
    if output == "-":
        raise InputError("--quantize: give an output file with -o")
    model = load_model(models[0])
    try:
        quantized = model.quantized(bits)
    except InputError as error:
        raise InputError(f"{models[0]}: {error}") from None
    quantized.save(output)


def _no_grammar_error(names: tuple[str, ...]) -> str:
    """Return the error for files that cannot become a grammar; it says what to do instead."""
    from plcfrs.storage.model_file import (  # here, because it takes a tenth of a second
        DEFAULT_KIND,
        kind_of,
    )
    from plcfrs.treebank.compiled import KIND

    for path in filter(Path.is_file, map(Path, names)):
        if (kind := kind_of(path)) not in (DEFAULT_KIND, KIND):
            return (
                f"{path} is a trained {kind} parser: only grammars and treebanks can be converted, "
                "and with --quantize networks"
            )
    return f"{names[0]} is not a grammar: extract one from a treebank with plcfrs extract"
