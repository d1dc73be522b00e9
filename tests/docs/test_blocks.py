"""Every block of code of the README and the documentation runs and prints what stands below it.

To accept what they print now, run with PLCFRS_ACCEPT=1 and read the diff.
"""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from blocks import blocks_of, fits, without_blanks
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
MADE = {"api", "build", "jupyter_execute"}  # by Sphinx
PAGES = sorted(
    path.relative_to(ROOT)
    for folder in (".", "docs/**", "examples/**", "grammars")
    for path in ROOT.glob(f"{folder}/*.md")
    if not MADE & set(path.parts)
)


@pytest.mark.full
@pytest.mark.parametrize("page", PAGES, ids=str)
def test_page(page, request, tmp_path, monkeypatch):
    """Run a page in an empty folder where `plcfrs` is the one that is tested."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = [block for block in blocks_of(text) if block.says != "not run"]
    if any("nltk:treebank" in block.code for block in blocks):
        request.getfixturevalue("penn_treebank")
    if any("train neural" in block.code for block in blocks):
        request.getfixturevalue("pytorch")
    if any("import spacy" in block.code for block in blocks):
        request.getfixturevalue("spacy")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{commands(tmp_path / '.bin')}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    names = {"__name__": "__main__"}
    printed = [printed_by(block, names, f"{page}:{block.line + 1}") for block in blocks]
    if os.environ.get("PLCFRS_ACCEPT"):
        (ROOT / page).write_text(with_outputs(text, blocks, printed), encoding="utf-8")
        return
    for block, output in zip(blocks, printed, strict=True):
        if block.expected is not None and not fits(block.expected, output):
            # For pytest's diff.
            assert without_blanks(output) == without_blanks(block.expected), (
                f"{page}:{block.line + 1}"
            )


def commands(folder):
    """Make a folder with the commands `plcfrs` and `python`."""
    folder.mkdir()
    for name, module in {"plcfrs": "-m plcfrs", "python": ""}.items():
        command = folder / name
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n', encoding="utf-8")
        command.chmod(0o755)
    return folder


def printed_by(block, names, place):
    """Run a block and return what it prints; of a command, the errors if there is nothing else."""
    if block.says == "file":
        Path(block.value).parent.mkdir(parents=True, exist_ok=True)
        Path(block.value).write_text(block.code, encoding="utf-8")
        return ""
    if block.language == "python":
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(block.code, place, "exec"), names)
        return output.getvalue()
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.code],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    code = int(block.value) if block.says == "exit" else 0
    assert done.returncode == code, f"{place}: {done.stderr or done.stdout}"
    return done.stdout or done.stderr


def with_outputs(text, blocks, printed):
    """Put what the blocks have printed where it does not fit what is expected."""
    lines = text.splitlines(keepends=True)
    for block, output in reversed(list(zip(blocks, printed, strict=True))):
        if block.expected is not None and not fits(block.expected, output):
            first, last = block.expected_lines
            varying = [
                line
                for line in block.expected.splitlines()
                if line.strip() != "..." and "..." in line
            ]
            lines[first + 1 : last - 1] = [
                next((each for each in varying if fits(each, line)), line) + "\n"
                for line in without_blanks(output).splitlines()
            ]
    return "".join(lines)


def test_every_block_has_a_language():
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        fences = [token for token in MarkdownIt().parse(text) if token.type == "fence"]
        assert all(token.info for token in fences), page
