"""The head of functions: what it reads of a tree, and its scores with NumPy.

The functions of a child of a node are scored from the categories around it, and from the vectors of
tokens before and after the LSTMs: pretrained encoders know much about the meaning of a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.networks.encoding import Float32, Int32, Shapes, linear, linear_shapes
from plcfrs.threads import one_thread
from plcfrs.trees import Node, Tree
from plcfrs.trees.tree import leftmost

Part = Node | int

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
            labels |= {"-".join(node.functions) for node in nodes}
            categories |= {node.category for node in nodes} | {token.tag for token in tokens}
            words = words or any(token.function for token in tokens)
            labels |= {token.function for token in tokens}
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
        children, spans, mothers = list(self.children(tree)), tree.yields(), tree.mothers()
        categories = {name: number for number, name in enumerate(self.categories, start=1)}
        labels = {label: number for number, label in enumerate(self.labels)}

        def category(part: Part | None) -> int:
            if part is None:
                return 0
            name = part.category if isinstance(part, Node) else tree.tokens[part].tag
            return categories.get(name, 0)

        def ends(part: Part) -> tuple[int, int]:
            span = spans[part] if isinstance(part, Node) else 1 << part
            return leftmost(span), span.bit_length()

        def label(part: Part) -> int:
            if isinstance(part, Node):
                return labels.get("-".join(part.functions), -1)
            return labels.get(tree.tokens[part].function, -1)

        tokens, around = [], []
        for mother, place, child in children:
            sisters = [None, None, *mother.children, None, None]
            left2, left, _, right, right2 = sisters[place : place + 5]
            below = child.children if isinstance(child, Node) else [child]
            (begin, end), (first, last) = ends(child), ends(mother)
            after = end if end < len(tree.tokens) else -1
            inner, outer = ends(below[-1])[0], -1 if left is None else ends(left)[0]
            tokens.append((begin, end - 1, begin - 1, after, inner, outer, first, last - 1))
            above = (child, mother, mothers.get(mother))
            beside = (left, right, left2, right2, mother.children[0])
            around.append([*map(category, (*above, *beside, below[0], below[-1]))])
        offsets = np.arange(CATEGORIES) * (len(categories) + 1)
        return FunctionRows(
            np.array(tokens, np.int32).reshape(-1, TOKENS),
            (np.array(around, np.int32).reshape(-1, CATEGORIES) + offsets).astype(np.int32),
            np.array([label(child) for *_, child in children], np.int32),
        )

    def rows_to_learn(self, tree: Tree) -> FunctionRows:
        """Return the rows of a tree; without functions, the tree has not been annotated."""
        rows = self.rows(tree)
        return rows if rows.labels.any() else FunctionRows(*(each[:0] for each in rows))


@one_thread
def scores_of_functions(
    arrays: Mapping[str, NDArray[Any]], vectors: Float32, rows: FunctionRows
) -> Float32:
    """Return the log probabilities of all functions, as an array of (children, labels).

    The vectors are those of all tokens of a sentence.
    """
    table = np.pad(vectors, ((0, 1), (0, 0))) @ arrays["functions.tokens.rows.weight"].T
    slots = table.reshape(len(table), TOKENS, -1)
    sums = slots[rows.tokens, np.arange(TOKENS)].sum(1)
    sums += arrays["functions.categories"][rows.categories].sum(1)
    sums += arrays["functions.tokens.bias"]
    hidden = np.tanh(linear(arrays, "functions.tokens.hidden.", np.tanh(sums)))
    scores = linear(arrays, "functions.tokens.output.", hidden)
    scores -= scores.max(1, keepdims=True, initial=-np.inf)
    found: Float32 = scores - np.log(np.exp(scores).sum(1, keepdims=True))
    return found


def function_shapes(size: int, hidden: int, functions: Functions) -> Shapes:
    """Return the shapes of the arrays of a `plcfrs.parsers.neural.training.FunctionScorer`."""
    return {
        "functions.categories": (CATEGORIES * (len(functions.categories) + 1), hidden),
        "functions.tokens.rows.weight": (TOKENS * hidden, size),
        "functions.tokens.bias": (hidden,),
        **linear_shapes("functions.tokens.hidden", hidden, hidden),
        **linear_shapes("functions.tokens.output", hidden, len(functions.labels)),
    }
