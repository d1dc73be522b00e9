"""``plcfrs train``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import TracebackType

import click
from tqdm import tqdm

from plcfrs.binarize import Markovization
from plcfrs.cli.announce import announce_compilation
from plcfrs.cli.options import (
    Selection,
    describe,
    jobs_option,
    memory_options,
    progress,
    selection_options,
    transform_options,
    treebanks_argument,
)
from plcfrs.cli.summary import figures, oddities
from plcfrs.errors import InputError, TreebankError
from plcfrs.evaluation import score
from plcfrs.pipeline import RefinedModel
from plcfrs.refine import Cycle, Schedule, Step, TrainingSet, compile_trees, train_product
from plcfrs.transform import Options, transform_all
from plcfrs.trees import Tree


# Substates learn what category splits say, and more.
@click.command("train", context_settings={"default_map": {"splits": "none"}})
@treebanks_argument
@click.option("-o", "--output", required=True, metavar="MODEL", help="Where the model is saved.")
@click.option(
    "--parser",
    type=click.Choice(["refined"]),
    default="refined",
    show_default=True,
    expose_value=False,
    help="A grammar whose symbols have substates (Petrov et al. 2006).",
)
@click.option(
    "--cycles",
    type=click.IntRange(0),
    metavar="N",
    default=Schedule().cycles,
    show_default=True,
    help="How often the substates are split in two.",
)
@click.option(
    "--grammars",
    type=click.IntRange(1),
    metavar="K",
    default=1,
    show_default=True,
    help="Grammars from different seeds, whose product parses (Petrov 2010).",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="S",
    default=1,
    show_default=True,
    help="Of the first grammar; the others have S+1, S+2, ...",
)
@jobs_option("How many grammars are trained at the same time.")
@click.option(
    "--dev",
    metavar="TREEBANK",
    help="Parse its sentences after each cycle, with their tags, and show the scores.",
)
@memory_options("1")
@transform_options
@selection_options
def command(
    treebanks: tuple[str, ...],
    output: str,
    cycles: int,
    grammars: int,
    seed: int,
    jobs: int,
    dev: str | None,
    horizontal: float,
    vertical: float,
    options: Options,
    selection: Selection,
) -> None:
    """Train a grammar with substates on a treebank and save it.

    The grammar of the treebank, binarized head-outward, is refined: its symbols are split in
    two, the halves trained on the trees, and the splits that bring least undone, in several cycles.
    The trees may have traces, which are transformed first, or crossing branches. The same
    seed gives the same grammar.

    \b
    Examples:
      plcfrs train nltk:treebank --sentences 1-3396 -o wsj.refined
      plcfrs train nltk:treebank --sentences 1-3396 --grammars 4 --jobs 2 -o wsj4.refined
    """  # noqa: D301
    if not Path(output).parent.is_dir():
        raise InputError(f"{output}: there is no folder {Path(output).parent}")
    trees = progress(transform_all(selection.read(treebanks), options), "read")
    training = compile_trees(trees, Markovization("head-outward", horizontal, vertical))
    grammar = training.refined.grammar
    grammar.options = {**describe(options), **grammar.options, "cycles": str(cycles)}
    development = _read_development(dev, options, selection)
    selection.report()
    click.echo("\n".join([figures("grammar", grammar), *oddities(grammar)]), err=True)
    if development:
        announce_compilation("refined")
    schedule = Schedule(cycles)
    with Report(training, schedule, grammars, development) as report:
        seeds = range(seed, seed + grammars)
        refined = train_product(
            training,
            schedule,
            seeds,
            jobs=jobs,
            report=report.add_step,
            after_cycle=report.add_cycle,
        )
    refined.save(output)


def _read_development(dev: str | None, options: Options, selection: Selection) -> list[Tree]:
    """Return the trees of the development set: the ranges of --sentences are not for them."""
    if dev is None:
        return []
    everything = replace(selection, sentences=None, bad=0)
    trees = list(transform_all(everything.read([dev]), options))
    selection.bad += everything.bad
    if not trees:
        raise TreebankError("no trees were selected: there is nothing to score", path=dev)
    return trees


class Report:
    """What is shown of a training on stderr: a progress bar, and a line after each cycle."""

    def __init__(
        self,
        training: TrainingSet,
        schedule: Schedule,
        grammars: int,
        development: list[Tree],
    ) -> None:
        self._training = training
        self._development = development
        steps = schedule.iterations + schedule.merged_iterations + schedule.smoothed_iterations
        total = grammars * schedule.cycles * steps
        self._bar = tqdm(total=total, desc="train", unit=" steps", disable=None, leave=False)

    def __enter__(self) -> Report:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._bar.close()

    def add_step(self, step: Step) -> None:
        """Move the bar by an iteration of expectation maximization."""
        self._bar.set_postfix_str(
            f"seed {step.seed}, cycle {step.cycle}, {step.phase}: "
            f"{self._per_token(step.log_likelihood):.4f} per token",
            refresh=False,
        )
        self._bar.update()

    def add_cycle(self, cycle: Cycle) -> None:
        """Write what a cycle has come to."""
        parts = [
            f"seed {cycle.seed}, cycle {cycle.number}: {cycle.refinement.states.sum()} substates",
            f"log likelihood {self._per_token(cycle.log_likelihood):.4f} per token",
        ]
        if self._development:
            parts.append(self._score(cycle))
        tqdm.write(", ".join(parts), file=sys.stderr)

    def _per_token(self, log_likelihood: float) -> float:
        return log_likelihood / self._training.tokens

    def _score(self, cycle: Cycle) -> str:
        model = RefinedModel(replace(self._training.refined, refinements=(cycle.refinement,)))
        parses = (model.parse_tokens(tree.tokens, tagged=True) for tree in self._development)
        scores = score(self._development, (parse.tree for parse in parses))
        return f"F1 {scores.labelled.f1:.2f}, discontinuous {scores.labelled_discontinuous.f1:.2f}"
