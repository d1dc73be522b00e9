"""Names, files that cannot be read, encodings, compression."""

import contextlib
import gzip
import io
import os
import shutil
import sys
import threading
import zipfile

import pytest
from demo_trees import raw_demo_trees
from quick import core

from plcfrs.errors import InputError, TreebankError
from plcfrs.treebank import FORMATS, format_of, read_trees, write_trees
from plcfrs.treebank.files import find_sources
from plcfrs.treebank.reading import trainable_trees
from plcfrs.treebank.registry import recognize
from plcfrs.trees import Tree, no_parse

TREE = "(S (NN a))\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path, text=TREE):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def identifiers(*names, **options):
    return [tree.id for tree in read_trees(names, **options)]


def test_a_file_by_its_name_or_path(folder):
    put(folder / "a.mrg", TREE * 2)
    assert [tree.id for tree in read_trees("a.mrg")] == ["a:1", "a:2"]
    assert [tree.id for tree in read_trees(folder / "a.mrg")] == ["a:1", "a:2"]
    assert identifiers("a.mrg", "a.mrg") == ["a:1", "a:2", "a:1", "a:2"]


def test_a_directory(folder):
    for name in ["b.mrg", "x/a.mrg", "x/c.tagged", "README", ".hidden.mrg", "d.mrg.part"]:
        put(folder / "corpus" / name, TREE if name.endswith("mrg") else "a/NN\n")
    assert identifiers("corpus") == ["b:1", "a:1", "c:1"]
    assert identifiers("corpus", format="tagged") == ["c:1"]


def test_a_directory_without_treebanks(folder):
    put(folder / "corpus" / "README")
    with pytest.raises(InputError, match=r"corpus: no treebank files .*\*.mrg"):
        read_trees("corpus")


def test_a_glob(folder):
    for name in ["wsj_2.mrg", "wsj_1.mrg", "x.mrg", "wsj_[1].mrg"]:
        put(folder / name)
    assert identifiers("wsj_?.mrg") == ["wsj_1:1", "wsj_2:1"]
    assert identifiers("wsj_[1].mrg") == ["wsj_[1]:1"]
    with pytest.raises(InputError, match=r"y\*\.mrg: no such file, nothing matches"):
        read_trees("y*.mrg")


NUMBERED = [
    "0",
    "1",
    "2",
    "10",
    "100",
    "a-2",
    "a.p.1.s.2",
    "a.p.1.s.10",
    "a.p.10.s.1",
    "b-10",
    "b-9",
]


@core(1, "suffix", ["xml", "tig", "mrg"])
def test_files_that_are_numbered(folder, suffix):
    """In folders, zip files and globs alike; digits within words sort as letters."""
    text = {
        "xml": '<alpino_ds><node cat="top"><node begin="0" word="a"/></node></alpino_ds>',
        "tig": "<s><graph><terminals><t id='t1' word='a'/></terminals></graph></s>",
        "mrg": TREE,
    }[suffix]
    for name in reversed(NUMBERED):
        put(folder / "corpus" / "9" / f"{name}.{suffix}", text)
        put(folder / "corpus" / "10" / f"{name}.{suffix}", text)
    expected = [f"{name}:1" for name in NUMBERED]
    assert identifiers("corpus") == expected * 2
    assert identifiers(f"corpus/9/*.{suffix}") == expected
    assert (
        identifiers(f"corpus/*/{NUMBERED[0]}.{suffix}", "corpus/9") == [expected[0]] * 2 + expected
    )
    shutil.make_archive("corpus", "zip", folder, "corpus")
    assert identifiers("corpus.zip") == expected * 2


def test_a_list_of_names(folder):
    put(folder / "a.mrg")
    put(folder / "b.mrg")
    put(folder / "names", "b.mrg\n\na.*\n")
    assert identifiers("@names") == ["b:1", "a:1"]
    with pytest.raises(InputError, match="@nowhere: cannot be read: No such file"):
        read_trees("@nowhere")


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((TREE * 2).encode())))
    assert identifiers("-", format="brackets") == ["stdin:1", "stdin:2"]
    assert not sys.stdin.buffer.closed


def test_standard_input_is_discbracket_unless_it_is_said_otherwise(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"(S (A 1=b) (A 0=a))")))
    assert [token.form for token in next(read_trees("-")).tokens] == ["a", "b"]


