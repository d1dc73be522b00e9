"""The command line as a process of its own: signals, pipes, start-up."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plcfrs import parsers
from plcfrs.__main__ import interrupt
from plcfrs.cli import COMMANDS, run
from plcfrs.parsers.grammar.model import GrammarModel

PLCFRS = [sys.executable, "-m", "plcfrs"]
SENTENCE = "What/WP should/MD we/PRP do/VB ?/.\n"


@pytest.fixture
def grammar(trained):
    return trained("grammar", 140)


def wait_for(path, size, process):
    """Wait until a file has some bytes, as long as the process that writes it lives."""
    while not (path.exists() and path.stat().st_size >= size):
        assert process.poll() is None
        time.sleep(0.05)


def heed_interrupts():
    """Undo what a shell does to the processes that it starts in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_interrupted_parse_leaves_complete_lines(grammar, tmp_path):
    output = tmp_path / "parses.discbracket"
    output.write_text("from an earlier run\n")
    part = tmp_path / "parses.discbracket.part"
    command = [*PLCFRS, "parse", grammar, "-", "--tagged", "-o", output]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    ) as process:
        # Standard input stays open, so that the run can only end by the signal.
        process.stdin.write(SENTENCE * 500)
        process.stdin.flush()
        wait_for(part, 8192, process)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        stderr = process.stderr.read()
    assert process.returncode == 1
    lines = part.read_text().splitlines()
    assert lines
    assert set(lines) == {lines[0]}
    assert lines[0].startswith("(ROOT (SBARQ")
    assert lines[0].endswith(")))")
    # The signal may come between writing a tree and counting it.
    counted, parsed = map(int, re.search(r"(\d+) of (\d+) sentences parsed", stderr).groups())
    assert counted == parsed
    assert len(lines) - counted in (0, 1)
    assert str(part) in stderr
    assert "Traceback" not in stderr
    assert output.read_text() == "from an earlier run\n"


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_interrupted_training_leaves_what_is_complete(tmp_path):
    options = ["--cycles", "6", "--jobs", "2", "--grammars", "3"]
    command = [*PLCFRS, "train", "refined", "plcfrs:demo", *options]
    with subprocess.Popen(
        [*command, "-o", tmp_path / "demo.refined"],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    ) as process:
        # The kernels are compiled or loaded, and there is much left to do.
        while "cycle 1" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        stderr = process.stderr.read()
        process.wait(timeout=60)
    assert process.returncode == 1
    assert stderr.splitlines()[-1] == "plcfrs: interrupted"
    assert "Traceback" not in stderr
    assert [path.name for path in tmp_path.iterdir()] == ["demo.refined.checkpoint"]


def run_interrupted(module, *arguments, how=heed_interrupts):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-m", "interrupting", module, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, preexec_fn=how)


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
@pytest.mark.parametrize(
    "module",
    [
        "click",
        "plcfrs.cli",
        "plcfrs.cli.parse_command",
        "plcfrs.cli.resuming",
        "numba",
        "multiprocessing.popen_forkserver",
    ],
)
def test_interrupted_while_it_imports(grammar, tmp_path, module):
    output = tmp_path / "parses.export"
    many = ["plcfrs:demo"] * 50
    done = run_interrupted(module, "parse", grammar, *many, "--jobs", "2", "-o", output)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "plcfrs: interrupted")
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_an_interrupt_in_the_background_is_ignored():
    def ignore_interrupts():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    done = run_interrupted("plcfrs.cli", "--version", how=ignore_interrupts)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupt_while_llvm_compiles_comes_a_moment_later():
    engine = {"__name__": "llvmlite.binding.executionengine", "interrupt": interrupt, "sys": sys}
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        exec("interrupt(2, sys._getframe())", engine)
        with pytest.raises(KeyboardInterrupt):
            exec("while True: pass")
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="closes a pipe early")
def test_a_reader_that_has_enough_is_no_error():
    command = [*PLCFRS, "convert", *["plcfrs:demo"] * 50, "--to", "brackets"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline().startswith("( (S")
        process.stdout.close()
        process.wait(timeout=60)
        assert process.stderr.read() == ""


FAMILIES = [path.parent.name for path in Path(parsers.__file__).parent.glob("*/__init__.py")]
FIGURE = "grammars/evang-kallmeyer-figure-{}.yaml".format
IMPORTING = """
import sys
from plcfrs.cli import run

command, *absent = sys.argv[1:]
assert run(command.split()) == 0
assert not set(absent) & set(sys.modules), set(absent) & set(sys.modules)
"""


@pytest.mark.full
@pytest.mark.parametrize(
    ("command", "absent"),
    [
        ("--help", "numba numpy networkx nltk yaml"),
        *(
            (f"inspect {FIGURE(7)} {options}", "numba lark")
            for options in ("", "--lhs VP_2", f"--diff {FIGURE(6)}", "-o -")
        ),
        (
            f"parse {FIGURE(7)} --tagged",
            "plcfrs.drawing plcfrs.networks tqdm "
            + " ".join(f"plcfrs.parsers.{name}" for name in FAMILIES if name != "grammar"),
        ),
    ],
)
def test_commands_import_what_they_need(command, absent):
    run_python = [sys.executable, "-c", IMPORTING, command, *absent.split()]
    done = subprocess.run(run_python, input="", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_help_of_every_command(capsys):
    for name in list(COMMANDS):
        assert run([name, "--help"]) == 0
        assert capsys.readouterr().out.startswith(f"Usage: plcfrs {name}")


@pytest.mark.full
def test_help_of_a_command_in_a_process_of_its_own():
    done = subprocess.run([*PLCFRS, "parse", "--help"], check=True, capture_output=True, text=True)
    assert done.stdout.startswith("Usage: plcfrs parse")


def test_demo_saves_a_grammar_that_loads(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["demo"]) == 0
    assert "30 parsed, 0 without a parse" in capsys.readouterr().out
    assert GrammarModel.load(tmp_path / "demo.plcfrs").parse(["Who", "knows", "?"]).status


def test_an_option_that_has_one_value_is_given_once(capsys):
    for line in [
        "train gap plcfrs:demo --dev a.mrg --dev b.mrg -o c.gap",
        "parse plcfrs:english text --nbest 2 --nbest=3",
        "parse plcfrs:english text -o a -o b",
    ]:
        assert run(line.split()) == 2
        (said,) = capsys.readouterr().err.splitlines()
        assert " is given 2 times: give it once" in said
