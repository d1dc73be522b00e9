"""Training of transition parsers as a process of its own: interrupted, killed, resumed."""

import errno
import re
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from quick import core

from plcfrs import train
from plcfrs.cli import run
from plcfrs.errors import GrammarError
from plcfrs.learning.runner import Runner
from plcfrs.parsers.combined.model import CombinedModel
from plcfrs.parsing.registry import load_model
from plcfrs.parsing.sentence_parser import LearnedParser

PLCFRS = [sys.executable, "-m", "plcfrs"]
DEVELOPMENT = Path(__file__).parents[1] / "golden" / "train-gap" / "dev.discbracket"
COMMAND = ["train", "gap", "plcfrs:demo", "--sentences", "1-20", "--dev", str(DEVELOPMENT)]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")


def heed_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def stopped_by(number, folder):
    """Train until some epochs are complete, then send a signal; return how many, and the rest."""
    with subprocess.Popen(
        [*PLCFRS, *COMMAND, "--epochs", "100000", "-o", "demo.gap"],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    ) as process:
        while "epoch 3:" not in (line := process.stderr.readline()):
            assert process.poll() is None, line
        process.send_signal(number)
        stderr = process.stderr.read()
        process.wait(timeout=60)
    assert "Traceback" not in stderr
    return process.returncode, stderr


def trained(folder, monkeypatch, capsys, *options):
    monkeypatch.chdir(folder)
    assert run([*COMMAND, "-o", "demo.gap", *options]) == 0
    return capsys.readouterr().err


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_training_that_was_stopped_goes_on(tmp_path, monkeypatch, capsys, number):
    folder, whole = tmp_path / "stopped", tmp_path / "whole"
    folder.mkdir()
    whole.mkdir()
    code, stderr = stopped_by(number, folder)
    if number == signal.SIGINT:
        assert code == 1
        *_, hint, last = filter(None, stderr.splitlines())
        assert hint == (
            "the finished rounds are in demo.gap.checkpoint: to continue, run the same command "
            "with --resume"
        )
        assert last == "plcfrs: interrupted"
        assert [path.name for path in folder.iterdir()] == ["demo.gap.checkpoint"]
    assert load_model(folder / "demo.gap.checkpoint").parse(["No", "."]).status == "parsed"
    assert not (folder / "demo.gap").exists()
    with monkeypatch.context() as patched:
        # At least as many epochs as before.
        done = _epochs(folder, patched, capsys)
    assert done >= 3
    stderr = trained(folder, monkeypatch, capsys, "--resume", "--epochs", str(done + 3))
    assert f"resuming after epoch {done}" in stderr
    assert re.findall(r"^epoch (\d+):", stderr, re.M) == [str(done + n) for n in (1, 2, 3)]
    trained(whole, monkeypatch, capsys, "--epochs", str(done + 3))
    assert (folder / "demo.gap").read_bytes() == (whole / "demo.gap").read_bytes()
    assert not (folder / "demo.gap.checkpoint").exists()


def _epochs(folder, monkeypatch, capsys):
    """Return how many epochs a checkpoint has, from a copy of it."""
    copy = folder.parent / "copy"
    copy.mkdir()
    (copy / "demo.gap.checkpoint").write_bytes((folder / "demo.gap.checkpoint").read_bytes())
    stderr = trained(copy, monkeypatch, capsys, "--resume", "--epochs", "1")
    return int(re.search(r"resuming after epoch (\d+)", stderr)[1])


@pytest.mark.full
def test_what_cannot_go_on(tmp_path, monkeypatch, capsys):
    stopped_by(signal.SIGINT, tmp_path)
    monkeypatch.chdir(tmp_path)
    checkpoint = tmp_path / "demo.gap.checkpoint"
    assert run([*COMMAND, "-o", "demo.gap", "--resume", "--seed", "2"]) == 2
    assert "this run differs from the earlier one in seed (1, now 2)" in capsys.readouterr().err
    checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    assert run([*COMMAND, "-o", "demo.gap", "--resume"]) == 2
    *_, last = capsys.readouterr().err.splitlines()
    assert last.startswith("plcfrs: demo.gap.checkpoint: not a trained model, or damaged")
    stderr = trained(tmp_path, monkeypatch, capsys, "--epochs", "1")  # from the beginning
    assert "demo.gap.checkpoint of an interrupted run will be replaced" in stderr
    assert "resuming" not in stderr
    assert not checkpoint.exists()


def test_without_a_checkpoint_it_begins(tmp_path, monkeypatch, capsys):
    stderr = trained(tmp_path, monkeypatch, capsys, "--epochs", "1", "--resume")
    assert "resuming" not in stderr
    assert "no checkpoint: starting at epoch 1\n" in stderr
    assert "epoch 1:" in stderr


FULL = OSError(errno.ENOSPC, "No space left on device", "here")


def failing(original, fails, error):
    """Return a function that raises an error instead of some calls."""

    def call(*arguments, **options):
        if fails(*arguments):
            raise error
        return original(*arguments, **options)

    return call


