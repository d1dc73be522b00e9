"""The transformation against its naive twin: on random trees, and on real and packaged ones."""

from importlib.resources import files

import naive_transform as naive
import pytest
from bracket import read, show
from demo_trees import raw_demo_trees
from hypothesis import given
from quick import core
from trace_examples import brackets

from plcfrs.transformation import CONTEXT_FREE, EVANG_KALLMEYER, Options, transform

VARIANTS = {
    "evang-kallmeyer": (EVANG_KALLMEYER, {}),
    "context-free": (CONTEXT_FREE, {"types": ()}),
    "without ICH and EXP": (Options(reattach=("*T*", "*RNR*")), {"types": ("*T*", "*RNR*")}),
    "with SBAR, without splits": (
        Options(keep_sbar=True, splits=()),
        {"keep_sbar": True, "splits": ()},
    ),
}


def assert_same(tree, nested, variant):
    options, naive_options = VARIANTS[variant]
    expected, expected_anomalies = naive.transform(nested, **naive_options)
    anomalies = []
    tree = transform(tree, options, anomalies)
    assert (show(tree) if tree.tokens else None) == expected
    expected_kinds = sorted(kind for kind, _ in expected_anomalies)
    assert sorted(anomaly.kind for anomaly in anomalies) == expected_kinds


@core(1, "variant", VARIANTS)
@given(brackets())
def test_random_trees(variant, text):
    assert_same(read(text), naive.read(f"({text})")[0], variant)


@core(1, "variant", VARIANTS)
def test_packaged_trees(variant):
    text = (files("plcfrs") / "data" / "demo.mrg").read_text(encoding="utf-8")
    pairs = zip(raw_demo_trees(), naive.read(text), strict=True)
    assert len([assert_same(*pair, variant) for pair in pairs]) == 140


@pytest.mark.full
@pytest.mark.parametrize("variant", VARIANTS)
def test_penn_treebank_sample(variant, penn_treebank):
    from nltk.corpus import treebank

    nested = [tree for name in treebank.fileids() for tree in naive.read(treebank.raw(name))]
    assert len(nested) == 3914
    for tree, other in zip(penn_treebank, nested, strict=True):
        assert_same(tree, other, variant)
