"""The trees that the benchmarks train on and those that they parse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from plcfrs.transformation import Options, transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree

# Files of NLTK's sample of the Penn Treebank.
TRAINING = [f"nltk:treebank/wsj_{block:03d}*" for block in range(16)]
DEVELOPMENT = ["nltk:treebank/wsj_016*", "nltk:treebank/wsj_017*"]
TEST = ["nltk:treebank/wsj_018*", "nltk:treebank/wsj_019*"]

# What the benchmarks run, by tool.
RUNS = yaml.safe_load(Path(__file__).with_name("runs.yaml").read_text(encoding="utf-8"))

LENGTHS = {"<= 25": 25, "<= 40": 40, "all": None}


def parts(
    treebank: str | None, options: Options, test: list[str] = TEST
) -> tuple[list[Tree], list[Tree]]:
    """Return trees for training and trees to score on: of any treebank the last tenth."""
    if treebank is None:
        return list(_read(TRAINING, options)), list(_read(test, options))
    trees = list(_read([treebank], options))
    border = len(trees) * 9 // 10
    return trees[:border], trees[border:]


def described(treebank: str | None, test: list[str] = TEST) -> str:
    """Return in words what `parts` returns."""
    if treebank is None:
        files = "0180-0199" if test == TEST else "0160-0179"
        return f"NLTK's sample of the Penn Treebank: trained on files 0001-0159, tested on {files}"
    return f"{Path(treebank).name}: trained on the first nine tenths, tested on the last"


def _read(names: list[str], options: Options) -> Iterator[Tree]:
    return transform_all(read_trees(names), options)
