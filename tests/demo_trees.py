"""The demo treebank, read and transformed once a process; each call returns new copies."""

import pickle

from plcfrs.transformation import EVANG_KALLMEYER, Options, transform
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree

_PICKLED: dict[str, bytes] = {}


def demo_trees(options: Options | None = EVANG_KALLMEYER) -> list[Tree]:
    """Return the trees with crossing branches; without options, as they are in the file."""
    name = repr(options)
    if name not in _PICKLED:
        trees = list(read_trees("plcfrs:demo"))
        if options is not None:
            trees = [transform(tree, options) for tree in trees]
        _PICKLED[name] = pickle.dumps(trees)
    return pickle.loads(_PICKLED[name])


def raw_demo_trees() -> list[Tree]:
    """Return the trees with their traces and null elements."""
    return demo_trees(None)
