"""Special tokens of running text in the spelling of several treebanks."""

import pytest
from hypothesis import given
from nasty import texts

from plcfrs.parsing.sentence import Sentence
from plcfrs.text.spelling import Spelling
from plcfrs.trees import Node, Token, Tree


@pytest.mark.parametrize(
    ("lexicon", "spelled"),
    [
        (["``", "''", "-LRB-"], "`` '' -LRB- 1/2 *"),
        (["``", "''", "-LRB-", "1\\/4", "\\*"], "`` '' -LRB- 1\\/2 \\*"),
        (['"', "(", "1/2"], '" " ( 1/2 *'),
        (["„", "“", "(", "*"], "„ “ ( 1/2 *"),
        ([], "`` '' -LRB- 1/2 *"),
    ],
)
def test_signs(lexicon, spelled):
    assert [*map(Spelling(lexicon), ["``", "''", "-LRB-", "1/2", "*"])] == spelled.split()


@given(texts())
def test_words_of_the_lexicon_stay(word):
    if not {"/", "*"} & set(word):
        assert Spelling([word])(word) == word


def test_tokens_of_a_tree():
    tree = Tree(Node("ROOT", children=[0]), [Token("-LRB-", "")])
    assert Sentence.of(tree).respelled(Spelling(["("])).tokens == [Token("(", "")]
