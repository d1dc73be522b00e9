"""Every command reads an annotation project as a treebank."""

import pytest
from demo_trees import demo_trees

from plcfrs.project import create

_COMMANDS = [
    "find my-treebank NP",
    "draw my-treebank --sentences 1",
    "transform my-treebank -o crossing.export",
    "statistics my-treebank",
    "check my-treebank",
    "index my-treebank -o trees.treebank",
    "extract my-treebank -o grammar.plcfrs",
    "train gap my-treebank --epochs 1 -o gap.gap",
    "eval my-treebank my-treebank",
    "compare my-treebank my-treebank my-treebank --samples 10",
    "parse grammar.plcfrs my-treebank --sentences 1-2",
    "surprisal grammar.plcfrs my-treebank --sentences 1",
    "relations my-treebank --sentences 1",
]


@pytest.mark.full
def test_all_commands_read_a_project(plcfrs, tmp_path):
    sentences = [(f"doc{number // 20}", tree) for number, tree in enumerate(demo_trees())]
    create(tmp_path / "my-treebank", sentences, "anna", "", trees=True)
    assert plcfrs("convert", "my-treebank", "-o", "mytre.jsonl").code == 0
    for command in _COMMANDS:
        code, out, _ = plcfrs(*command.split())
        expected = plcfrs(*command.replace("my-treebank", "mytre.jsonl").split())
        assert (code, out) == (0, expected.out.replace("mytre.jsonl", "my-treebank")), command
