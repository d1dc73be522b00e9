"""``plcfrs extract``, which is also ``plcfrs train grammar``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from plcfrs.cli.annotation import annotation_setting, say_annotation
from plcfrs.cli.command import command_of, group, treebanks_argument
from plcfrs.cli.convert_command import refuse_dependencies
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import progress, saved_setting
from plcfrs.cli.rounds import RoundOptions, checkpoint_of, naming_checkpoint, run_rounds
from plcfrs.corpus.extraction import extract_corpus
from plcfrs.errors import TreebankError
from plcfrs.grammar import PRESETS, Grammar, Recipe
from plcfrs.grammar.formats import keeps_completion
from plcfrs.grammar.report import oddities
from plcfrs.settings import setting
from plcfrs.storage.files import check_folder
from plcfrs.storage.model_file import DEFAULT_KIND
from plcfrs.transformation import Options
from plcfrs.transformation.presets import describe
from plcfrs.treebank import TreeText, parse_texts
from plcfrs.treebank.reading import trainable_trees
from plcfrs.trees import Tree

if TYPE_CHECKING:
    from plcfrs.completion import Completion


_MOST_ANNOTATED = 50_000  # trees; extraction holds no others in memory


@dataclass(frozen=True)
class ExtractOptions:
    """The options of ``plcfrs extract``."""

    treebanks: tuple[str, ...] = treebanks_argument()
    output: str = saved_setting(
        "Where the grammar is saved; as YAML if the name ends in .yaml.", "GRAMMAR"
    )
    annotation: tuple[str, ...] = annotation_setting()
    recipe: Recipe = group(Recipe)
    jobs: int = setting(
        1, "Number of processes that count rules; the grammar is the same.", least=1
    )
    rounds: RoundOptions = group(RoundOptions)
    options: Options = group(Options)
    input: InputOptions = group(InputOptions)


@command_of("extract", ExtractOptions(), presets=dict(PRESETS))
def command(chosen: ExtractOptions) -> None:
    """Extract a PLCFRS from a treebank, binarize it and save it.

    The trees may have crossing branches or traces; traces are first turned into crossing branches.
    Functions and null elements are learned from up to 50,000 trees. plcfrs train grammar is another
    name for this command.

    \b
    Examples:
      plcfrs extract nltk:treebank --sentences 1-3396 -o wsj.plcfrs
      plcfrs extract tiger.xml --punctuation low --head-rules negra --preset kallmeyer-maier \\
        -o tiger.plcfrs
    """  # noqa: D301
    check_folder(chosen.output)
    recipe, input, treebanks = chosen.recipe, chosen.input, chosen.treebanks
    refuse_dependencies(treebanks, input.format)
    texts: Iterator[TreeText | TreebankError] = iter(input.texts(treebanks))
    is_annotated = bool(chosen.annotation) and keeps_completion(chosen.output)
    first_texts: list[TreeText | TreebankError] = []
    if is_annotated:
        texts = _keep_first(texts, first_texts)
    grammar = extract_corpus(
        progress(texts, "extract", partial(input.count_read, treebanks)),
        recipe,
        chosen.options,
        selection=input.selection,
        on_error=input.on_error,
        jobs=chosen.jobs,
    )
    grammar.options = {**describe(chosen.options), **grammar.options}
    if not grammar.rules:
        input.report()
        raise TreebankError("no trees were selected, so there is no grammar to extract")
    needs_binarization = grammar.rank() > 2 and recipe.binarization != "none"
    binarized = recipe.binarize(grammar) if needs_binarization else grammar
    completion = _completion(chosen, first_texts) if is_annotated else None
    binarized.completion = completion.to_bytes() if completion else b""
    is_scored = chosen.rounds.dev is not None or chosen.rounds.log is not None
    with naming_checkpoint(chosen.output):
        binarized.save(checkpoint_of(chosen.output) if is_scored else chosen.output)
        development = chosen.rounds.read_development(chosen.options, input)
        click.echo(f"grammar: {grammar}", err=True)
        for line in oddities(grammar):
            click.echo(line, err=True)
        if needs_binarization:
            click.echo(f"binarized: {binarized}", err=True)
        say_annotation(completion)
        if is_scored:
            binarized.shifts = _shifts(grammar, chosen, development)
            binarized.save(chosen.output)


def _keep_first(
    texts: Iterator[TreeText | TreebankError], kept: list[TreeText | TreebankError]
) -> Iterator[TreeText | TreebankError]:
    """Yield texts, and keep those from which functions and null elements are learned."""
    for text in texts:
        if len(kept) < _MOST_ANNOTATED:
            kept.append(text)
        yield text


def _completion(
    chosen: ExtractOptions, texts: Iterable[TreeText | TreebankError]
) -> Completion | None:
    """Return what gives parses functions and null elements, or None if the trees have none."""
    from plcfrs.completion import Completion  # here, since Numba takes long to import
    from plcfrs.completion.lessons import TreeLessons

    def skip(_: TreebankError) -> None:
        """Skip a tree: the extraction has reported its error."""

    lessons = TreeLessons(chosen.options, chosen.annotation)
    trees = lessons.transformed(parse_texts(texts, skip, chosen.input.selection))
    for _ in progress(trainable_trees(trees, skip), "annotation"):
        pass
    return Completion.of(lessons)


def _shifts(grammar: Grammar, chosen: ExtractOptions, development: Sequence[Tree]) -> Any:  # noqa: ANN401
    """Score the grammar, and return the bounds that fit the development set."""
    from plcfrs.learning.runner import Runner
    from plcfrs.parsing.registry import find_family  # here, since Numba takes long to import

    trainer = find_family(DEFAULT_KIND).trainer((), chosen.recipe, {}, extracted=grammar)
    runner = Runner(trainer, development, log=chosen.rounds.log)
    run_rounds(runner)
    return runner.finish().grammar.shifts
