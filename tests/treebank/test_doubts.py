"""Warnings about texts that may mean something else: once, with the place."""

import pytest

from plcfrs import extract
from plcfrs.errors import TreebankWarning
from plcfrs.treebank import read_trees

TREE = "( (S (NP (NN zorb)) (VP (VB fell) (NP (-NONE- *)))))\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.mrg",
            "(S (NN 0=zorb) (VB 1=fell))\n",
            "a tree has words with their positions, 0=, and 1 more",
        ),
        (
            "a.mrg",
            "( (S (NN zorb)) (ID Z,1))\n",
            r"\(ID Z,1\) is read as a word, and 1 more such word: if",
        ),
        ("a.mrg", "( (S|<VP-.> (NN a)))\n", r"S\|<VP-\.> is a label of a binarization, and 1 more"),
        ("a.txt", "(S (NN zorb) (VB fell))\n", r"a sentence begins like a tree, \(S, and 1 more"),
    ],
)
def test_what_does_not_fit_further_on(tmp_path, name, text, message):
    path = tmp_path / name
    before = TREE if name == "a.mrg" else "The zorb fell .\n"
    path.write_text(before * 2 + text * 2)
    with pytest.warns(TreebankWarning, match=rf"{name}:3: {message}") as caught:
        assert len(list(read_trees(path))) == 4
    assert len(caught) == 1


def test_binarized_labels_stay_apart(tmp_path):
    path = tmp_path / "a.mrg"
    path.write_text("(S (NN a) (S|<VP-.> (VB b)))\n(S (NN a) (S|<VP-,> (VB b)))\n")
    with pytest.warns(TreebankWarning, match="binarization"):
        grammar = extract(read_trees(path))
    assert {rule.lhs[0] for rule in grammar.rules} >= {"S|<VP-.>", "S|<VP-,>"}
