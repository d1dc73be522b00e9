"""Caches of kernels: unused ones are removed, and nothing else."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from numba.core.event import trigger_event

import plcfrs
import plcfrs.jit
from plcfrs.compiling import working_time

DAY = 24 * 60 * 60
pytestmark = pytest.mark.full  # they start processes and compile kernels, or sleep


def start(cache):
    """Start a process that checks the caches in a folder."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", "from plcfrs.jit import CACHE; print(CACHE.name)"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def finish(process):
    name, _ = process.communicate()
    assert process.returncode == 0
    return name.strip()


def make(folder, days):
    """Make a file or folder that was last used some days ago."""
    (folder / "plcfrs.chart_1").mkdir(parents=True)
    (folder / "plcfrs.chart_1" / "kernel.nbi").write_bytes(b"machine code")
    then = time.time() - days * DAY
    os.utime(folder, (then, then))


def test_only_old_caches_are_removed(tmp_path):
    folder = tmp_path / "plcfrs"
    for number in range(20):
        make(folder / f"kernels-{number:016x}", 31)
    others = ["kernels-00000000000000ff", "kernels-of-mine", "kernels-0123", "figures"]
    for name, days in zip(others, (29, 99, 99, 99), strict=True):
        make(folder / name, days)
    make(tmp_path / "kernels-0000000000000000", 99)
    (folder / "kernels-000000000000000a").rename(tmp_path / "elsewhere")
    (folder / "kernels-000000000000000a").symlink_to(tmp_path / "elsewhere")
    then = time.time() - 99 * DAY
    os.utime(folder / "kernels-000000000000000a", (then, then), follow_symlinks=False)
    used = {finish(process) for process in [start(tmp_path), start(tmp_path)]}  # both at once
    left = {path.name for path in folder.iterdir()}
    assert left == {*used, *others, "kernels-000000000000000a"}
    assert (tmp_path / "elsewhere" / "plcfrs.chart_1" / "kernel.nbi").exists()
    assert (tmp_path / "kernels-0000000000000000").exists()


def test_the_cache_that_is_used_stays(tmp_path):
    used = tmp_path / "plcfrs" / finish(start(tmp_path))
    make(used / "more", 99)
    os.utime(used, (0, 0))
    finish(start(tmp_path))
    assert (used / "more").exists()
    assert used.stat().st_mtime > time.time() - DAY


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder in which nobody can write")
def test_a_folder_that_cannot_be_written_is_left_alone():
    assert finish(start("/proc")).startswith("kernels-")


WAITING = """
from plcfrs.compiling import watchers
from plcfrs.jit import wide

watchers.add(lambda trouble: print("told", flush=True))
print(wide(3))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes do not wait for each other there")
def test_a_process_waits_while_another_one_compiles(tmp_path):
    import fcntl

    folder = tmp_path / "plcfrs" / finish(start(tmp_path))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", WAITING]
    with (folder / "plcfrs.jit.wide.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "told\n"
        assert process.poll() is None
    assert finish(process).split() == ["told", "3"]


PARSING = """
from numba.core.event import install_recorder

from plcfrs import Grammar, GrammarModel
from plcfrs.grammar import Nonterminal, Rule, tag
from plcfrs.jit import interpreter

interpreter.stop()
s, a = Nonterminal("S"), tag("A")
model = Grammar({Rule(s, (s, s), ((0, 1),)): 1, Rule(s, (a,), ((0,),)): 1}, start=s)
with install_recorder("numba:compile") as recorder:
    print(GrammarModel(model).parse([("a", "A")] * 4).status)
for _, event in recorder.buffer:
    if event.is_start and event.data["dispatcher"].py_func.__module__.startswith("plcfrs"):
        print(event.data["dispatcher"].py_func.__name__, *event.data["args"], sep="|")
"""


TROUBLE = """
import errno, logging, pwd, resource, sys, tempfile

def refuse(*_, **__):
    raise OSError(errno.EROFS, "Read-only file system")

def know_nobody(*_):
    raise KeyError

{fault}
from plcfrs.compiling import watchers
from plcfrs.jit import wide

