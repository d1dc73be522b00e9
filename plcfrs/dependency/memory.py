"""The memory of searches for dependency trees: reused, and enlarged for long sentences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plcfrs.dependency.kernel.arrays import Chart, Contraction, Links, Relaxation

_LONGEST_USUAL = 40  # words of a sentence


class Memory(NamedTuple):
    """The memory of all searches for sentences of a maximal length."""

    words: int
    chart: Chart
    contraction: Contraction
    links: Links
    relaxation: Relaxation


def new_memory(words: int = _LONGEST_USUAL) -> Memory:
    """Return memory for sentences.

    Parameters
    ----------
    words : int
        The maximal number of words.
    """
    nodes = words + 1
    return Memory(
        words=words,
        chart=_new_chart(nodes),
        contraction=_new_contraction(nodes),
        links=Links(np.zeros((nodes, 2), np.int32), np.zeros(nodes, np.int32)),
        relaxation=_new_relaxation(nodes),
    )


def for_sentence(memory: Memory, words: int) -> Memory:
    """Return the same memory, or twice as much if a sentence has too many words for it.

    >>> memory = new_memory(words=10)
    >>> for_sentence(memory, 10) is memory
    True
    >>> for_sentence(memory, 11).words
    20
    """
    if words <= memory.words:
        return memory
    return new_memory(max(words, 2 * memory.words))


def _new_chart(nodes: int) -> Chart:
    square = (nodes, nodes)
    return Chart(
        half=np.zeros(square),
        arc=np.zeros(square),
        pair=np.zeros(square),
        last=np.zeros(square, np.int32),
        nearer=np.zeros(square, np.int32),
        split=np.zeros(square, np.int32),
        stack=np.zeros((nodes, 2), np.int32),
    )


def _new_contraction(nodes: int) -> Contraction:
    square = (nodes, nodes)
    return Contraction(
        score=np.zeros(square),
        head=np.zeros(square, np.int32),
        dependent=np.zeros(square, np.int32),
        node=np.zeros(nodes, np.int32),
        state=np.zeros(nodes, np.int32),
        path=np.zeros(nodes, np.int32),
        best=np.zeros(nodes),
        above=np.zeros(2 * nodes, np.int32),
        best_head=np.zeros(2 * nodes, np.int32),
        best_dependent=np.zeros(2 * nodes, np.int32),
        is_open=np.zeros(2 * nodes, np.int32),
    )


def _new_relaxation(nodes: int) -> Relaxation:
    square = (nodes, nodes)
    return Relaxation(
        tree_share=np.zeros(nodes * nodes),
        head_share=np.zeros(square),
        dependent_share=np.zeros(square),
        chosen=np.zeros(square, np.int32),
        heads=np.zeros(square, np.int32),
        head_count=np.zeros(nodes, np.int32),
        dependents=np.zeros((nodes, 2, nodes), np.int32),
        dependent_count=np.zeros((nodes, 2), np.int32),
        best=np.zeros(nodes),
        before=np.zeros(nodes, np.int32),
        score=np.zeros(nodes),
        is_changed=np.zeros(nodes, np.int32),
        tree=np.zeros(nodes, np.int32),
    )
