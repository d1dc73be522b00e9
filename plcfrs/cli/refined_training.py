"""``plcfrs train --parser refined``: what is done, and what is shown of it."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import TracebackType

import click
from tqdm import tqdm

from plcfrs.cli.announce import announce_compilation
from plcfrs.cli.summary import figures, oddities
from plcfrs.evaluation import score
from plcfrs.pipeline import RefinedModel
from plcfrs.refinement import Cycle, Schedule, Step, TrainingSet, train_product
from plcfrs.trees import Tree


def train_refined(
    training: TrainingSet,
    development: list[Tree],
    output: str,
    options: dict[str, str],
    schedule: Schedule,
    seeds: range,
    jobs: int,
) -> None:
    """Train a refined grammar, or the product of several, and save it.

    Parameters
    ----------
    training : TrainingSet
    development : list of Tree
        Parsed after each cycle.
    output : str
    options : dict of str to str
        What the file says of the trees.
    schedule : Schedule
    seeds : range
        One for each grammar.
    jobs : int
        How many are trained at the same time.
    """
    grammar = training.refined.grammar
    grammar.options = {**options, **grammar.options, "cycles": str(schedule.cycles)}
    click.echo("\n".join([figures("grammar", grammar), *oddities(grammar)]), err=True)
    if development:
        announce_compilation("refined")
    with Report(training, schedule, len(seeds), development) as report:
        refined = train_product(
            training,
            schedule,
            seeds,
            jobs=jobs,
            report=report.add_step,
            after_cycle=report.add_cycle,
        )
    refined.save(output)


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