def test_the_packaged_treebank():
    assert identifiers("plcfrs:demo")[:2] == ["demo:1", "demo:2"]


def test_names_that_stand_for_nothing(folder):  # noqa: ARG001
    for name in ["", "nowhere.mrg", "nltk:brown", "plcfrs:other", "x" * 9999]:
        with pytest.raises(InputError):
            read_trees(name)


def test_all_names_are_looked_up_first(folder):
    put(folder / "a.mrg")
    with pytest.raises(InputError, match=r"nowhere\.mrg: no such file$"):
        read_trees(["a.mrg", "nowhere.mrg"])


def test_missing_nltk_data(monkeypatch, tmp_path):
    import nltk.data

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    with pytest.raises(TreebankError, match=r"python -m nltk\.downloader treebank") as caught:
        read_trees("nltk:treebank")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("zipped", [True, False])
def test_nltk_data(monkeypatch, tmp_path, zipped):
    import nltk.data

    combined = tmp_path / "corpora" / "treebank" / "combined"
    for name in ["wsj_0002.mrg", "wsj_0001.mrg", "wsj_0011.mrg", "README"]:
        put(combined / name)
    if zipped:
        corpora = tmp_path / "corpora"
        shutil.make_archive(str(corpora / "treebank"), "zip", corpora, "treebank")
        shutil.rmtree(corpora / "treebank")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    assert identifiers("nltk:treebank") == ["wsj_0001:1", "wsj_0002:1", "wsj_0011:1"]
    assert identifiers("nltk:treebank/wsj_000*") == ["wsj_0001:1", "wsj_0002:1"]
    with pytest.raises(InputError, match="no file of NLTK's sample matches"):
        read_trees("nltk:treebank/wsj_99*")


def test_formats_by_extension():
    for name, format in [
        ("a.mrg", "brackets"),
        ("a.b.ptb", "brackets"),
        ("x/a.discbracket", "discbracket"),
        ("a.export.gz", "export"),
        ("a.export3", "export3"),
        ("a.xml", "tigerxml"),
        ("a.tiger", "tigerxml"),
        ("a.tig.gz", "tigerxml"),
        ("a.tokens", "tokens"),
        ("a.tagged", "tagged"),
    ]:
        assert format_of(name) is FORMATS[format]


def test_unknown_formats(folder):
    put(folder / "a.foo", "Colourless green ideas\n")
    with pytest.raises(
        TreebankError, match=r"a\.foo: the beginning fits none of brackets, .*--from"
    ):
        list(read_trees("a.foo"))
    assert identifiers("a.foo", format="tokens") == ["a:1"]
    with pytest.raises(InputError, match="unknown format 'foo': expected one of brackets"):
        read_trees("a.foo", format="foo")
    with pytest.raises(InputError, match=r"a\.foo: no treebank format has this extension"):
        format_of("a.foo")


BEGINNINGS = {
    "brackets": ["( (S (NN word)))", "(NN word)", "\n\n(\n (NN word))", "\ufeff(S (NN (NN a)))"],
    "discbracket": ["(ROOT (S (NN 0=word)))", "(S (VP (A 0=a) (C 2=c)) (B 1=b))", "( (NN 0=, ))"],
    "export": ["#BOS 1\nword\tNN\t--\t--\t0\n#EOS 1\n", "%% coding: utf-8\n\n%%\n#FORMAT 4\n"],
    "tigerxml": ["<?xml version='1.0'?>\n<corpus id='a'><s id='s1'/></corpus>", "<s id='1'/>"],
    "alpino": ["<alpino_ds version='1.3'/>", "<!-- x --><treebank><alpino_ds/></treebank>"],
}


@core(2, "format", BEGINNINGS)
def test_formats_by_content(folder, format):
    for name in ["a", "a.foo", "a.gz"]:
        for text in BEGINNINGS[format]:
            packed = gzip.compress(text.encode()) if name.endswith(".gz") else text.encode()
            (folder / name).write_bytes(packed)
            (source,) = find_sources([name], ())
            assert recognize(source) is FORMATS[format], text


