"""Fuzz every reader: whatever is in a file, the outcome is a result or an error for people.

    python tools/fuzz.py --seconds 600 --seed 1
    python tools/fuzz.py --seconds 60 --target export --target yaml
    python tools/fuzz.py --seconds 60 --engine atheris --target brackets   # pip install atheris

Small right files are changed at random (`fuzz_mutations.py`) and read; what was read is then used:
trees are written in every format, grammars written and parsed with. An input that ends in
anything but a result or a PlcfrsError, or takes longer than ten seconds, is kept in ``--keep``;
the one at work stays there as ``TARGET.current``, should the process itself die.
"""

from __future__ import annotations

import gc
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from random import Random
from types import FrameType, FunctionType

import click
from fuzz_targets import TARGETS, Target

from plcfrs.errors import PlcfrsError

_PATIENCE = 10  # seconds of CPU time for an input
_SLICE = 0.2  # seconds for a target, before the next one takes its turn
_SEEN_FRAMES = 3  # a crash is told from another one by the last of its frames


class Findings:
    """What was tried, and the inputs that crashed, one for each place in the code.

    Parameters
    ----------
    folder : Path
        Where they are kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tried: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.crashes: dict[str, str] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, target: Target, content: bytes) -> None:
        """Try one input; it stays in the folder if it crashes."""
        current = self.folder / f"{target.name}.current"
        current.write_bytes(content)
        self.tried[target.name] += 1
        signal.signal(signal.SIGVTALRM, _too_slow)
        signal.setitimer(signal.ITIMER_VIRTUAL, _PATIENCE)
        try:
            target.use(content, self.folder)
        except PlcfrsError:
            self.refused[target.name] += 1
        except KeyboardInterrupt:
            raise
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
        lines = [
            f"{name}: {self.tried[name]} inputs, {self.refused[name]} refused"
            for name in self.tried
        ]
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
    """Try random changes of the targets' right files, one target after the other.

    Parameters
    ----------
    targets : iterable of Target
    seconds : float
        Wall time.
    seed : int
        Tells each target's inputs and their order, whatever the others and the machine do.
    findings : Findings
        Where the outcome is noted.
    """
    turns = [(target, Random(f"{seed} {target.name}")) for target in targets]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for target, random in turns:
            turn = time.monotonic() + min(_SLICE, seconds / len(turns))
            while time.monotonic() < turn:
                findings.run(target, target.mutated(random))


def fuzz_by_coverage(target: Target, seconds: int, seed: int, findings: Findings) -> None:
    """Let atheris look for inputs that reach new code; it ends the process."""
    atheris = import_module("atheris")  # only needed here

    def mutated(content: bytes, most: int, seed: int) -> bytes:
        return target.changed(content, Random(seed))[:most]

    for function in gc.get_objects():
        if isinstance(function, FunctionType) and str(function.__module__).startswith("plcfrs."):
            atheris.instrument_func(function)
    corpus = findings.folder / f"corpus-{target.name}"
    corpus.mkdir(exist_ok=True)
    for number, content in enumerate(target.seeds):
        (corpus / f"seed-{number}").write_bytes(content)
    options = [
        f"-max_total_time={seconds}",
        f"-seed={seed}",
        "-max_len=20000",
        "-print_final_stats=1",
    ]
    atheris.Setup(
        [sys.argv[0], *options, str(corpus)],
        lambda content: findings.run(target, content),
        custom_mutator=mutated,
    )
    atheris.Fuzz()


@click.command()
@click.option("--seconds", default=60, show_default=True, help="Time limit of the whole run.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--target",
    "names",
    type=click.Choice(list(TARGETS)),
    multiple=True,
    help="What is fuzzed.  [default: all]",
)
@click.option(
    "--engine",
    type=click.Choice(["random", "atheris"]),
    default="random",
    show_default=True,
    help="Changes at random, or guided by coverage (one target).",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    default="fuzz-findings",
    show_default=True,
    help="Folder for the inputs that crash.",
)
def main(seconds: int, seed: int, names: tuple[str, ...], engine: str, keep: Path) -> None:
    """Fuzz the readers; exit code 1 if one crashed."""
    findings = Findings(keep)
    targets = [TARGETS[name] for name in names or TARGETS]
    for target in targets:  # compiles the kernels, which takes its time
        for content in target.seeds:
            target.use(content, keep)
    if engine == "atheris":
        if len(targets) != 1:
            raise click.UsageError("--engine atheris takes one --target")
        fuzz_by_coverage(targets[0], seconds, seed, findings)
    fuzz_at_random(targets, seconds, seed, findings)
    click.echo(findings)
    sys.exit(1 if findings.crashes else 0)


if __name__ == "__main__":
    main()
