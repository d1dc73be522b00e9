"""People are told once that kernels are compiled, and only if they are not in the cache."""

import os
import subprocess
import sys

import pytest
from terminal import shown_on_terminal

from plcfrs.cli import program as cli
from plcfrs.compiling import tell_watchers

LINE = "compiling the parsers, once in this environment: a minute or more ...\n"

# Commands that compile only one small kernel: here, or in other processes.
HERE = """
import sys
from plcfrs.cli import program as cli
from plcfrs.jit import wide

cli.plcfrs.main = lambda *_, **__: print(wide(3) + wide(True))
cli.run([])
"""

ELSEWHERE = """
from plcfrs.cli import program as cli
from plcfrs.corpus.workers import map_in_order

def start():
    from plcfrs.jit import wide
    return wide

if __name__ == "__main__":
    cli.plcfrs.main = lambda *_, **__: print(*map_in_order(start, [[3], [4], [5]], 2))
    cli.run([])
"""

WITH_A_BAR = """
from tqdm import tqdm
from plcfrs.cli import program as cli
from plcfrs.jit import wide

cli.plcfrs.main = lambda *_, **__: [wide(number) for number in tqdm([3], "parse")]
cli.run([])
"""


@pytest.mark.full
@pytest.mark.parametrize("script", [HERE, ELSEWHERE])
def test_a_line_unless_all_is_in_the_cache(tmp_path, script):
    path = tmp_path / "script.py"
    path.write_text(script)

    def told():
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
        command = [sys.executable, path]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    assert told().stderr == LINE
    assert told().stderr == ""


@pytest.mark.full
def test_a_line_of_its_own_beside_a_progress_bar(tmp_path):
    shown = shown_on_terminal("-c", WITH_A_BAR, NUMBA_CACHE_DIR=str(tmp_path))
    before, line, after = shown.partition(LINE.rstrip())
    assert line
    assert before.endswith("\r")  # the bar is removed, and comes again
    assert "parse: 100%" in after


def test_each_line_is_said_once(monkeypatch, capsys):
    trouble = "/cache: No space left on device"

    def compiling(*_, **__):
        for reason in ("", "", trouble, trouble):
            tell_watchers(reason)

    monkeypatch.setattr(cli.plcfrs, "main", compiling)
    assert cli.run([]) == 0
    assert capsys.readouterr().err == LINE + (
        f"compiling the parsers at each start, because they cannot be kept: {trouble}: "
        "set NUMBA_CACHE_DIR to another folder\n"
    )
