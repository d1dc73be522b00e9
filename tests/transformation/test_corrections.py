"""Files of corrections."""

import pytest
from bracket import read, show
from quick import core

from plcfrs.errors import InputError
from plcfrs.transformation import correct, read_corrections

TEXT = """(S (NP-SBJ-1 (NNS Goats)) (VP (VBD said) (NP (-NONE- *T*-2)) (NP (DT the))
    (NP (-NONE- *T*-2)) (SYM *T*-2)))"""


@pytest.fixture
def corrected(tmp_path):
    """Return a function that writes corrections, reads them and applies them to the sentence."""

    def correct_by(*lines, sentence="wsj_9999:2"):
        path = tmp_path / "corrections.tsv"
        path.write_text("\n".join(["# FILE SENTENCE OLD NEW", "", *lines]), encoding="utf-8")
        return show(correct(read(TEXT, sentence), read_corrections(path)))

    return correct_by


AS_READ = "(ROOT (S (NP-SBJ-1 0=Goats) (VP 1=said (NP 2=*T*-2) (NP 3=the) (NP 4=*T*-2) 5=*T*-2)))"


@core(
    1,
    ("line", "old", "new"),
    [
        ("wsj_9999.mrg\t2\tNP-SBJ-1\tNP-SBJ-2", "NP-SBJ-1", "NP-SBJ-2"),
        ("23/wsj_9999.mrg\t2\tVP\tPRN=3", "VP", "PRN=3"),
        ("wsj_9999\t2\tNP#2\tNX-TPC", "(NP 3", "(NX-TPC 3"),
        ("wsj_9999\t 2 \tNP-SBJ-1#1\tX", "NP-SBJ-1", "X"),
        ("wsj_9999\t2\t*T*-2#1\t*ICH*-1", "2=*T*-2", "2=*ICH*-1"),
        ("wsj_9999\t2\t*T*-2#2\t*T*-1", "4=*T*-2", "4=*T*-1"),
    ],
)
def test_a_label_or_a_null_element_is_corrected(corrected, line, old, new):
    assert AS_READ.count(old) == 1
    assert corrected(line) == AS_READ.replace(old, new)


def test_several_corrections_of_a_sentence(corrected):
    expected = AS_READ.replace("NP-SBJ-1", "NP-SBJ-7").replace("2=*T*-2", "2=*T*-7")
    lines = ["wsj_9999\t2\tNP-SBJ-1\tNP-SBJ-7", "wsj_9999\t2\t*T*-2#1\t*T*-7"]
    assert corrected(*lines) == expected


def test_a_label_with_its_indices_in_the_other_order(tmp_path):
    path = tmp_path / "corrections.tsv"
    path.write_text("wsj_9999\t2\tNP-SBJ=1-3\tNP-SBJ=1")
    tree = correct(read("(NP-SBJ=1-3 (NN goat))", "wsj_9999:2"), read_corrections(path))
    assert show(tree) == "(ROOT (NP-SBJ=1 0=goat))"


def test_other_sentences_are_left_alone(corrected):
    lines = ["wsj_9999\t3\tNP-SBJ-1\tX", "wsj_9998\t2\tNP-SBJ-1\tX"]
    assert corrected(*lines) == AS_READ


@core(
    1,
    ("line", "message"),
    [
        ("wsj_9999\t2\tNP\tX", "corrections.tsv:3: sentence wsj_9999:2 has NP 3 times: write NP#1"),
        ("wsj_9999\t2\tNP#4\tX", "corrections.tsv:3: sentence wsj_9999:2 has NP 3 times"),
        ("wsj_9999\t2\tNP#0\tX", "corrections.tsv:3: sentence wsj_9999:2 has NP 3 times"),
        ("wsj_9999\t2\tNP-SBJ\tX", "corrections.tsv:3: sentence wsj_9999:2 has NP-SBJ 0 times"),
        ("wsj_9999\t2\t*T*-2#3\tX", r"corrections.tsv:3: sentence wsj_9999:2 has \*T\*-2 2 times"),
        ("wsj_9999\t2\tNP", "corrections.tsv:3: expected FILE, SENTENCE, OLD and NEW"),
        ("wsj_9999 2 NP X", "corrections.tsv:3: expected FILE, SENTENCE, OLD and NEW"),
        ("wsj_9999\t2\t\tX", "corrections.tsv:3: neither OLD nor NEW may be empty"),
        ("wsj_9999\t2\tNP-SBJ-1\t", "corrections.tsv:3: neither OLD nor NEW may be empty"),
    ],
)
def test_errors_say_where_and_what(corrected, line, message):
    with pytest.raises(InputError, match=message):
        corrected(line)


def test_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"nowhere.tsv: cannot read corrections"):
        read_corrections(tmp_path / "nowhere.tsv")


def test_file_that_is_not_text(tmp_path):
    path = tmp_path / "noise.tsv"
    path.write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(InputError, match=r"noise.tsv: corrections must be in utf-8"):
        read_corrections(path)
