"""`plcfrs parse --resume`: after any interruption, the output is that of an uninterrupted run."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import killer
import pytest
from quick import full

from plcfrs.cli import parse_command, run

PLCFRS = [sys.executable, "-m", "plcfrs"]
SENTENCES = [
    "What/WP should/MD we/PRP do/VB ?/.",
    "",
    "xyzzy/QQ",
    "./. ./.",
    "Who/WP knows/VBZ ?/.",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("resuming")
    killer.killer().save(found / "demo.plcfrs")
    return found


def write_input(path, size, seed=1):
    choose = random.Random(seed).choice
    path.write_text("".join(f"{choose(SENTENCES)}\n" for _ in range(size)))
    return path


def rows(path):
    """Return the rows of statistics without their times."""
    return [line.split("\t")[:10] for line in path.read_text().splitlines()]


class Stopped(BaseException):
    pass


def stop_after(monkeypatch, sentences):
    """Make a run end after some sentences."""
    write = parse_command.ParseRun.write

    def counting(run, outcome, *rest):
        if run.summary.sentences == sentences:
            raise Stopped
        return write(run, outcome, *rest)

    monkeypatch.setattr(parse_command.ParseRun, "write", counting)


@pytest.mark.parametrize(
    ("format", "options"),
    [
        ("export", []),
        ("tigerxml", ["--nbest", "3"]),
        *(
            full(format, options)
            for format in ("export", "tigerxml", "discbracket")
            for options in ([], ["--nbest", "3"], ["--min-posterior", "0.5"])
        ),
    ],
)
def test_every_format(folder, tmp_path, monkeypatch, capsys, format, options):
    monkeypatch.chdir(tmp_path)
    source = write_input(tmp_path / "in.tagged", 40)
    command = ["parse", str(folder / "demo.plcfrs"), str(source), "--to", format, *options]
    assert run([*command, "-o", "whole", "--stats", "whole.tsv"]) == 0
    capsys.readouterr()
    command += ["-o", "out", "--stats", "out.tsv"]
    for stop in (3, 0, 17, 39):
        with monkeypatch.context() as patch:
            stop_after(patch, stop)
            with pytest.raises(Stopped):
                run([*command, *(["--resume"] if stop in (17, 39) else [])])
        if stop:
            # Half a tree and half a line come after the last sentence in the journal.
            for name in ("out.part", "out.tsv.part", "out.progress"):
                with Path(name).open("a") as file:
                    file.write("half a")
    assert run([*command, "--resume"]) == 0
    assert Path("out").read_bytes() == Path("whole").read_bytes()
    assert rows(Path("out.tsv")) == rows(Path("whole.tsv"))
    assert "of 40 sentences parsed" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["in.tagged", "out", "out.tsv", "whole", "whole.tsv"]
    )


@pytest.mark.parametrize("jobs", ["1", full("2")])
def test_the_file_of_posteriors(folder, tmp_path, monkeypatch, jobs):
    monkeypatch.chdir(tmp_path)
    source = write_input(tmp_path / "in.tagged", 20)
    command = ["parse", str(folder / "demo.plcfrs"), str(source)]
    assert run([*command, "-o", "whole.export", "--posteriors", "posteriors.tsv"]) == 0
    whole = Path("posteriors.tsv").rename("whole.tsv").read_text()
    command += ["-o", "out.export", "--posteriors", "posteriors.tsv", "--resume"]
    with monkeypatch.context() as patch:
        stop_after(patch, 11)
        with pytest.raises(Stopped):
            run(command)
    with Path("posteriors.tsv.part").open("a") as file:
        file.write("half a")
    assert run([*command, "--jobs", jobs]) == 0
    assert Path("posteriors.tsv").read_text() == whole
    assert whole.startswith("id\tcategory\ttokens\tprobability\n")


def test_a_run_that_ended_when_one_file_had_its_name(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = write_input(tmp_path / "in.tagged", 9)
    command = ["parse", str(folder / "demo.plcfrs"), str(source), "--to", "tigerxml"]
    assert run([*command, "-o", "whole"]) == 0
    command += ["-o", "out", "--stats", "out.tsv"]
    with monkeypatch.context() as patch:
        stop_after(patch, 8)
        with pytest.raises(Stopped):
            run(command)
    Path("out.tsv.part").rename("out.tsv")
    assert run([*command, "--resume"]) == 0
    assert Path("out").read_bytes() == Path("whole").read_bytes()
    assert len(rows(Path("out.tsv"))) == 10


@pytest.mark.parametrize("jobs", ["1", full("2")])
def test_other_input_or_options_are_refused_and_nothing_is_lost(
    folder, tmp_path, monkeypatch, capsys, jobs
):
    monkeypatch.chdir(tmp_path)
    source = write_input(tmp_path / "in.tagged", 20)
    before = source.read_text()
    command = ["parse", str(folder / "demo.plcfrs"), "in.tagged", "-o", "out.export"]
    with monkeypatch.context() as patch:
        stop_after(patch, 10)
        with pytest.raises(Stopped):
            run(command)
    assert "run the same command with --resume" in capsys.readouterr().err
    part = Path("out.export.part").read_bytes()
    lines = before.splitlines(keepends=True)
    for changed, error in [
        ("", "sentence 1 of the input has changed"),
        ("".join(lines[:5]), "sentence 6 of the input has changed"),
        ("".join([*lines[:7], "other/NN\n", *lines[8:]]), "sentence 8 of the input has changed"),
    ]:
        source.write_text(changed)
        assert run([*command, "--resume"]) == 2
        assert error in capsys.readouterr().err
    source.write_text(before)
    assert run([*command, "--resume", "--max-items", "1000"]) == 2
    assert "in --max-items (none, now 1000)" in capsys.readouterr().err
    assert Path("out.export.part").read_bytes() == part
    assert run([*command, "--resume", "--jobs", jobs]) == 0
    assert run([*command[:-1], "whole.export"]) == 0
    assert Path("out.export").read_bytes() == Path("whole.export").read_bytes()


def test_another_lexicon_beside_the_rules_is_another_grammar(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a.rules").write_text("S\tA\t0\t1\n")
    Path("a.lex").write_text("word\tA 1\n")
    Path("in.tokens").write_text("word\n" * 9)
    command = ["parse", "a.rules", "in.tokens", "-o", "out.export"]
    with monkeypatch.context() as patch:
        stop_after(patch, 5)
        with pytest.raises(Stopped):
            run(command)
    Path("a.lex").write_text("word\tA 1\nother\tA 1\n")
    assert run([*command, "--resume"]) == 2
    assert "this run differs from the earlier one in model" in capsys.readouterr().err


def test_what_cannot_be_resumed(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    source = write_input(tmp_path / "in.tagged", 2)
    command = ["parse", str(folder / "demo.plcfrs"), str(source), "--resume"]
    for output in ([], ["-o", "out.export.gz"], ["-o", "out.export", "--stats", "/dev/null"]):
        assert run([*command, *output]) == 2
        assert "--resume needs files" in capsys.readouterr().err
    assert run([*command, "-o", "out.export"]) == 0  # nothing to resume: from the beginning
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.tagged", "out.export"]


def test_a_run_that_comes_to_nothing_leaves_nothing(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["parse", str(folder / "demo.plcfrs"), "no.tagged", "-o", "out.export"]) == 2
    assert list(tmp_path.iterdir()) == []


def wait_for(path, size, process):
    while not (path.exists() and path.stat().st_size >= size) and process.poll() is None:
        time.sleep(0.002)


def kill_and_resume(folder, tmp_path, kills, sentences, seed):
    """Kill a run again and again, each time somewhere after the end of the one before."""
    source = write_input(tmp_path / "in.tagged", sentences, seed)
    command = [*PLCFRS, "parse", folder / "demo.plcfrs", source]
    subprocess.run([*command, "-o", tmp_path / "whole.export"], check=True, capture_output=True)
    command += ["-o", tmp_path / "out.export", "--stats", tmp_path / "out.tsv", "--resume"]
    journal = tmp_path / "out.export.progress"
    randomly = random.Random(seed)
    killed = 0
    for number in range(kills):
        jobs = ["--jobs", str(1 + number % 2)]
        with subprocess.Popen([*command, *jobs], stderr=subprocess.DEVNULL) as process:
            done = journal.stat().st_size if journal.exists() else 0
            wait_for(journal, done + randomly.randrange(1, 50 * sentences // kills), process)
            process.send_signal(signal.SIGKILL)
        killed += process.returncode == -signal.SIGKILL
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / "out.export").read_bytes() == (tmp_path / "whole.export").read_bytes()
    assert len(rows(tmp_path / "out.tsv")) == sentences + 1
    assert not journal.exists()
    return killed


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGKILL")
def test_killed_twice(folder, tmp_path):
    assert kill_and_resume(folder, tmp_path, 2, 3000, seed=1) == 2


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGKILL")
def test_killed_ten_times(folder, tmp_path):
    assert kill_and_resume(folder, tmp_path, 10, 20_000, seed=2) == 10


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of files")
def test_full_disk(folder, tmp_path):
    import resource

    source = write_input(tmp_path / "in.tagged", 300)
    command = ["parse", str(folder / "demo.plcfrs"), str(source)]
    assert run([*command, "-o", str(tmp_path / "whole.export")]) == 0
    command += ["-o", str(tmp_path / "out.export")]
    size = (tmp_path / "whole.export").stat().st_size // 2

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    failed = subprocess.run([*PLCFRS, *command], capture_output=True, text=True, preexec_fn=limit)
    assert failed.returncode == 1
    assert "Traceback" not in failed.stderr
    assert "File too large" in failed.stderr
    assert (tmp_path / "out.export.part").stat().st_size <= size
    assert run([*command, "--resume"]) == 0
    assert (tmp_path / "out.export").read_bytes() == (tmp_path / "whole.export").read_bytes()


def members(group):
    """Return the processes of a group that are alive."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group and state != "Z":
            found.append(int(stat.parent.name))
    return found


