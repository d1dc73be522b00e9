"""Fuzz every reader: any file must give a result or a readable error.

    python tools/fuzz.py --seconds 600 --seed 1
    python tools/fuzz.py --seconds 60 --target export --target yaml

Small valid files are changed at random (`fuzz_mutations.py`) and read. The results are used: trees
are written in every format, grammars are written and used for parsing. An input that gives neither
a result nor a PlcfrsError, or takes longer than ten seconds, is kept in the folder ``--keep``. In
case the process dies, the current input is there as ``TARGET.current``.
"""

from __future__ import annotations

import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from types import FrameType

import click
from fuzz_targets import TARGETS, Target

from plcfrs.errors import PlcfrsError

_MOST_SECONDS = 10  # of CPU time, for an input
_SLICE = 0.2  # seconds for a target before the next one's turn
_SEEN_FRAMES = 3  # crashes with the same last frames count as one


class Findings:
    """Counts of inputs, and the inputs that crashed, one for each place in the code.

    Parameters
    ----------
    folder : Path
        The folder for inputs that crash.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tried: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.crashes: dict[str, str] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, target: Target, content: bytes) -> None:
        """Try one input, and keep it in the folder if it crashes."""
        current = self.folder / f"{target.name}.current"
        current.write_bytes(content)
        self.tried[target.name] += 1
        signal.signal(signal.SIGVTALRM, _too_slow)
        signal.setitimer(signal.ITIMER_VIRTUAL, _MOST_SECONDS)
        try:
            target.use(content, self.folder)
        except PlcfrsError:
            self.refused[target.name] += 1
        except Exception as error:
            self._keep(target, content, error)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        current.unlink()

    def _keep(self, target: Target, content: bytes, error: Exception) -> None:
        frames = traceback.extract_tb(error.__traceback__)[-_SEEN_FRAMES:]
        place = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[::-1])
        key = f"{type(error).__name__} at {place}"
        if key not in self.crashes:
            kept = self.folder / f"crash-{len(self.crashes) + 1}-{target.name}"
            kept.write_bytes(content)
            self.crashes[key] = kept.name
            click.echo(f"{kept.name}: {key}: {str(error)[:200]}", err=True)

    def __str__(self) -> str:
        tried = self.tried.items()
        lines = [f"{name}: {n} inputs, {self.refused[name]} refused" for name, n in tried]
        crashes = [f"{name}: {key}" for key, name in self.crashes.items()]
        total = f"{sum(self.tried.values())} inputs, {len(crashes)} kinds of crashes"
        return "\n".join([*lines, *crashes, total])


class TooSlowError(Exception):
    """An input took too long."""


def _too_slow(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlowError


def fuzz_at_random(
    targets: Iterable[Target], seconds: float, seed: int, findings: Findings
) -> None:
    """Try random changes of the targets' valid files, one target after another.

    Parameters
    ----------
    targets : iterable of Target
    seconds : float
        Wall time.
    seed : int
        Determines each target's inputs and their order, independent of other targets and of speed.
    findings : Findings
        Records the outcomes.
    """
    turns = [(target, Random(f"{seed} {target.name}")) for target in targets]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for target, random in turns:
            turn = time.monotonic() + min(_SLICE, seconds / len(turns))
            while time.monotonic() < turn:
                findings.run(target, target.mutated(random))


@click.command()
@click.option("--seconds", default=60, show_default=True, help="Time limit of the whole run.")
@click.option("--seed", default=1, show_default=True)
@click.option("--target", "names", type=click.Choice(list(TARGETS)), multiple=True)
@click.option("--keep", type=click.Path(path_type=Path), default="fuzz-findings")
def main(seconds: int, seed: int, names: tuple[str, ...], keep: Path) -> None:
    """Fuzz the readers; exit code 1 if one crashed."""
    findings = Findings(keep)
    targets = [TARGETS[name] for name in names or TARGETS]
    for target in targets:  # compile the kernels, which takes a while
        for content in target.seeds:
            target.use(content, keep)
    fuzz_at_random(targets, seconds, seed, findings)
    click.echo(findings)
    sys.exit(1 if findings.crashes else 0)


if __name__ == "__main__":
    main()
