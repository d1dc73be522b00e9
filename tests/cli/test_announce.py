"""What is shown while kernels are compiled: a bar on a terminal, a line elsewhere, else nothing."""

import os
import subprocess
import sys

import pytest
from random_networks import random_span_model
from terminal import shown_on_terminal

from plcfrs.cli.announce import CompilationBar, announce_compilation
from plcfrs.pipeline.kernels import (
    DEPENDENCIES,
    DEPENDENCY_LEARNING,
    FEATURE_LEARNING,
    FEATURES,
    JUDGEMENT,
    POSTERIORS,
    PREFIXES,
    SEARCH,
    SUBSTATE_EVENTS,
    SUMS,
    TIGHTENING,
    TRANSITION_LEARNING,
    TRANSITIONS,
    Kernels,
)

DIFFICULT = "by/IN clock/NN June/NNP repaired/VBN was/VBD in/IN The/DT ./. a/DT student/NN"

TINY = """
from plcfrs.cli.announce import announce_compilation
from plcfrs.jit import wide
from plcfrs.pipeline.kernels import Kernels

announce_compilation([Kernels("jit.wide", 2, 7)])
wide(3)
wide(True)
"""

COUNTED = """
import sys

from plcfrs.cli import run
from plcfrs.jit import watch_compilation

compiled = []
watch_compilation(compiled.append, lambda: None)
code = run(sys.argv[1:])
print(len(compiled))
sys.exit(code)
"""


def test_a_bar_on_a_terminal(tmp_path):
    shown = shown_on_terminal("-c", TINY, NUMBA_CACHE_DIR=str(tmp_path))
    assert "compiling, once, about 7 s:   0%|" in shown
    assert "| 0/2 [00:00, jit.wide]" in shown
    assert "| 1/2 [" in shown
    assert shown.endswith("\r")  # the bar is removed
    assert shown_on_terminal("-c", TINY, NUMBA_CACHE_DIR=str(tmp_path)) == ""


def test_a_line_elsewhere(capsys):
    announce_compilation([Kernels("jit.no_kernel", 1, 2), Kernels("jit.nor_this", 1, 5)])
    line = "compiling the parser, once for this version: about 7 seconds ...\n"
    assert capsys.readouterr().err == line


def test_a_line_when_a_difficult_sentence_comes(monkeypatch, capsys):
    begins = []
    monkeypatch.setattr(
        "plcfrs.cli.announce.watch_compilation", lambda begin, _: begins.append(begin)
    )
    announce_compilation([Kernels("jit.no_kernel", 1, 2, ("listing", "sides"))])
    assert capsys.readouterr().err == ""
    (begin,) = begins
    for kernel in ("deduction.deduce", "sides.prune_sides", "listing.list_nodes"):
        begin(kernel)
    line = "compiling what difficult sentences need, once for this version: about 2 seconds ...\n"
    assert capsys.readouterr().err == line


def test_what_is_needed_at_once_is_not_announced_again(monkeypatch, capsys):
    begins = []
    monkeypatch.setattr(
        "plcfrs.cli.announce.watch_compilation", lambda begin, _: begins.append(begin)
    )
    kernels = Kernels("jit.no_kernel", 1, 2, ("listing",))
    announce_compilation([kernels, kernels._replace(modules=())])
    line = "compiling the parser, once for this version: about 2 seconds ...\n"
    assert (capsys.readouterr().err, begins) == (line, [])


def test_the_bar_begins_anew_when_a_difficult_sentence_comes(capsys):
    bar = CompilationBar(2, 7, [Kernels("jit.no_kernel", 5, 3, ("sides",))])
    for kernel in ("deduction.deduce", "sides.prune_sides"):
        bar.begin(kernel)
        bar.end()
    shown = capsys.readouterr().err
    assert "about 7 s" in shown
    assert "about 3 s:   0%|" in shown
    assert "| 0/5 [00:00, sides.prune_sides]" in shown


def test_the_bar_names_what_is_called_and_counts_all(capsys):
    bar = CompilationBar(3, 1)
    bar.begin("deduction.deduce")
    bar.begin("heap.push")
    bar.end()
    bar.end()
    bar.begin("items.trace")
    shown = capsys.readouterr().err
    assert "heap.push" not in shown
    assert "2/3 [00:00, items.trace]" in shown


def test_a_bar_that_an_exception_keeps_from_beginning():
    CompilationBar(3, 1).end()


@pytest.mark.full
def test_so_many_kernels_are_compiled(tmp_path):
    def compiled(*arguments, cache="grammars"):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / cache)}
        command = [sys.executable, "-c", COUNTED, *arguments]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, check=True
        )
        return pytest.approx(int(done.stdout.split()[-1]), abs=3)  # some are compiled when needed

    few = ["plcfrs:demo", "--sentences", "111-115"]
    assert compiled("extract", "plcfrs:demo", "--sentences", "1-110", "-o", "a.plcfrs") == 0
    assert compiled("parse", "a.plcfrs", *few, "-o", "a.export") == SEARCH.number
    assert compiled("parse", "a.plcfrs", *few, "-o", "a.export") == 0
    tmp_path.joinpath("difficult.txt").write_text(DIFFICULT)
    difficult = ["difficult.txt", "--tagged", "-o", "a.export"]
    assert 0 < compiled("parse", "a.plcfrs", *difficult).expected <= TIGHTENING.number
    objective = ["--objective", "mcp"]
    assert compiled("parse", "a.plcfrs", *few, *objective, "-o", "a.export") == SUMS.number
    assert compiled("surprisal", "a.plcfrs", *few, "-o", "a.tsv") == PREFIXES.number
    training = ["train", "refined", *few, "--cycles", "1", "-o", "a.refined"]
    assert compiled(*training, cache="refined") == SUBSTATE_EVENTS.number + SEARCH.number
    training = ["train", "features", "plcfrs:demo", "--epochs", "1", "-o", "a.features"]
    forests = SEARCH.number + TIGHTENING.number
    assert compiled(*training, cache="features") == forests + FEATURE_LEARNING.number
    parsing = ["parse", "a.features", *few, "-o", "a.export"]
    assert compiled(*parsing, cache="forests") == forests + FEATURES.number
    random_span_model().save(tmp_path / "a.spans")
    parsing = ["parse", "a.spans", *few, "-o", "a.export"]
    assert compiled(*parsing, cache="spans") == forests + JUDGEMENT.number
    training = ["train", "gap", *few, "--epochs", "1", "-o", "a.gap"]
    assert compiled(*training, cache="gap") == TRANSITION_LEARNING.number
    # Members share some kernels, which are counted twice.
    tmp_path.joinpath("a.gap").rename(tmp_path / "b.gap")
    combining = ["combine", "a.features", "b.gap", "--dev", *few, "-o", "a.combined"]
    shared = 15
    announced = forests + FEATURES.number + TRANSITIONS.number + POSTERIORS.number
    assert compiled(*combining, cache="combining") == announced - shared
    training = ["train", "reduction", *few, "--epochs", "1", "-o", "a.reduction"]
    assert compiled(*training, cache="reduction") == DEPENDENCY_LEARNING.number
    parsing = ["parse", "a.reduction", *few, "-o", "a.export"]
    assert compiled(*parsing, cache="dependencies") == DEPENDENCIES.number
