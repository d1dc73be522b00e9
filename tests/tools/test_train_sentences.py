"""The tool that learns where sentences end."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from train_sentences import documents

TREEBANK = """\
# newdoc id = weblog-1
# newpar
# text = Don't go!
1-2\tDon't
1\tDo
2\tn't
3\tgo
4\t!

# text = Stay.
1\tStay
2\t.

# newpar
# text = It rains
1\tIt
2\trains
2.1\train
"""


def test_documents_have_their_sentences_and_words_in_their_places(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(TREEBANK)
    (document,) = documents(path)
    assert document.text == "Don't go! Stay.\n\nIt rains"
    assert [document.text[left:right] for left, right in document.sentences] == [
        "Don't go!",
        "Stay.",
        "It rains",
    ]
    words = ["Do", "n't", "go", "!", "Stay", ".", "It", "rains"]
    assert [document.text[left:right] for left, right in document.words] == words
    assert [document.text[left:right] for left, right in document.paragraphs()] == [
        "Don't go! Stay.",
        "It rains",
    ]