def test_content_that_an_extension_does_not_stand_for(folder):
    for name, format, expected in [
        ("a.mrg", "export", "export"),
        ("a.mrg", "discbracket", "discbracket"),
        ("a.export", "tigerxml", "tigerxml"),
        ("a.xml", "brackets", "brackets"),
        # These extensions fit the content: they count.
        ("a.export3", "export", "export3"),
        ("a.discbracket", "brackets", "discbracket"),
        # Editors call any file so.
        ("a.txt", "discbracket", "discbracket"),
        ("a.txt", "export", "export"),
        ("a.txt", "tigerxml", "tigerxml"),
    ]:
        put(folder / name, BEGINNINGS[format][0])
        (source,) = find_sources([name], ())
        assert recognize(source) is FORMATS[expected]


def test_no_tree_is_recognized_in_time(folder):
    for text in [
        "(" * 50_000,
        " " * 60_000,
        "(" + " " * 60_000,
        "( a" * 20_000,
        "%%\n \n" * 12_000,
    ]:
        put(folder / "a", text)
        (source,) = find_sources(["a"], ())
        with contextlib.suppress(TreebankError):
            recognize(source)


@pytest.mark.skipif(sys.platform == "win32", reason="makes a pipe with a name")
def test_pipes_are_read_but_once(folder):
    for name in ["a.mrg", "a"]:
        os.mkfifo(folder / name)
        writer = threading.Thread(target=(folder / name).write_text, args=[TREE])
        writer.start()
        try:
            if name == "a.mrg":
                assert identifiers(name) == ["a:1"]
            else:
                assert identifiers(name, format="brackets") == ["a:1"]
        finally:
            writer.join()


@core(1, "text", ["", "\n \n"])
def test_files_without_trees(folder, text):
    for name in ["a.mrg", "a.discbracket", "a.export"]:
        put(folder / name, text)
        with pytest.raises(TreebankError, match=f"{name}: no trees in this file"):
            list(read_trees(name))


def test_lines_in_compressed_files(folder):
    with gzip.open(folder / "a.mrg.gz", "wt") as file:
        file.write(f"{TREE}\n(S (NP))\n{TREE}")
    errors = []
    assert identifiers("a.mrg.gz", on_error=errors.append) == ["a:1", "a:3"]
    assert str(errors[0]).startswith("a.mrg.gz:3: empty constituent")


def test_damaged_compressed_files(folder):
    for damage in [lambda packed: packed[:-20], lambda _: b"(S (NN a))\n"]:
        lines = "".join(f"(S (NN a{number}))\n" for number in range(5000))
        (folder / "a.mrg.gz").write_bytes(damage(gzip.compress(lines.encode())))
        with pytest.raises(TreebankError, match=r"a\.mrg\.gz.*: cannot be read: "):
            list(read_trees("a.mrg.gz"))


def test_corrupt_compressed_files(folder):
    packed = bytearray(gzip.compress(b"(S (NN a))\n" * 10))
    packed[12:20] = b"\xff" * 8
    (folder / "a.mrg.gz").write_bytes(packed)
    with pytest.raises(TreebankError, match=r"a\.mrg\.gz.*: cannot be read: "):
        list(read_trees("a.mrg.gz"))


def test_bytes_that_are_no_text(folder):
    for bad in [b"(S (NN stra\xdfe))\n", b"(S (NN a\x00))\n"]:
        (folder / "a.mrg").write_bytes(TREE.encode() + b"\n" + bad + TREE.encode())
        problem = "(byte 0xdf is not utf-8.*latin-1|not a text file: it has a NUL byte)"
        with pytest.raises(TreebankError, match=rf"^a\.mrg:3: {problem}"):
            list(read_trees("a.mrg"))
        errors = []
        assert identifiers("a.mrg", on_error=errors.append) == ["a:1", "a:3"]
        assert len(errors) == 1


def test_a_binary_file(folder):
    (folder / "a.mrg").write_bytes(bytes(range(256)) * 100)
    with pytest.raises(TreebankError, match=r"a\.mrg:1: not a text file: it has a NUL byte"):
        list(read_trees("a.mrg"))


def test_encodings(folder):
    (folder / "a.mrg").write_bytes("(S (NN straße))\n".encode("latin-1"))
    assert next(read_trees("a.mrg", encoding="latin-1")).tokens[0].form == "straße"
    (folder / "b.mrg").write_bytes("\ufeff(S (NN straße))\n".encode())
    assert next(read_trees("b.mrg")).tokens[0].form == "straße"


