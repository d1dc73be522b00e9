"""The prose that a model of English is tried on: the file, and the report."""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from plcfrs.text import Splitter

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from prose import main, read_prose

PROSE = list(read_prose())


def test_each_kind_has_ten_sentences_with_constituents_of_their_words():
    splitter = Splitter()
    assert set(Counter(each.kind for each in PROSE).values()) == {10}
    assert len({each.text for each in PROSE}) == 120
    for _, text, wanted in PROSE:
        spans = [(each.category, each.span(text, splitter.tokens(text))) for each in wanted]
        assert len({*spans}) >= 2, text
        assert all(category.isupper() and span for category, span in spans), text


def test_words_that_a_sentence_does_not_have_are_an_error(tmp_path):
    path = tmp_path / "prose.txt"
    path.write_text("[tea]\n\nWe sip tea.\n    NP: a tea\n", encoding="utf-8")
    ((kind, text, (wanted,)),) = read_prose(path)
    assert kind == "tea"
    with pytest.raises(ValueError, match="NP: a tea: not once"):
        wanted.span(text, Splitter().tokens(text))


@pytest.mark.full
def test_the_report_has_all_kinds(tmp_path):
    path = tmp_path / "prose.json"
    result = CliRunner().invoke(main, ["--json", str(path)], catch_exceptions=False)
    assert result.exit_code == 0
    tables = json.loads(path.read_text(encoding="utf-8"))["tables"]
    assert [*tables["By kind"]] == [*dict.fromkeys(each.kind for each in PROSE), "all"]
