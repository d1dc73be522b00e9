"""Files are complete or have the extension .part."""

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given
from nasty import texts

from plcfrs.errors import InputError, TreebankError
from plcfrs.treebank import FORMATS, TreeWriter, open_output, read_trees, write_trees
from plcfrs.trees import Node, Token, Tree


def tree(form="a"):
    return Tree(Node("ROOT", children=[Node("S", children=[0])]), [Token(form, "NN")], "x:1")


def interrupted(stop):
    yield tree()
    raise stop


def test_write_trees(tmp_path):
    for name, text in [
        ("a.mrg", "( (S (NN a)))\n( (S (NN b)))\n"),
        ("a.discbracket", "(ROOT (S (NN 0=a)))\n(ROOT (S (NN 0=b)))\n"),
        ("a.tokens", "a\nb\n"),
        ("a.tagged", "a/NN\nb/NN\n"),
    ]:
        path = tmp_path / name
        assert write_trees([tree("a"), tree("b")], path) == 2
        assert path.read_text() == text
        assert list(tmp_path.iterdir()) == [path]
        path.unlink()


def test_export_has_a_header_and_numbers(tmp_path):
    for version in [3, 4]:
        path = tmp_path / "a.export"
        write_trees([tree(), tree()], path, format="export3" if version == 3 else "export")
        lines = path.read_text().splitlines()
        assert lines[0] == f"#FORMAT {version}"
        assert [line for line in lines if line.startswith("#BOS")] == [
            "#BOS 1 %% id: x:1",
            "#BOS 2 %% id: x:1",
        ]


IDENTIFIERS = [
    "RSTCode_EE01/4",
    "s17",
    "17",
    "17",
    "0",
    "wsj_0001:1.rank2",
    "a%%b",
    "é",
    '"<',
    ".",
]


def test_identifiers_are_kept_also_if_one_occurs_twice(tmp_path):
    for format in ["export", "export3", "tigerxml"]:
        trees = [tree() for _ in IDENTIFIERS]
        for each, identifier in zip(trees, IDENTIFIERS, strict=True):
            each.id = identifier
        write_trees(trees, tmp_path / "a", format)
        again = [*read_trees(tmp_path / "a", format)]
        assert [each.id for each in again] == [each.id for each in trees]
        write_trees(again, tmp_path / "b", format)
        assert (tmp_path / "b").read_bytes() == (tmp_path / "a").read_bytes()


@given(texts())
@pytest.mark.parametrize("format", ["export", "tigerxml"])
def test_any_identifier_can_be_written(format, identifier):
    if "\ud800" in identifier:
        return
    sentence = tree()
    sentence.id = identifier
    lines = FORMATS[format].render(sentence, 3).splitlines(keepends=True)
    (chunk,) = FORMATS[format].split(lines, "a")
    found = FORMATS[format].parse(chunk).id
    if identifier.isprintable() and " " not in identifier:
        assert found == identifier


def test_compressed_files_do_not_depend_on_name_and_time(tmp_path):
    write_trees([tree()], tmp_path / "a.mrg.gz")
    write_trees([tree()], tmp_path / "b.mrg.gz")
    packed = (tmp_path / "a.mrg.gz").read_bytes()
    assert gzip.decompress(packed) == b"( (S (NN a)))\n"
    assert packed == (tmp_path / "b.mrg.gz").read_bytes()
    assert packed[4:8] == bytes(4)


def test_standard_output(capsys):
    assert write_trees([tree()], "-") == 1
    assert write_trees([tree()], "-", format="tokens") == 1
    assert capsys.readouterr().out == "(ROOT (S (NN 0=a)))\na\n"


def test_an_interrupted_file_is_a_part(tmp_path):
    for suffix in ["", ".gz"]:
        for stop in [KeyboardInterrupt, ValueError]:
            path = tmp_path / f"a.mrg{suffix}"
            path.write_text("old")
            with pytest.raises(stop):
                write_trees(interrupted(stop), path)
            assert path.read_text() == "old"
            part = tmp_path / f"a.mrg{suffix}.part"
            data = part.read_bytes()
            assert (gzip.decompress(data) if suffix else data) == b"( (S (NN a)))\n"


def test_the_name_is_there_only_at_the_end(tmp_path):
    path = tmp_path / "a.mrg"
    with TreeWriter(path) as writer:
        writer.write(tree())
        assert not path.exists()
    assert writer.count == 1
    assert path.exists()


def test_a_file_can_be_read_and_written_at_once(tmp_path):
    path = tmp_path / "a.mrg"
    write_trees([tree("a"), tree("b")], path)
    write_trees(read_trees(path), path)
    assert [one.tokens[0].form for one in read_trees(path)] == ["a", "b"]


def test_a_character_that_the_encoding_lacks(tmp_path):
    path = tmp_path / "a.mrg"
    with pytest.raises(TreebankError, match="sentence x:1: '日' cannot be written in latin-1"):
        write_trees([tree("ß"), tree("日")], path, encoding="latin-1")
    assert (tmp_path / "a.mrg.part").read_bytes() == b"( (S (NN \xdf)))\n"


def test_files_that_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match=r"nowhere.a\.mrg: there is no folder .*nowhere$"):
        write_trees([], tmp_path / "nowhere" / "a.mrg")
    (tmp_path / "folder.mrg").mkdir()
    with pytest.raises(InputError, match=r"folder\.mrg: cannot be written: Is a directory"):
        write_trees([], tmp_path / "folder.mrg")
    with pytest.raises(InputError, match="--to"):
        write_trees([], tmp_path / "a.foo")
    with pytest.raises(InputError, match="encoding 'klingon'"):
        write_trees([], tmp_path / "a.mrg", encoding="klingon")


def test_devices_and_links_stay_what_they_are(tmp_path):
    write_trees([tree()], os.devnull, format="tokens")
    assert not Path(os.devnull).is_file()
    write_trees([tree("a")], tmp_path / "a.mrg")
    (tmp_path / "link.mrg").symlink_to(tmp_path / "a.mrg")
    write_trees([tree("b")], tmp_path / "link.mrg")
    assert (tmp_path / "link.mrg").is_symlink()
    assert (tmp_path / "a.mrg").read_text() == "( (S (NN b)))\n"


def test_other_text(tmp_path):
    with open_output(tmp_path / "rows.tsv") as file:
        file.write("a\tb\n")
        file.flush()
        assert (tmp_path / "rows.tsv.part").exists()
    assert (tmp_path / "rows.tsv").read_bytes() == b"a\tb\n"
