"""N-best parses in a file: the choice of one for each sentence."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plcfrs.errors import InputError
from plcfrs.treebank.writing import Ranking, add_rank, rank_of
from plcfrs.trees import Node, Tree


def trees(names):
    return [Tree(Node("ROOT"), [], name) for name in names]


@given(
    st.lists(st.tuples(st.sampled_from("aab"), st.integers(1, 5)), max_size=6), st.integers(1, 6)
)
def test_one_of_each_sentence_also_if_identifiers_occur_twice(sentences, rank):
    names = [[add_rank(name, n) for n in range(1, size + 1)] for name, size in sentences]
    ranking = Ranking(rank)
    found = list(ranking.choose(trees(chain(*names))))
    assert [tree.id for tree in found] == [each[: min(rank, len(each))][-1] for each in names]
    assert ranking.sentences == len(names)
    assert ranking.shorter == sum(len(each) < rank for each in names)


def test_trees_without_ranks_are_all_there_is():
    assert [tree.id for tree in Ranking(1).choose(trees("aab"))] == ["a", "a", "b"]
    with pytest.raises(InputError, match=r"sentence a has no rank: .* export or tigerxml"):
        list(Ranking(2).choose(trees("aab")))


def test_no_tree_is_read_ahead():
    def read():
        yield from trees(["a", "b.rank1"])
        raise KeyError

    chosen = Ranking(1).choose(read())
    assert [next(chosen).id, next(chosen).id] == ["a", "b.rank1"]


def test_identifiers_without_rank():
    for name in ["", "a.rank", "a.rank1x", "rank1", "a.rank 1", "a.rank1\n"]:
        assert rank_of(name) is None
        assert rank_of(add_rank(name, 12)) == 12