def heed_interrupts():
    """Undo what a shell does to the processes that it starts in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks into /proc")
@pytest.mark.full
@pytest.mark.parametrize("moment", ["in the middle", "at the start"])
def test_interrupted_by_ctrl_c(folder, tmp_path, moment):
    source = write_input(tmp_path / "in.tagged", 4000)
    command = [*PLCFRS, "parse", folder / "demo.plcfrs", source, "-o", tmp_path / "out.export"]
    with subprocess.Popen(
        [*command, "--jobs", "2"],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_interrupts,
    ) as process:
        size = 20_000 if moment == "in the middle" else 1
        wait_for(tmp_path / "out.export.progress", size, process)
        os.killpg(process.pid, signal.SIGINT)  # as the terminal does
        stderr = process.stderr.read()
        process.wait(timeout=60)
    assert process.returncode == 1
    assert "Traceback" not in stderr
    assert stderr.splitlines()[-1] == "plcfrs: interrupted"
    end = time.monotonic() + 60
    while members(process.pid):
        assert time.monotonic() < end
        time.sleep(0.05)
    if moment == "in the middle":
        done = int(re.search(r"of (\d+) sentences", stderr)[1])
        assert 0 < done < 4000
        resumed = subprocess.run([*command, "--resume"], check=True, capture_output=True, text=True)
        behind = int(re.search(r"resuming after sentence (\d+)", resumed.stderr)[1])
        assert behind - done in (0, 1)  # the signal may come before it is counted
        assert "of 4000 sentences" in resumed.stderr
    else:
        assert not list(tmp_path.glob("out*"))