@core(
    1,
    "error",
    [FULL, TypeError("ours"), GrammarError("demo.gap: cannot be written"), KeyboardInterrupt()],
)
def test_a_model_that_cannot_be_saved_is_in_the_checkpoint(tmp_path, monkeypatch, capsys, error):
    monkeypatch.chdir(tmp_path)
    command = [*COMMAND, "-o", "demo.gap", "--epochs", "2"]
    with monkeypatch.context() as patched:
        patched.setattr(LearnedParser, "save", failing(None, lambda *_: True, error))
        if isinstance(error, TypeError):
            with pytest.raises(TypeError, match="ours"):
                run(command)
        else:
            assert run(command) > 0
    assert "rounds are in demo.gap.checkpoint: to continue, run the" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["demo.gap.checkpoint"]
    assert load_model("demo.gap.checkpoint").parse(["No", "."]).status == "parsed"
    assert run([*command, "--resume"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["demo.gap"]


def test_a_model_is_saved_before_the_last_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    last = failing(click.echo, lambda line, *_: line.startswith("best epoch"), FULL)
    monkeypatch.setattr(click, "echo", last)
    assert run([*COMMAND, "-o", "demo.gap", "--epochs", "2"]) == 1
    assert load_model("demo.gap").parse(["No", "."]).status == "parsed"
    assert [path.name for path in tmp_path.iterdir()] == ["demo.gap"]


def test_a_grammar_is_saved_before_anything_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(click, "echo", failing(None, lambda *_: True, FULL))
    with pytest.raises(OSError, match="No space"):
        run(["extract", "plcfrs:demo", "-o", "demo.plcfrs"])
    assert load_model("demo.plcfrs").parse(["No", "."]).status


@pytest.mark.parametrize("dev", ["missing.export", str(DEVELOPMENT)])
def test_a_grammar_is_kept_until_it_is_scored(tmp_path, monkeypatch, capsys, dev):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Runner, "finish", failing(None, lambda *_: True, GrammarError("ours")))
    assert run(["extract", "plcfrs:demo", "--dev", dev, "-o", "demo.plcfrs"]) == 2
    assert "the model so far is in demo.plcfrs.checkpoint" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["demo.plcfrs.checkpoint"]
    assert load_model("demo.plcfrs.checkpoint").parse(["No", "."]).status


def test_a_combination_is_kept_until_it_is_saved(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("a.plcfrs", "b.plcfrs"):
        train("grammar", "plcfrs:demo").save(name)
    command = ["combine", "a.plcfrs", "b.plcfrs", "--dev", str(DEVELOPMENT), "-o", "b.combined"]
    with monkeypatch.context() as patched:
        fails = failing(CombinedModel.save, lambda _, path: str(path) == "b.combined", FULL)
        patched.setattr(CombinedModel, "save", fails)
        assert run(command) == 1
    assert "the model so far is in b.combined.checkpoint" in capsys.readouterr().err
    assert load_model("b.combined.checkpoint").parse(["No", "."]).status
    with monkeypatch.context() as patched:
        last = failing(click.echo, lambda line, *_: "a.plcfrs" in line, FULL)
        patched.setattr(click, "echo", last)
        assert run(command) == 1
    assert load_model("b.combined").parse(["No", "."]).status
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.plcfrs",
        "b.combined",
        "b.plcfrs",
    ]


def test_a_damaged_model(tmp_path, monkeypatch, capsys):
    trained(tmp_path, monkeypatch, capsys, "--epochs", "1")
    path = tmp_path / "demo.gap"
    path.write_bytes(path.read_bytes()[:-1000])
    for command, *others in (
        ["parse", "plcfrs:demo"],
        ["inspect"],
        ["explain", "What ?"],
        ["serve"],
    ):
        assert run([command, "demo.gap", *others]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        *_, last = captured.err.splitlines()
        assert last == (
            "plcfrs: demo.gap: not a trained model, or damaged or cut off; train it again"
        )


@pytest.mark.full
def test_a_model_parses_in_several_processes(tmp_path, monkeypatch, capsys):
    trained(tmp_path, monkeypatch, capsys, "--epochs", "1")
    for jobs in ("1", "2"):
        assert (
            run(["parse", "demo.gap", "plcfrs:demo", "--jobs", jobs, "-o", f"{jobs}.export"]) == 0
        )
    assert (tmp_path / "1.export").read_text() == (tmp_path / "2.export").read_text()
    assert run(["draw", "1.export", "--sentences", "1", "--gaps"]) == 0
    assert "ROOT" in capsys.readouterr().out
    assert run(["eval", "plcfrs:demo", "1.export", "--transform"]) == 0
    assert "LF1" in capsys.readouterr().out


@core(1, "preset", ["kallmeyer-maier", "interpolated-v2h2"])
def test_presets_are_those_of_extract(tmp_path, preset):
    files = [tmp_path / name for name in ("train.yaml", "extract.yaml")]
    for command, file in zip([["train", "grammar"], ["extract"]], files, strict=True):
        assert run([*command, "plcfrs:demo", "--preset", preset, "-o", str(file)]) == 0
    first, second = (file.read_text(encoding="utf-8") for file in files)
    assert first == second


def test_help_speaks_of_rounds_where_there_are_several(capsys):
    for kind, has_rounds in [("grammar", False), ("refined", True)]:
        assert run(["train", kind, "--help"]) == 0
        assert ("The same seed gives" in " ".join(capsys.readouterr().out.split())) == has_rounds