watchers.add(lambda trouble: print("told", trouble, sep=": "))
print(wide(3), wide(True))
"""
FULL = "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))"  # Python gets EFBIG, no signal


def compile_with(fault, **variables):
    """Compile and use a kernel in a process with a fault, and return the lines it prints."""
    environment = {**os.environ, **variables}
    command = [sys.executable, "-c", TROUBLE.format(fault=fault)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="has no limits of processes")
@pytest.mark.parametrize(
    ("fault", "reason", "variables"),
    [
        (FULL, "File too large", {}),
        ("tempfile.TemporaryFile = refuse", "Read-only file system", {}),
        ("", "Not a directory", {"NUMBA_CACHE_DIR": os.devnull}),
        (
            "pwd.getpwuid = know_nobody; import os; del os.environ['HOME']",
            "Not a directory",
            {"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": ""},
        ),
    ],
)
def test_kernels_that_cannot_be_kept_are_compiled(tmp_path, fault, reason, variables):
    *told, last = compile_with(fault, **{"NUMBA_CACHE_DIR": str(tmp_path), **variables})
    assert last == "3 1"
    assert told[-1].startswith("told: ")
    assert told[-1].endswith(f": {reason}")
    assert "kernels-" in told[-1]


@pytest.mark.skipif(sys.platform == "win32", reason="has no limits of processes")
@pytest.mark.parametrize("fault", [FULL, "tempfile.TemporaryFile = refuse"])
def test_kernels_are_read_where_none_can_be_written(tmp_path, fault):
    assert compile_with("", NUMBA_CACHE_DIR=str(tmp_path))[0] == "told: "
    assert compile_with(fault, NUMBA_CACHE_DIR=str(tmp_path)) == ["3 1"]


@pytest.mark.parametrize(
    ("pattern", "damage"),
    [("*.nbi", b""), ("*.nbi", b"junk"), ("*.nbi", None), ("*.nbc", None)],
)
def test_damaged_kernels_are_compiled_again(tmp_path, pattern, damage):
    assert compile_with("", NUMBA_CACHE_DIR=str(tmp_path))[0] == "told: "
    for file in tmp_path.rglob(pattern):
        file.write_bytes(file.read_bytes()[:40] if damage is None else damage)
    assert compile_with("", NUMBA_CACHE_DIR=str(tmp_path))[0] == "told: "
    assert compile_with("", NUMBA_CACHE_DIR=str(tmp_path)) == ["3 1"]


def test_without_a_watcher_trouble_is_logged_once():
    script = TROUBLE.format(fault="").replace("watchers.add", "str")
    environment = {**os.environ, "NUMBA_CACHE_DIR": os.devnull}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "3 1\n"
    assert done.stderr.count("\n") == 1
    assert "compiling the parsers at each start" in done.stderr


def test_two_processes_with_an_empty_cache_share_the_compilation(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def start_parsing():
        command = [sys.executable, "-c", PARSING]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)

    both = [start_parsing(), start_parsing()]
    found = [finish(process).splitlines() for process in both]
    assert [lines[0] for lines in found] == ["parsed", "parsed"]
    one, other = (lines[1:] for lines in found)
    assert len(one) + len(other) > 20
    assert {line for line in one if "lambda" not in line}.isdisjoint(other)
    assert finish(start_parsing()) == "parsed"

    # A copy of plcfrs in another folder compiles nothing either.
    shutil.copytree(Path(plcfrs.__file__).parent, tmp_path / "copy" / "plcfrs")
    environment["PYTHONPATH"] = str(tmp_path / "copy")
    assert finish(start_parsing()) == "parsed"


def test_the_clock_stands_still_while_kernels_are_compiled():
    assert plcfrs.jit  # which stops the clock
    compiled = SimpleNamespace(py_func=test_the_clock_stands_still_while_kernels_are_compiled)
    before, start = working_time(), time.perf_counter()
    with trigger_event("numba:compile", data={"dispatcher": compiled}):
        time.sleep(0.1)
        assert working_time() - before < time.perf_counter() - start - 0.09
        with trigger_event("numba:compile", data={"dispatcher": compiled}):
            time.sleep(0.1)
    after = working_time()
    assert after - before < time.perf_counter() - start - 0.19
    time.sleep(0.01)
    assert working_time() > after
