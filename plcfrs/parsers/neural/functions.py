"""The head of functions: what it reads of a tree, and its scores with NumPy.

The functions of a child of a node are scored from the categories around it, and from the vectors of
tokens before and after the LSTMs: pretrained encoders know much about the meaning of a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from plcfrs.completion.context import Part
from plcfrs.networks.encoding import Float32, Int32, Shapes, linear, linear_shapes
from plcfrs.networks.quantization import Matrix, rows_of
from plcfrs.networks.rounded import linear_layer
from plcfrs.threads import one_thread
from plcfrs.trees import Node, Tree
from plcfrs.trees.tree import leftmost

PREFIX = "functions."  # of the names of the arrays

TOKENS = 8
CATEGORIES = 10


class FunctionRows(NamedTuple):
    """What the head reads of children, and what it learns.

    Parameters
    ----------
    tokens : array of (children, TOKENS)
        Their first and last tokens, the one before and the one after; the first token of their last
        child and of their left sister; the first and last tokens of their mother. -1 for none.
    categories : array of (children, CATEGORIES)
        Each place has its own numbers.
    labels : array of (children,)
        Their functions; -1 for unknown ones.
    """

    tokens: Int32
    categories: Int32
    labels: Int32

    @classmethod
    def joined(cls, rows: Sequence[FunctionRows], lengths: Int32) -> FunctionRows:
        """Return the rows of a batch, given those of its sentences and their lengths."""
        tokens, categories, labels = map(np.concatenate, zip(*rows, strict=True))
        counts = [len(each.tokens) for each in rows]
        offsets = np.repeat(np.cumsum(lengths) - lengths, counts)[:, None]
        moved = np.where(tokens < 0, tokens, tokens + offsets)
        return cls(moved.astype(np.int32), categories, labels)


class Functions(NamedTuple):
    """The functions that the head knows.

    Parameters
    ----------
    labels : tuple of str
        All functions of a child as one text, which is empty for none.
    categories : tuple of str
        The categories and tags around children.
    words : bool
        Whether words have functions, too.
    """

    labels: tuple[str, ...]
    categories: tuple[str, ...]
    words: bool

    @classmethod
    def of(cls, trees: Iterable[Tree]) -> Functions | None:
        """Return the functions of trees, or None if they have none."""
        labels, categories, words = {""}, set(), False
        for tree in trees:
            nodes, tokens = tree.nodes(), tree.tokens
            categories |= {node.category for node in nodes} | {token.tag for token in tokens}
            words = words or any(token.function for token in tokens)
            labels |= {_functions_of(tree, part) for part in (*nodes, *range(len(tokens)))}
        if labels == {""}:
            return None
        return cls(tuple(sorted(labels)), tuple(sorted(categories)), words)

    def children(self, tree: Tree) -> Iterator[tuple[Node, int, Part]]:
        """Yield the children that can have functions, after their mother and their place in it."""
        for mother in tree.nodes():
            for place, child in enumerate(mother.children):
                if self.words or isinstance(child, Node):
                    yield mother, place, child

    def rows(self, tree: Tree) -> FunctionRows:
        """Return what the head reads of a tree."""
        spans, mothers, last_token = tree.yields(), tree.mothers(), len(tree.tokens) - 1
        ends: dict[Part | None, tuple[int, int]] = {None: (-1, -1)}
        ends |= {token: (token, token) for token in range(len(tree.tokens))}
        ends |= {node: (leftmost(span), span.bit_length() - 1) for node, span in spans.items()}
        names: dict[Part, str] = {token: each.tag for token, each in enumerate(tree.tokens)}
        names |= {node: node.category for node in spans}
        known = numbers_of(self.categories)
        category: dict[Part | None, int] = {None: -1}  # the first name is 0
        category |= {part: known.get(name, -1) for part, name in names.items()}
        tokens, around, labels = [], [], []
        for mother, place, child in self.children(tree):
            sisters = [None, None, *mother.children, None, None]
            left2, left, _, right, right2 = sisters[place : place + 5]
            below = child.children if isinstance(child, Node) else [child]
            begin, end = ends[child]
            after = end + 1 if end < last_token else -1
            sides = begin, end, begin - 1, after
            tokens.append((*sides, ends[below[-1]][0], ends[left][0], *ends[mother]))
            above = child, mother, mothers.get(mother)
            beside = left, right, left2, right2, mother.children[0]
            around.append([category[part] for part in (*above, *beside, below[0], below[-1])])
            labels.append(_functions_of(tree, child))
        offsets = np.arange(CATEGORIES) * (len(self.categories) + 1) + 1
        label_of = numbers_of(self.labels)
        return FunctionRows(
            np.array(tokens, np.int32).reshape(-1, TOKENS),
            (np.array(around, np.int32).reshape(-1, CATEGORIES) + offsets).astype(np.int32),
            np.array([label_of.get(label, -1) for label in labels], np.int32),
        )

    def rows_to_learn(self, tree: Tree) -> FunctionRows:
        """Return the rows of a tree; without functions, the tree has not been annotated."""
        rows = self.rows(tree)
        return rows if rows.labels.any() else FunctionRows(*(each[:0] for each in rows))


def _functions_of(tree: Tree, part: Part) -> str:
    return "-".join(part.functions) if isinstance(part, Node) else tree.tokens[part].function


@lru_cache(maxsize=32)
def numbers_of(names: tuple[str, ...]) -> Mapping[str, int]:
    """Return the place of each name."""
    return {name: number for number, name in enumerate(names)}


class FunctionHead:
    """The trained head.

    The names of the arrays are those of `plcfrs.parsers.neural.function_training.FunctionScorer`.
    """

    def __init__(self, arrays: Mapping[str, Matrix]) -> None:
        own = {name: each for name, each in arrays.items() if name.startswith(PREFIX)}
        weights = own.pop(f"{PREFIX}tokens.rows.weight")
        self._slots = linear_layer([weights], [np.zeros(weights.shape[0], np.float32)])
        self._arrays = {name: rows_of(each) for name, each in own.items()}

    @one_thread
    def scores(self, vectors: Float32, rows: FunctionRows) -> Float32:
        """Return the log probabilities of all functions, as an array of (children, labels).

        The vectors are those of all tokens of a sentence.
        """
        arrays = self._arrays
        slots = self._slots(vectors).reshape(len(vectors), TOKENS, -1)
        chosen = slots[rows.tokens, np.arange(TOKENS)]
        chosen[rows.tokens < 0] = 0
        sums = chosen.sum(1)
        sums += arrays[f"{PREFIX}categories"][rows.categories].sum(1)
        sums += arrays[f"{PREFIX}tokens.bias"]
        hidden = np.tanh(linear(arrays, f"{PREFIX}tokens.hidden.", np.tanh(sums)))
        scores = linear(arrays, f"{PREFIX}tokens.output.", hidden)
        scores -= scores.max(1, keepdims=True, initial=-np.inf)
        found: Float32 = scores - np.log(np.exp(scores).sum(1, keepdims=True))
        return found


def function_shapes(size: int, hidden: int, functions: Functions) -> Shapes:
    """Return the shapes of the arrays of a `FunctionHead`."""
    tokens = f"{PREFIX}tokens"
    return {
        f"{PREFIX}categories": (CATEGORIES * (len(functions.categories) + 1), hidden),
        f"{tokens}.rows.weight": (TOKENS * hidden, size),
        f"{tokens}.bias": (hidden,),
        **linear_shapes(f"{tokens}.hidden", hidden, hidden),
        **linear_shapes(f"{tokens}.output", hidden, len(functions.labels)),
    }
