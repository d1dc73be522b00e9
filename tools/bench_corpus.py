"""Many sentences: throughput and memory with one process and with several, killed and resumed.

The text is made of the sentences of NLTK's sample of the Penn Treebank that have at most N
tokens, again and again; the grammar is that of files 0001-0159. All runs are runs of
`plcfrs parse`.

    python tools/bench_corpus.py [--sentences 10000] [--max-length 20] [--tagged] [--kills 10]
        [--json FILE]
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import mean

import bench
import click
from measuring import PLCFRS, Report, benchmark, measured, warm_up

from plcfrs import PRESETS, read_trees, write_trees
from plcfrs.transformation import remove_null_elements

_INTERVAL = 0.5  # seconds

# At some moment in MB: the private memory of a process, that of each of its workers, and the latter
# with a share of what others have, too (PSS).
Memory = tuple[list[float], list[float], list[float]]


@benchmark("Many sentences")
@click.option("--sentences", default=10_000, show_default=True)
@click.option("--max-length", default=20, show_default=True)
@click.option("--preset", type=click.Choice(list(PRESETS)), default="kallmeyer-maier")
@click.option("--tagged", is_flag=True, help="Give the tags of the treebank.")
@click.option("--jobs", default="1,2", show_default=True)
@click.option("--kills", default=10, show_default=True)
def main(
    report: Report,
    sentences: int,
    max_length: int,
    preset: str,
    tagged: bool,
    jobs: str,
    kills: int,
) -> None:
    """Run the benchmark."""
    report.about = (
        f"plcfrs parse of {sentences:,} sentences of at most {max_length} tokens with the grammar "
        f"{preset}: sentences of NLTK's sample of the Penn Treebank again and again, "
        f"{'tags given' if tagged else 'without tags'}."
    )
    report.uses("plcfrs", "plcfrs/cli", "plcfrs/corpus")
    warm_up()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        grammar, text = folder / "wsj.plcfrs", folder / ("in.tagged" if tagged else "in.tokens")
        PRESETS[preset].grammar(read_trees(bench.TRAINING)).save(grammar)
        write_text(text, sentences, max_length)
        command = [*PLCFRS, "parse", str(grammar), str(text)]
        whole = measure_all(report, command, folder, sentences, [*map(int, jobs.split(","))])
        if kills:
            kill_and_resume(report, command, whole, kills)


def write_text(path: Path, sentences: int, max_length: int) -> None:
    """Write sentences of the treebank, again and again."""
    trees = [remove_null_elements(tree) for tree in read_trees("nltk:treebank")]
    short = [tree for tree in trees if 0 < len(tree.tokens) <= max_length]
    write_trees(islice(cycle(short), sentences), path)


def measure_all(
    report: Report, command: list[str], folder: Path, sentences: int, all_jobs: list[int]
) -> Path:
    """Run with each number of jobs, and report what it took; return the trees."""
    report.table(
        "Throughput, and memory after a quarter, a half and all of the time",
        *("jobs", "s", "sentences/s", "times", "parent CPU s"),
        *("parent MB", "workers MB", "shares MB"),
    )
    outputs: list[Path] = []
    first = 0.0
    for jobs in all_jobs:
        outputs.append(folder / f"jobs-{jobs}.export")
        memory: list[Memory] = []
        options = ("--jobs", jobs, "-o", outputs[-1])
        run = measured(*command, *options, during=partial(watch, memory=memory))
        if outputs[-1].read_bytes() != outputs[0].read_bytes():
            raise SystemExit(f"--jobs {jobs}: the output differs from that of {all_jobs[0]}")
        first = first or run.wall
        report.row(
            *(str(jobs), f"{run.wall:.1f}", f"{sentences / run.wall:.1f}"),
            *(f"{first / run.wall:.2f}", f"{run.cpu:.1f}"),
            *(over_time(memory, column) for column in range(3)),
        )
    return outputs[0]


def watch(pid: int, memory: list[Memory]) -> None:
    """Note the memory of a process now and then, until it ends."""
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        with suppress(OSError, KeyError):  # it may have ended now
            memory.append(memory_of(pid))
        time.sleep(_INTERVAL)


def memory_of(pid: int) -> Memory:
    """Return the memory of a process and its workers."""
    parent, _ = private_and_share(pid)
    servers = children_of(pid)
    workers = [private_and_share(worker) for each in servers for worker in children_of(each)]
    return [parent], [private for private, _ in workers], [share for _, share in workers]


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started: workers are those of the fork server."""
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def private_and_share(pid: int) -> tuple[float, float]:
    """Return the private memory of a process and its share of all memory (PSS), in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    sizes = {name.rstrip(":"): int(size) / 1024 for name, size, *_ in map(str.split, lines)}
    return sizes["Private_Clean"] + sizes["Private_Dirty"], sizes["Pss"]


def over_time(memory: list[Memory], column: int) -> str:
    """Return the mean of a column after a quarter, a half, and all of the time."""
    found = (memory[max(0, int(part * len(memory)) - 2)][column] for part in (0.25, 0.5, 1.0))
    return " / ".join(f"{mean(numbers):.0f}" if numbers else "-" for numbers in found)


def kill_and_resume(report: Report, command: list[str], whole: Path, kills: int) -> None:
    """Kill a run with SIGKILL at random moments, resume it each time, and compare the output."""
    output = whole.with_name("killed.export")
    journal = whole.with_name("killed.export.progress")
    command = [*command, "-o", str(output), "--resume", "--jobs", "2"]
    randomly = random.Random(1)
    report.table("Killed and resumed", "kill", "sentences complete")
    total = whole.read_bytes().count(b"#BOS")
    for number in range(1, kills + 1):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        aim = lines_of(journal) + randomly.randrange(1, 2 * total // (kills + 1))
        while lines_of(journal) < aim and process.poll() is None:
            time.sleep(0.01)
        time.sleep(randomly.random() / 10)
        process.send_signal(signal.SIGKILL)
        process.wait()
        report.row(str(number), "all" if process.returncode == 0 else str(lines_of(journal) - 1))
        if process.returncode == 0:
            break
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    same = output.read_bytes() == whole.read_bytes()
    report.fact("output after all kills", "identical" if same else "DIFFERENT")


def lines_of(path: Path) -> int:
    """Return the number of lines of a file, 0 if it is not there."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


if __name__ == "__main__":
    main()
