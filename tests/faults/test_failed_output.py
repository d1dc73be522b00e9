"""Full disks, readers that stop early, closed standard files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plcfrs.cli import run

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.is_char_device(), reason="needs the device /dev/full")
needs_resource = pytest.mark.skipif(sys.platform == "win32", reason="limits the size of files")


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line; plcfrs is the one under test."""
    program = f"{sys.executable} -m plcfrs"
    return subprocess.run(
        ["bash", "-c", command.replace("plcfrs ", f"{program} ", 1)],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )


@pytest.mark.full
@needs_full
@pytest.mark.parametrize(
    "command",
    [
        "plcfrs convert plcfrs:demo > /dev/full",
        "plcfrs draw plcfrs:demo > /dev/full",
        "plcfrs find plcfrs:demo NP > /dev/full",
        "plcfrs eval plcfrs:demo plcfrs:demo > /dev/full",
        "plcfrs convert plcfrs:demo -o /dev/full --to export",
        "plcfrs find plcfrs:demo NP -o /dev/full --to export",
    ],
)
def test_a_full_device(tmp_path, command):
    done = shell(command, tmp_path)
    assert done.returncode == 1
    message = done.stderr.splitlines()[-1]
    assert message.startswith("plcfrs: ")
    assert message.endswith(": No space left on device")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
@needs_resource
@pytest.mark.parametrize(
    "name",
    [
        "x.export",
        "x.plcfrs",
        "x.discbracket.gz",
        "x.yaml",
        "x.rules",
    ],
)
def test_a_disk_that_gets_full(tmp_path, name):
    """An older file with the same name does not change."""
    (tmp_path / name).write_text("from an earlier run\n", encoding="utf-8")
    command = "convert" if "export" in name or "disc" in name else "extract"
    # Python would write modules that it compiles only in part, and read them the next time.
    done = shell(
        f"export PYTHONDONTWRITEBYTECODE=1; ulimit -f 4; plcfrs {command} plcfrs:demo -o {name}",
        tmp_path,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"plcfrs: {name}: File too large"
    assert (tmp_path / name).read_text(encoding="utf-8") == "from an earlier run\n"
    assert {path.name for path in tmp_path.iterdir()} <= {name, f"{name}.part"}


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="closes standard files")
@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("plcfrs convert plcfrs:demo >&-", "standard output is closed: give a file with -o"),
        ("plcfrs convert <&-", "standard input is closed: give a file"),
    ],
)
def test_a_standard_file_that_is_closed(tmp_path, command, message):
    done = shell(command, tmp_path)
    assert (done.returncode, done.stderr) == (2, f"plcfrs: {message}\n")


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="closes a pipe early")
@pytest.mark.parametrize(
    "command",
    [
        "convert plcfrs:demo plcfrs:demo plcfrs:demo",
        "draw plcfrs:demo",
    ],
)
def test_a_reader_that_has_enough(tmp_path, command):
    done = shell(f"plcfrs {command} | head -n 1", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


def test_a_folder_that_cannot_be_written(tmp_path, capsys):
    """Nothing can be written below a file, not even by root."""
    (tmp_path / "file").touch()
    folder = tmp_path / "file"
    for command, name, why in [
        ("convert", "x.export", f"there is no folder {folder}"),
        ("extract", "x.plcfrs", f"there is no folder {folder}"),
        ("extract", "x.yaml", f"there is no folder {folder}"),
    ]:
        path = folder / name
        assert run([command, "plcfrs:demo", "-o", str(path)]) == 2
        message = capsys.readouterr().err.splitlines()[-1]
        assert message.startswith(f"plcfrs: {path}")
        assert message.endswith(why)


@pytest.mark.full
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
@pytest.mark.parametrize("name", ["x.export", "x.yaml"])
def test_a_pipe_is_written_and_not_replaced(tmp_path, name):
    os.mkfifo(tmp_path / name)
    command = "convert" if "export" in name else "extract"
    writer = f"timeout 60 plcfrs {command} plcfrs:demo -o {name}"
    done = shell(f"{writer} & timeout 60 cat {name}; wait", tmp_path)
    assert done.stdout.startswith(("plcfrs: 1", "#FORMAT 4"))
    assert (tmp_path / name).is_fifo()
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_read_only_folder(tmp_path, capsys):
    tmp_path.chmod(0o500)
    assert run(["convert", "plcfrs:demo", "-o", str(tmp_path / "x.export")]) == 2
    assert capsys.readouterr().err.endswith("Permission denied\n")


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.plcfrs").touch()
    (tmp_path / "link.plcfrs").symlink_to("real.plcfrs")
    assert run(["extract", "plcfrs:demo", "-o", str(tmp_path / "link.plcfrs")]) == 0
    assert (tmp_path / "link.plcfrs").is_symlink()
    assert (tmp_path / "real.plcfrs").stat().st_size > 0
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.full
@needs_resource
@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("parse g.plcfrs words.txt -o a.export", "a.export"),
        ("surprisal g.plcfrs words.txt -o a.tsv", "a.tsv"),
        ("eval plcfrs:demo plcfrs:demo -o a.csv", "a.csv"),
        ("train gap plcfrs:demo --sentences 1-9 --epochs 1 -o a.gap", "a.gap"),
        ("experiment e.yaml -o results", "results"),
    ],
)
def test_a_full_disk_names_the_file(tmp_path, monkeypatch, command, name):
    monkeypatch.chdir(tmp_path)
    assert run(["extract", "plcfrs:demo", "--sentences", "1-9", "-o", "g.plcfrs"]) == 0
    Path("words.txt").write_text("kato kuras\n" * 200, encoding="utf-8")
    Path("e.yaml").write_text(
        "title: kato\ntreebank: {path: 'plcfrs:demo'}\n"
        "sets: {training: {sentences: 1-110}, test: {sentences: 111-120}}\n"
        "parsers: {grammar: {training: training, test: test}}\n"
        "scores: [{kind: parsers, gold: test}]\n",
        encoding="utf-8",
    )
    done = shell(f"export PYTHONDONTWRITEBYTECODE=1; ulimit -f 1; plcfrs {command}", tmp_path)
    assert done.returncode == 1
    message = done.stderr.splitlines()[-1]
    assert message.startswith("plcfrs: ")
    assert f"{name}" in message.partition(": File")[0]
    assert message.endswith(": File too large")
