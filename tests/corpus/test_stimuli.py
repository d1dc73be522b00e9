"""Tables of stimuli: what is one sentence, and which columns are kept."""

import gzip
import json

import pytest

from plcfrs.corpus.stimuli import are_tables, read_stimuli
from plcfrs.errors import InputError, TreebankError
from plcfrs.text import Splitter


def read(tmp_path, text, format=None, name="items.csv", splitter=None):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_stimuli([str(path)], format, "utf-8", splitter)


def words(stimuli):
    return [[token.form for token in each.tree.tokens] for each in stimuli.sentences]


def test_each_row_is_a_sentence(tmp_path):
    text = 'item,sentence,note\n1,"What , now ?",a\n2,Zorbs fly .,"b, c"\n'
    found = read(tmp_path, text)
    assert words(found) == [["What", ",", "now", "?"], ["Zorbs", "fly", "."]]
    assert [each.tree.id for each in found.sentences] == ["1", "2"]
    assert found.kept == ["item", "note"]
    assert found.sentences[1].kept == [{"item": "2", "note": "b, c"}]


def test_rows_of_words_are_sentences_while_their_item_and_condition_stay(tmp_path):
    text = "Item;Condition;Word\n1;a;Zorbs\n1;a;fly\n1;b;Zorbs\n1;b;flew\n2;b;Hobs\n"
    found = read(tmp_path, text)
    assert words(found) == [["Zorbs", "fly"], ["Zorbs", "flew"], ["Hobs"]]
    assert found.kept == ["Item", "Condition"]


def test_a_column_sentence_names_the_sentences(tmp_path):
    found = read(tmp_path, "sentence\tword\ns1\tZorbs\ns1\tfly\ns2\tHobs\n", name="items.tsv")
    assert words(found) == [["Zorbs", "fly"], ["Hobs"]]
    assert [each.tree.id for each in found.sentences] == ["s1", "s2"]


def test_words_with_marks_are_split_as_a_sentence(tmp_path):
    text = "item,word\n1,Mr.\n1,Hob\n1,can't\n1,see (\n1,us).\n"
    (found,) = read(tmp_path, text, splitter=Splitter()).sentences
    assert [token.form for token in found.tree.tokens] == [
        "Mr.",
        "Hob",
        "ca",
        "n't",
        "see",
        "-LRB-",
        "us",
        "-RRB-",
        ".",
    ]
    assert found.rows == [0, 1, 2, 2, 3, 3, 4, 4, 4]


def test_tags_are_read(tmp_path):
    (found,) = read(tmp_path, "sentence\nWhat/WP now/RB\n", "tagged").sentences
    assert [token.tag for token in found.tree.tokens] == ["WP", "RB"]


def test_names_of_the_output_come_first(tmp_path):
    assert read(tmp_path, "sentence,position,Position2\na,1,2\n").kept == [
        "given_position",
        "Position2",
    ]


def test_marks_of_order_blank_lines_and_compression(tmp_path):
    text = "\ufeffitem,sentence\r\n1,Zorbs fly\r\n\r\n,\r\n2,\r\n".encode()
    found = read(tmp_path, gzip.compress(text), name="items.csv.gz")
    assert words(found) == [["Zorbs", "fly"], []]
    assert [each.kept[0]["item"] for each in found.sentences] == ["1", "2"]


def test_wrong_tables_are_refused(tmp_path):
    for text, message in [
        ("", "expected a column sentence or word"),
        ("item,text\n1,a\n", "expected a column sentence or word, but found item, text"),
        ("word\na\n", "no column tells the sentences apart"),
        ("word,Item,item\na,1,1\n", "two columns have the name 'item'"),
        ("item,word\n1,a\n1\n", ":3: 1 cells, but there are 2 columns"),
        ("item,word\n1,a\n1, \n", ":3: a row has no word"),
        ('item,word\n1,"a\n', ":2: not a table"),
        (b"item,word\n1,\xe4\n", "name the encoding, such as --text-encoding latin-1"),
    ]:
        with pytest.raises((InputError, TreebankError), match=message):
            read(tmp_path, text)