def test_encodings_that_cannot_be_used(folder):
    for encoding in ["klingon", "utf-16", "rot13"]:
        put(folder / "a.mrg")
        with pytest.raises(InputError, match=f"encoding '{encoding}' cannot be used"):
            read_trees("a.mrg", encoding=encoding)


def test_a_file_that_disappears(folder):
    put(folder / "a.mrg")
    trees = read_trees("a.mrg")
    (folder / "a.mrg").unlink()
    with pytest.raises(TreebankError, match=r"a\.mrg: cannot be read: No such file"):
        list(trees)


def test_a_file_that_cannot_be_read_is_left_out_with_the_bad_trees(folder):
    put(folder / "a.mrg", "")
    put(folder / "b.mrg")
    errors = []
    assert identifiers("a.mrg", "b.mrg", on_error=errors.append) == ["b:1"]
    assert [error.path for error in errors] == ["a.mrg"]


def test_only_one_tree_is_held():
    """The second tree is not read before the first one is returned."""
    lines = iter([TREE, "(S (NN b))\n"])
    chunks = FORMATS["brackets"].split(lines, "a.mrg")
    assert next(chunks).text == TREE
    assert next(lines) == "(S (NN b))\n"


TIGER = '<s id="s1"><graph><terminals><t id="1" word="a" pos="N"/></terminals></graph></s>'
ALPINO = '<alpino_ds><node cat="top"><node begin="0" pos="N" word="a"/></node></alpino_ds>'


