"""Running text becomes sentences and words."""

from itertools import chain, islice, repeat

from hypothesis import given
from hypothesis import strategies as st

from plcfrs.text import Splitter
from plcfrs.treebank.reading import read_texts
from plcfrs.treebank.registry import LINES, RUNNING_TEXT


def sentences(lines):
    """Return the line and the words of each sentence."""
    return [
        (chunk.line, " ".join(token.form for token in RUNNING_TEXT.parse(chunk).tokens))
        for chunk in RUNNING_TEXT.split(lines, "a.txt")
    ]


def test_the_example():
    assert sentences(['"We don\'t dock here," he said (in Ulm). Nobody asked.\n']) == [
        (1, "`` We do n't dock here , '' he said -LRB- in Ulm -RRB- ."),
        (1, "Nobody asked ."),
    ]


def test_a_blank_line_ends_a_sentence():
    lines = ["The ferry\n", "was late. It\n", "came\n", " \n", "\n", "at noon\n"]
    assert sentences(lines) == [(1, "The ferry was late ."), (1, "It came"), (6, "at noon")]
    assert sentences(["\n", " \t\n"]) == sentences([]) == []


def test_abbreviations_and_numbers():
    text = "Dr. Berg paid $3.50 to Mr. Holm. The ferry left at 5 p.m. from the quay."
    assert [words for _, words in sentences([text])] == [
        "Dr. Berg paid $ 3.50 to Mr. Holm .",
        "The ferry left at 5 p.m. from the quay .",
    ]


def test_typographic_signs():
    text = "\u201cIt\u2019s late\u2026\u201d\u2014she left."
    assert sentences([text]) == [(1, "`` It 's late ... '' -- she left .")]


def test_words_make_up_the_text_again():
    from nltk.tokenize.treebank import TreebankWordDetokenizer

    text = 'He asked "when (and why) does the ferry leave?" and couldn\'t wait.'
    (found,) = sentences([text])
    assert TreebankWordDetokenizer().detokenize(found[1].split(), True) == text


def test_an_endless_text_is_read_as_it_is_needed():
    lines = chain.from_iterable(repeat(["The ferry is late. We wait\n", "for it.\n"]))
    found = islice(RUNNING_TEXT.split(lines, "-"), 1000)
    assert {chunk.text for chunk in found} == {"The ferry is late.", "We wait for it."}


def test_a_sentence_without_an_end():
    found = list(RUNNING_TEXT.split(["word " * 5000], "-"))
    assert "".join(chunk.text for chunk in found).count("word") == 5000
    assert all(len(chunk.text) < 10_000 for chunk in found)
    assert [chunk.number for chunk in found] == list(range(1, len(found) + 1))


def test_a_line_is_a_sentence_if_the_user_says_so():
    chunks = list(LINES.split([" Mr. Hob left. Nobody\n", "\n", "asked :-)\n"], "a.txt"))
    words = [" ".join(token.form for token in LINES.parse(chunk).tokens) for chunk in chunks]
    assert words == ["Mr. Hob left . Nobody", "", "asked :--RRB-"]
    (_, _, third) = chunks
    assert (third.line, third.start, LINES.parse(third).tokens[0].start) == (3, 23, 23)


def test_the_language_of_the_model_decides(tmp_path):
    text = tmp_path / "a.txt"
    text.write_text("Am 3. Mai schlief er. Ada lief.")
    texts = read_texts(text, "text", splitter=Splitter(tags=["VVFIN"]))
    assert [each.chunk.text for each in texts] == ["Am 3. Mai schlief er.", "Ada lief."]


@given(st.lists(st.text(st.sampled_from("aB.?\u222f& \"')(1\u2019"), max_size=30), max_size=4))
def test_no_text_is_lost(lines):
    found = "".join(chunk.text for chunk in RUNNING_TEXT.split(lines, "-"))
    assert "".join(found.split()) == "".join("".join(lines).split())
