"""``plcfrs extract --jobs``: the same file and messages, interrupts, lost processes."""

import os
import signal
import subprocess
import sys
import time

import pytest

from plcfrs.cli import run
from plcfrs.errors import WorkerError

TREE = "(ROOT (S (NP (PRP 0=We)) (VP (VBP 1=sing))))\n"
ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")


@pytest.mark.full
@pytest.mark.parametrize(
    "options",
    [
        ["--skip-bad"],
        ["--skip-bad", "--sentences", "1-9,1400-1500", "--max-length", "5"],
        [],
    ],
)
def test_any_number_of_processes_gives_the_same(options, tmp_path, capsys):
    lines = [TREE] * 2000
    lines[3] = lines[1450] = "(ROOT (S we))\n"
    treebank = tmp_path / "a.discbracket"
    treebank.write_text("".join(lines))
    results = []
    for jobs in ("1", "3"):
        output = tmp_path / f"{jobs}.plcfrs"
        code = run(["extract", str(treebank), *options, "--jobs", jobs, "-o", str(output)])
        content = output.read_bytes() if output.exists() else None
        results.append((code, content, capsys.readouterr()))
    assert results[0] == results[1]
    code, _, captured = results[0]
    assert code == (0 if options else 2)
    assert "a.discbracket:4: expected position=word" in captured.err
    assert ("malformed trees skipped: 2" in captured.err) == bool(options)


@pytest.fixture
def extraction(tmp_path):
    """Run `extract` over a pipe that stays open, with two processes at work."""
    output = tmp_path / "a.plcfrs"
    command = [sys.executable, "-m", "plcfrs", "extract", "--jobs", "2", "-o", output]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        process.stdin.write(TREE * 5000)
        process.stdin.flush()
        yield process, output
        process.kill()


def children_of(pid):
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [int(line) for line in found.stdout.split()]


def workers_of(process):
    """Wait for the two processes that work for a process, started by a fork server."""
    while process.poll() is None:
        pids = [worker for child in children_of(process.pid) for worker in children_of(child)]
        if len(pids) == 2:
            return pids
        time.sleep(0.1)
    pytest.fail(process.stderr.read())


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.full
@ON_POSIX
def test_an_interrupt_ends_all_processes(extraction):
    process, output = extraction
    pids = workers_of(process)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=60)
    assert process.returncode == 1
    assert process.stderr.read().strip() == "plcfrs: interrupted"
    assert not any(map(is_alive, pids))
    assert not output.exists()


@pytest.mark.full
@ON_POSIX
def test_a_process_that_is_killed_is_replaced(extraction):
    process, output = extraction
    os.kill(workers_of(process)[0], signal.SIGKILL)
    process.stdin.write(TREE * 5000)
    process.stdin.close()
    process.wait(timeout=60)
    assert "rules" in process.stderr.read()
    assert process.returncode == 0
    assert output.exists()


def test_lost_processes_are_a_failed_run(tmp_path, monkeypatch, capsys):
    def lost(*_arguments, **_options):
        raise WorkerError(
            "a worker process ended by SIGKILL, and so did a second one on the same item"
        )

    monkeypatch.setattr("plcfrs.corpus.parts.map_in_order", lost)
    arguments = ["extract", "plcfrs:demo", "--jobs", "2", "-o", str(tmp_path / "a.plcfrs")]
    assert run(arguments) == 1
    assert capsys.readouterr().err == (
        "plcfrs: a worker process ended by SIGKILL, and so did a second one on the same item\n"
    )
