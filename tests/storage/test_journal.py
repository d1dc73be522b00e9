"""The journal of a run: its last complete line counts, whatever follows."""

import pytest

from plcfrs.cli.resuming import NOTHING, Record, checksum
from plcfrs.errors import InputError
from plcfrs.parsing.sentence import Sentence
from plcfrs.storage.continuing import Journal
from plcfrs.trees import Token

RUN = {"grammar": "abc", "--nbest": "3"}
RECORDS = [
    Record(7, 1, 10, 5, "parsed", "", 3, 100, 0.25, 0.0),
    Record(9, 2, 25, 9, "unknown word", 'sm\u00f8rrebr\u00f8d "', 1, 0, 0.5, 1e-9),
    Record(2**32 - 1, 3, 40, 12, "parsed", "", 9, 10**12, 1.0, 0.0),
]


def written(path):
    journal = Journal(path, RUN, Record)
    journal.start()
    for record in RECORDS:
        journal.add(record)
    journal.close()
    return path.read_bytes()


def test_a_journal_cut_off_anywhere(tmp_path):
    whole = written(tmp_path / "whole")
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    for size in range(len(whole) + 1):
        path = tmp_path / "cut"
        path.write_bytes(whole[:size])
        journal = Journal(path, RUN, Record)
        journal.resume()
        complete = max(0, sum(end <= size for end in ends) - 1)
        assert journal.last == (RECORDS[complete - 1] if complete else None)
        assert list(journal.records()) == RECORDS[:complete]
        for record in RECORDS[complete:]:
            journal.add(record)
        assert list(journal.records()) == RECORDS
        journal.close()
        assert path.read_bytes() == whole


def test_another_run_is_not_continued(tmp_path):
    for run, difference in [
        ({"grammar": "abd", "--nbest": "3"}, r"in grammar \(abc, now abd\)"),
        ({"grammar": "abc"}, r"in --nbest \(3, now none\)"),
        ({**RUN, "--tagged": "True"}, r"in --tagged \(none, now True\)"),
    ]:
        before = written(tmp_path / "journal")
        with pytest.raises(InputError, match=difference):
            Journal(tmp_path / "journal", run, Record).resume()
        assert (tmp_path / "journal").read_bytes() == before


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        Journal(tmp_path / "no" / "journal", RUN, Record).start()


def test_checksums_depend_on_all_that_is_parsed():
    def sentence(name, *tokens):
        return Sentence([Token(*token) for token in tokens], id=name)

    sums = {
        checksum(sentence("1", ("a", "A")), 0),
        checksum(sentence("1", ("a", "A")), 1),
        checksum(sentence("2", ("a", "A")), 0),
        checksum(sentence("1", ("a", "B")), 0),
        checksum(sentence("1", ("b", "A")), 0),
        checksum(sentence("1", ("a", ""), ("A", "")), 0),
        checksum(sentence("1"), 0),
        checksum(sentence("1", ("\udcff", "A")), 0),
        NOTHING.checksum,
    }
    assert len(sums) == 9