@core(
    2,
    ("text", "identifier"),
    [
        (f"<corpus id='x'>{TIGER}</corpus>", "s1"),
        (f"<subcorpus>{TIGER}</subcorpus>", "s1"),
        (f"<!DOCTYPE corpus SYSTEM 'x.dtd'>\n<corpus\n>{TIGER}</corpus>", "s1"),
        (TIGER, "s1"),
        (ALPINO, "a:1"),
        (f"<treebank>{ALPINO}</treebank>", "a:1"),
    ],
)
def test_xml_formats_are_told_by_their_first_element(folder, text, identifier):
    for name in ["a.xml", "a.xml.gz"]:
        for prolog in ["", "<?xml version='1.0'?>\n<!-- <treebank> <s> -->\n", "\ufeff"]:
            data = (prolog + text).encode()
            (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
            (tree,) = read_trees(name)
            assert (tree.id, tree.tokens[0].form, tree.tokens[0].tag) == (identifier, "a", "N")


def test_xml_of_neither_format(folder):
    for text in ["word", "<html><s>a</s></html>", "<sentence/>", "S (NN a)"]:
        put(folder / "a.xml", text)
        with pytest.raises(
            TreebankError,
            match=r"^a\.xml: the beginning fits none of tigerxml, alpino: give .* --from$",
        ):
            list(read_trees("a.xml"))
        put(folder / "b.xml", TIGER)
        errors = []
        assert identifiers("a.xml", "b.xml", on_error=errors.append) == ["s1"]
        assert len(errors) == 1


def test_a_named_format_needs_no_first_element(folder):
    put(folder / "a.xml", f"<wrapper>{TIGER}</wrapper>")
    assert identifiers("a.xml", format="tigerxml") == ["s1"]
    put(folder / "b.xml", TREE)
    assert identifiers("b.xml", format="brackets") == ["b:1"]


def test_damaged_xml_files(folder):
    (folder / "a.xml.gz").write_bytes(gzip.compress(TIGER.encode() * 9999)[:-20])
    with pytest.raises(TreebankError, match=r"a\.xml\.gz.*: cannot be read: "):
        list(read_trees("a.xml.gz"))
    (folder / "b.xml.gz").write_bytes(TIGER.encode())
    with pytest.raises(TreebankError, match=r"^b\.xml\.gz: cannot be read: Not a gzipped file"):
        list(read_trees("b.xml.gz"))


def test_a_zip_file_is_read_like_a_directory(folder):
    members = {
        "x/b.mrg": TREE * 2,
        "x/a.tagged": "a/NN\n",
        "c.xml": ALPINO,
        "README": "no tree",
        "x/.b.mrg": "no tree",
        "__MACOSX/x/._b.mrg": "no tree",
    }
    with zipfile.ZipFile(folder / "corpus.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x/", "")
        for name, text in members.items():
            archive.writestr(name, text)
        archive.writestr("x/d.mrg.gz", gzip.compress(b"\n(S (NP))"))
    errors = []
    found = identifiers("corpus.zip", on_error=errors.append)
    assert found == ["c:1", "a:1", "b:1", "b:2"]
    assert str(errors[0]).startswith("corpus.zip/x/d.mrg.gz:2: empty constituent")
    assert identifiers("corp*.zip", format="tagged") == ["a:1"]
    with pytest.raises(
        InputError, match=r"corpus\.zip: no treebank files in this zip file .*\.dbr"
    ):
        read_trees("corpus.zip", format="discbracket")


def test_zip_files_that_cannot_be_read(folder):
    put(folder / "a.zip")
    with pytest.raises(InputError, match=r"^a\.zip: cannot be read: File is not a zip file$"):
        read_trees("a.zip")
    with zipfile.ZipFile(folder / "b.zip", "w") as archive:
        archive.writestr("a.mrg", TREE)
    data = (folder / "b.zip").read_bytes()
    (folder / "b.zip").write_bytes(data.replace(b"(NN a)", b"(NN b)"))
    with pytest.raises(TreebankError, match=r"b\.zip/a\.mrg.*: cannot be read: Bad CRC-32"):
        list(read_trees("b.zip"))
    # The first bit of the flags, in the table of contents and before the data: a password.
    locked = data.replace(b"PK\x01\x02\x14\x03\x14\0\0", b"PK\x01\x02\x14\x03\x14\0\1")
    locked = locked.replace(b"PK\x03\x04\x14\0\0", b"PK\x03\x04\x14\0\1")
    (folder / "c.zip").write_bytes(locked)
    with pytest.raises(TreebankError, match=r"c\.zip/a\.mrg: cannot be read: .*password"):
        list(read_trees("c.zip"))


@pytest.mark.full
@core(1, "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_any_byte_of_a_zip_file_may_be_wrong(folder, method):
    with zipfile.ZipFile(folder / "a.zip", "w", method) as archive:
        archive.writestr("a/\xe9.mrg", TREE)
        archive.writestr("b.mrg", TREE)
    data = (folder / "a.zip").read_bytes()
    messages = set()

    def note(error):
        messages.add(str(error).partition("cannot be read: ")[2])

    for place, byte in enumerate(data):
        (folder / "a.zip").write_bytes(data[:place] + bytes([byte ^ 0xFF]) + data[place + 1 :])
        try:
            list(read_trees("a.zip", on_error=note))
        except InputError as error:
            note(error)
    assert "a name in it is not utf-8" in messages
    assert any(message.startswith("zip file version ") for message in messages)
    assert ("Corrupt input data" in messages) == (method == zipfile.ZIP_LZMA)


def test_a_treebank_that_an_editor_has_called_txt(tmp_path):
    trees = raw_demo_trees()[:3]
    for name in ("export", "tigerxml"):
        path = tmp_path / f"{name}.txt"
        write_trees(trees, tmp_path / "trees", name)
        (tmp_path / "trees").rename(path)
        assert list(read_trees(path)) == list(read_trees(path, format=name))
    sentences = tmp_path / "sentences.txt"
    sentences.write_text("( laughs )\nWhat should we do ?\n", encoding="utf-8")
    assert [len(tree.tokens) for tree in read_trees(sentences)] == [3, 5]
    (tmp_path / "empty.xml").touch()
    with pytest.raises(TreebankError, match="the file is empty"):
        list(read_trees(tmp_path / "empty.xml"))
    with pytest.raises(InputError, match="no such file; write a sentence to a file or a pipe"):
        list(read_trees("What should we do ?"))


def test_nothing_is_learned_from_a_sentence_without_a_parse():
    parsed = Tree.from_string("(S (NN rain) (VB falls))")
    failed = no_parse(parsed.tokens, "a:2")
    with pytest.raises(TreebankError, match="sentence a:2: NOPARSE"):
        list(trainable_trees([parsed, failed]))
    errors = []
    assert list(trainable_trees([failed, parsed], errors.append)) == [parsed]
    assert len(errors) == 1
