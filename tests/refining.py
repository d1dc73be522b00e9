"""Training of refined grammars from start to end, without a parser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from plcfrs.parsers.refined.grammar import CompiledDerivations, RefinedGrammar
from plcfrs.parsers.refined.training import CycleResult, Refining, Report, Schedule, run_together


def train(
    training: CompiledDerivations,
    schedule: Schedule,
    seed: int = 1,
    report: Report = lambda _: None,
) -> Iterator[CycleResult]:
    """Train one refinement; yield it after each cycle, the unrefined grammar first."""
    refining = Refining(training, schedule, seed)
    for number in range(schedule.cycles + 1):
        yield refining.run(number, report)


def train_product(
    training: CompiledDerivations, schedule: Schedule, seeds: Sequence[int], jobs: int = 1
) -> RefinedGrammar:
    """Train a refinement for each seed, some of them (`jobs`) at the same time."""
    product = [Refining(training, schedule, seed) for seed in seeds]
    for number in range(schedule.cycles + 1):
        run_together(product, number, jobs=jobs)
    return replace(training.refined, refinements=tuple(each.refinement for each in product))