def test_several_tables_have_the_same_columns(tmp_path):
    (tmp_path / "a.csv").write_text("item,sentence\n1,Zorbs fly\n")
    (tmp_path / "b.csv").write_text("item,sentence\n2,Hobs fly\n")
    (tmp_path / "c.csv").write_text("sentence\nHobs fly\n")
    found = read_stimuli([str(tmp_path / name) for name in ("a.csv", "b.csv")], None, "utf-8")
    assert [each.tree.id for each in found.sentences] == ["1", "2"]
    with pytest.raises(InputError, match="not the same columns"):
        read_stimuli([str(tmp_path / name) for name in ("a.csv", "c.csv")], None, "utf-8")


@pytest.mark.parametrize(
    "sentence",
    ["The cook | who left|sang", "The cook / who left/ sang", "| The cook | who left || sang |"],
)
def test_marks_cut_a_sentence_into_regions(tmp_path, sentence):
    found = read(tmp_path, f"item,sentence\n1,{sentence}\n2,and/or\n")
    assert words(found) == [["The", "cook", "who", "left", "sang"], ["and/or"]]
    assert found.kept == ["item", "region"]
    assert [each.rows for each in found.sentences] == [[0, 0, 1, 1, 2], [0]]
    assert [[kept["region"] for kept in each.kept] for each in found.sentences] == [
        ["1", "2", "3"],
        ["1"],
    ]
    assert found.are_marked


def test_without_marks_there_are_no_regions(tmp_path):
    found = read(tmp_path, "Region,sentence\n1,and/or a|/SYM b//:\n", "tagged")
    assert found.kept == ["Region"]
    assert not found.are_marked


def test_regions_of_the_table_keep_another_name(tmp_path):
    found = read(tmp_path, "Region,sentence\nverb,Hobs | fly\n")
    assert found.kept == ["given_Region", "region"]


@pytest.mark.parametrize("first", ["sep=;\n", '"sep=;"\r\n', "\ufeffSEP=;\n"])
def test_the_first_line_of_excel_names_the_delimiter(tmp_path, first):
    found = read(tmp_path, f"{first}a,b,c;word;item\n1;Zorbs;1\n1;fly;1\n")
    assert words(found) == [["Zorbs", "fly"]]
    assert found.kept == ["a,b,c", "item"]
    with pytest.raises(TreebankError, match=r":3: 1 cells"):
        read(tmp_path, f"{first}word;item\n1\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("item,caf\xe9,sentence\n1,a,b\n", 1),
        ("item,note,sentence\n1,a,b\n2,c,caf\xe9\n", 3),
        ("sep=;\nitem;note;sentence\n1;a;b\n2;c;caf\xe9\n", 4),
        ('item,note,sentence\n1,"a\nb",c\n2,d,caf\xe9\n', 4),
        ('item,note,sentence\n1,"a\nb",caf\xe9\n', 3),
    ],
)
def test_an_error_names_the_line(tmp_path, text, line):
    with pytest.raises(TreebankError, match=rf":{line}: byte 0xe9"):
        read(tmp_path, text.encode("latin-1"))


def suite(*regions):
    """Return a test suite with one sentence."""
    numbered = [{"region_number": i, "content": text} for i, text in enumerate(regions, start=1)]
    conditions = [{"condition_name": "gap", "regions": numbered}]
    items = [{"item_number": 3, "conditions": conditions}]
    return {"meta": {"name": "fgd"}, "region_meta": {"1": "subject"}, "items": items}


def test_a_suite_of_syntaxgym_has_a_row_for_each_region(tmp_path):
    text = json.dumps(suite("The Zorbs", "", "fly."))
    (found,) = read(tmp_path, text, name="fgd.json", splitter=Splitter()).sentences
    assert [token.form for token in found.tree.tokens] == ["The", "Zorbs", "fly", "."]
    assert found.words == ["The Zorbs", "fly."]
    assert [list(kept.values()) for kept in found.kept] == [
        ["3", "gap", "1", "subject"],
        ["3", "gap", "3", ""],
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"items": [\n{"regions" 1}]}', "SyntaxGym.*: line 2 column 12"),
        ('{"regions": []}', "SyntaxGym, with items, conditions and regions: 'items'"),
        ('{"items": [{"conditions": [{"regions": [3]}]}]}', "not a test suite of SyntaxGym"),
    ],
)
def test_wrong_suites_are_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, text, name="fgd.json")


def test_a_suite_is_known_by_its_content(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(suite("Zorbs")))
    (tmp_path / "b.json").write_text('{"tree": "(S (UH 0=Yes))", "tokens": []}')
    assert are_tables([str(tmp_path / "a.json")])
    assert not are_tables([str(tmp_path / "b.json")])
