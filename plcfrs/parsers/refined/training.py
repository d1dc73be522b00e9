"""Training of substates: split, expectation maximization, merge, smooth (Petrov et al. 2006).

LCFRS are trained as context-free grammars are: only the substates of a tree's derivation are
unknown, and yield functions do not matter for them (Gebhardt 2018).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from threading import Event
from typing import Literal, NamedTuple

import numpy as np

from plcfrs.forest.forests import ForestTrainer
from plcfrs.grammar import Grammar
from plcfrs.learning import runner
from plcfrs.parsers.refined.grammar import (
    CompiledDerivations,
    check_refinement,
    compile_trees,
    estimate,
    first_states,
    frequencies,
)
from plcfrs.parsers.refined.kernel import (
    EventWorkspace,
    Refinement,
    Skeleton,
    add_merge_losses,
    count_events,
)
from plcfrs.parsers.refined.model import RefinedModel, RefinedSettings
from plcfrs.parsers.refined.splitting import merge, shares, smooth, split
from plcfrs.trees import Tree

Phase = Literal["split", "merge", "smooth"]


@dataclass(frozen=True, slots=True)
class Schedule:
    """The training schedule of substates; the defaults did best on a development set.

    Parameters
    ----------
    cycles : int
        Number of times that training splits all symbols.
    iterations, merged_iterations, smoothed_iterations : int
        Iterations of expectation maximization after splitting, after merging, and with smoothing.
    noise : float
        Relative difference of the probabilities of a split symbol's halves at first.
    merged : float
        Fraction of the splits that training undoes.
    smoothing, lexical_smoothing : float
        How far smoothing moves the rules and the words of a substate towards the mean of its
        symbol.
    """

    cycles: int = RefinedSettings.cycles
    iterations: int = 20
    merged_iterations: int = 10
    smoothed_iterations: int = 6
    noise: float = 0.01
    merged: float = 0.5
    smoothing: float = 0.05
    lexical_smoothing: float = 0.1

    @property
    def steps(self) -> int:
        """Number of iterations of expectation maximization in a cycle."""
        return self.iterations + self.merged_iterations + self.smoothed_iterations


class Iteration(NamedTuple):
    """An iteration of expectation maximization, and the log likelihood of all trees before it."""

    seed: int
    cycle: int
    phase: Phase
    log_likelihood: float


class CycleResult(NamedTuple):
    """The result of a cycle, and the log likelihood of all trees; cycle 0 refines nothing."""

    seed: int
    number: int
    refinement: Refinement
    log_likelihood: float


Report = Callable[[Iteration], object]


def run_together(
    product: Sequence[Refining], number: int, report: Report = lambda _: None, *, jobs: int = 1
) -> list[CycleResult]:
    """Run a cycle of several refinements in threads; the kernels release the interpreter lock.

    The threads call `report` after each iteration.
    """
    stopped = Event()

    def report_unless_stopped(iteration: Iteration) -> None:
        if stopped.is_set():
            raise _StoppedError
        report(iteration)

    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(each.run, number, report_unless_stopped) for each in product]
        try:
            done, _ = wait(futures, return_when=FIRST_EXCEPTION)
        finally:  # after an error or Ctrl-C, stop the other threads
            stopped.set()
        for future in done:
            future.result()  # raises the error, if there was one
        return [future.result() for future in futures]


class _StoppedError(Exception):
    """Another thread has failed, or the main thread was interrupted."""


class Refining:
    """One refinement in training, cycle by cycle; at first, each symbol has one substate.

    The same seed gives the same refinement.
    """

    def __init__(self, training: CompiledDerivations, schedule: Schedule, seed: int) -> None:
        self.refinement = training.refined.unrefined()
        self.random = np.random.default_rng(seed)
        self._events = training.events
        self._skeleton: Skeleton = training.refined.skeleton()
        self._start = training.refined.symbols.index(training.refined.grammar.start)
        self._schedule = schedule
        self._seed = seed
        self._report: Report = lambda _: None
        self._longest = int(np.diff(training.events.tree_start).max())

    def run(self, number: int, report: Report = lambda _: None) -> CycleResult:
        """Split all substates, merge some of them again, and smooth; cycle 0 does nothing.

        `report` is called after each iteration of expectation maximization.
        """
        self._report = report
        if number > 0:
            self.refinement = self._refine(self.refinement, number)
        return CycleResult(self._seed, number, self.refinement, self._expect(self.refinement)[1])

    def _refine(self, refinement: Refinement, cycle: int) -> Refinement:
        how = self._schedule
        refinement = split(self._skeleton, refinement, self._start, how.noise, self.random)
        for _ in range(how.iterations):
            refinement = self._maximize(refinement, cycle, "split")
        refinement = self._merge(refinement)
        for _ in range(how.merged_iterations):
            refinement = self._maximize(refinement, cycle, "merge")
        for _ in range(how.smoothed_iterations):
            refinement = self._maximize(refinement, cycle, "smooth")
            refinement = smooth(self._skeleton, refinement, how.smoothing, how.lexical_smoothing)
        return refinement

    def _maximize(self, refinement: Refinement, cycle: int, phase: Phase) -> Refinement:
        counts, log_likelihood = self._expect(refinement)
        self._report(Iteration(self._seed, cycle, phase, log_likelihood))
        return estimate(self._skeleton, counts)

    def _expect(self, refinement: Refinement) -> tuple[Refinement, float]:
        """Return the expected counts, in place of probabilities, and the log likelihood."""
        work = self._workspace(refinement)
        log_likelihood = count_events(self._events, refinement, work)
        counts = refinement._replace(probability=work.counts, pair_probability=work.pair_counts)
        return counts, log_likelihood

    def _merge(self, refinement: Refinement) -> Refinement:
        counts, _ = self._expect(refinement)
        frequency = frequencies(self._skeleton, counts)
        losses = np.zeros_like(frequency)
        work = self._workspace(refinement)
        first, share = first_states(refinement.states), shares(refinement, frequency)
        add_merge_losses(self._events, refinement, work, first, share, losses)
        return merge(self._skeleton, refinement, frequency, losses, self._schedule.merged)

    def _workspace(self, refinement: Refinement) -> EventWorkspace:
        size = self._longest + 1, int(refinement.states.max())
        inside = np.empty(size)
        inside[-1, 0] = 1.0
        return EventWorkspace(
            inside,
            np.zeros(size),
            np.empty(self._longest),
            np.zeros_like(refinement.probability),
            np.zeros_like(refinement.pair_probability),
        )


class RefinedState(NamedTuple):
    """What a checkpoint of the training contains."""

    refinements: tuple[Refinement, ...]
    random: tuple[str, ...]  # as JSON


class RefinedTrainer(ForestTrainer[RefinedModel]):
    """The training of refined grammars: cycles of splitting, merging and smoothing."""

    unit = "cycle"
    parser = RefinedModel
    settings: RefinedSettings

    def __init__(
        self, trees: Sequence[Tree], settings: RefinedSettings, about: Mapping[str, str]
    ) -> None:
        self._training = compile_trees(trees, settings.markovization)
        super().__init__(trees, settings, about)
        self.grammar.options |= {"cycles": str(settings.cycles)}
        schedule = Schedule(settings.cycles)
        self._product = [Refining(self._training, schedule, seed) for seed in settings.seeds]
        self.rounds = range(settings.cycles + 1)
        self.steps = schedule.steps * settings.grammars

    def _new_grammar(self) -> Grammar:
        return self._training.refined.grammar

    def _decisive(self) -> Mapping[str, str]:
        names = ("grammars", "binarization", "horizontal", "vertical", "seed")
        return {name: str(getattr(self.settings, name)) for name in names}

    def run(self, number: int, step: runner.Step) -> Mapping[str, float]:
        """Refine all grammars once more; cycle 0 adds no substates."""
        cycles = run_together(self._product, number, lambda _: step(), jobs=self.settings.jobs)
        likelihood = sum(cycle.log_likelihood for cycle in cycles) / len(cycles)
        return {
            "substates": sum(int(cycle.refinement.states.sum()) for cycle in cycles),
            "log likelihood per token": likelihood / self._training.tokens,
        }

    def model(self) -> RefinedModel:
        """Return the product of the grammars so far."""
        refinements = tuple(each.refinement for each in self._product)
        refined = replace(self._training.refined, refinements=refinements, shares=self.shares)
        return RefinedModel(refined)

    @property
    def state(self) -> RefinedState:
        """The refinements and the state of each random generator."""
        product = self._product
        random = (json.dumps(each.random.bit_generator.state) for each in product)
        return RefinedState(tuple(each.refinement for each in product), tuple(random))

    def restore(self, state: RefinedState) -> None:
        """Continue from the refinements and the random generators of a state."""
        skeleton = self._training.refined.skeleton()
        for refinement in state.refinements:
            check_refinement(refinement, skeleton)
        for each, refinement, random in zip(self._product, *state, strict=True):
            each.random.bit_generator.state = json.loads(random)
            each.refinement = refinement
