"""Files of models: the same when read again, mapped, errors that name bad ones."""

import json
import mmap
import os
import zipfile
from pathlib import Path
from random import Random

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from plcfrs.errors import GrammarError
from plcfrs.storage import model_file
from plcfrs.storage.model_file import ModelFile, kind_of, load, opened, save

HEADER = {"system": "gap", "words": '["Über", "\\u00e4"]', "": "\n"}
ARRAYS = {
    "keys": np.array([[2**63 + 1, 2], [7, 0]], np.uint64),
    "weights": np.array([0.5] * 7, np.float32),
    "tagger.counters": np.arange(3),
    "nothing": np.zeros((0, 4), np.float32),
    "square": np.eye(3, dtype=np.float64),
    "text": np.frombuffer(b"S -> NP VP\n", np.uint8),
}
MODEL = ModelFile("gap", HEADER, ARRAYS)
LENGTH = 8


@pytest.fixture
def path(tmp_path) -> Path:
    path = tmp_path / "demo.gap"
    save(path, MODEL)
    return path


def test_large_arrays_of_small_numbers_are_compressed(path, monkeypatch):
    size = path.stat().st_size
    monkeypatch.setattr(model_file, "_LARGE", 1000)
    cells = np.arange(6000, dtype=np.uint16).reshape(3, 2000) // 7
    model = MODEL._replace(arrays=ARRAYS | {"cells": cells, "few": cells[0, :9]})
    save(path, model)
    assert path.stat().st_size < size + cells.nbytes / 3
    found = load(path)
    assert is_same(found, model)
    assert found.arrays["cells"].flags.writeable
    data = path.read_bytes()
    path.write_bytes(data[:-9] + bytes([data[-9] ^ 1]) + data[-8:])
    with pytest.raises(GrammarError, match="damaged"):
        load(path)


def is_same(one: ModelFile, other: ModelFile = MODEL) -> bool:
    return one[:2] == other[:2] and {
        name: (array.shape, array.dtype, array.tobytes()) for name, array in one.arrays.items()
    } == {name: (array.shape, array.dtype, array.tobytes()) for name, array in other.arrays.items()}


def test_read_again(path):
    assert is_same(load(path))
    assert is_same(load(str(path)))
    again = path.with_name("again.gap")
    save(again, load(path))
    assert again.read_bytes() == path.read_bytes()


def test_the_library_reads_the_same(path):
    found = safetensors.numpy.load_file(path)
    assert is_same(MODEL._replace(arrays=found))
    with safetensors.safe_open(path, "numpy") as content:
        metadata = content.metadata()
    assert (metadata.pop("plcfrs"), metadata.pop("kind")) == ("3", "gap")
    assert metadata.pop("checksum")
    assert metadata == HEADER


NUMBERS = st.one_of(
    hnp.boolean_dtypes(), hnp.integer_dtypes(), hnp.unsigned_integer_dtypes(), hnp.floating_dtypes()
).filter(lambda dtype: dtype.itemsize <= 8)


@given(
    kind=st.text(st.characters(exclude_categories=["Cs"])),
    header=st.dictionaries(*[st.text(st.characters(exclude_categories=["Cs"]))] * 2),
    array=hnp.arrays(NUMBERS, hnp.array_shapes(min_dims=0, min_side=0)),
)
def test_any_texts_and_numbers(tmp_path_factory, kind, header, array):
    path = tmp_path_factory.mktemp("models") / "random"
    save(path, ModelFile(kind, header, {"numbers": array}))
    loaded = load(path)
    assert (loaded.kind, loaded.header) == (kind, header)
    assert kind_of(path) == kind
    np.testing.assert_array_equal(loaded.arrays["numbers"], array)


def test_arrays_are_mapped_and_aligned(path):
    for array in load(path).arrays.values():
        base = array
        while isinstance(base, np.ndarray):
            base = base.base
        assert isinstance(base.obj if isinstance(base, memoryview) else base, mmap.mmap)
        assert array.flags.aligned
        assert array.flags.writeable
        assert array.dtype.isnative


def test_what_is_written_into_arrays_stays_in_memory(path):
    before = path.read_bytes()
    load(path).arrays["square"][:] = 7
    assert path.read_bytes() == before
    assert is_same(load(path))


def test_a_loaded_file_may_be_written_anew(path):
    loaded = load(path)
    save(path, ModelFile("gap", {}, {"square": np.zeros(2)}))
    assert is_same(loaded)


def test_other_orders_of_memory(tmp_path):
    turned, part = np.arange(6).reshape(2, 3).T, np.arange(9)[::2]
    other = np.arange(3, dtype=">i4")
    arrays = {"turned": turned, "part": part, "other": other}
    save(tmp_path / "a", ModelFile("x", {}, arrays))
    loaded = load(tmp_path / "a").arrays
    assert loaded["turned"].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert loaded["part"].tolist() == [0, 2, 4, 6, 8]
    assert loaded["other"].tolist() == [0, 1, 2]
    assert all(array.flags.carray for array in loaded.values())


def test_numbers_only(tmp_path):
    for array in (np.array([{}, None]), np.zeros(2, [("a", "i4")]), np.array(["text"])):
        with pytest.raises(KeyError):
            save(tmp_path / "a", ModelFile("x", {}, {"objects": array}))
    assert list(tmp_path.iterdir()) == []


def load_or_error(path: Path) -> ModelFile | None:
    """Return the contents of a file, or None if an error names it."""
    for read in (kind_of, load):
        try:
            found = read(path)
        except GrammarError as error:
            message = str(error)
            assert str(path) in message
            assert "\n" not in message
            found = None
    return found


def test_a_file_that_is_cut(path):
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        assert load_or_error(path) is None
    path.write_bytes(whole + b"\0")
    assert load_or_error(path) is None


@pytest.mark.full
def test_every_byte(path):
    whole = path.read_bytes()
    random = Random(1)
    refused = 0
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= random.randrange(1, 256)
        path.write_bytes(damaged)
        loaded = load_or_error(path)
        refused += loaded is None
        assert loaded is None or is_same(loaded)
    assert refused > 0.9 * len(whole)


def test_many_damaged_bytes(path):
    whole = path.read_bytes()
    random = Random(1)
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(20):
            damaged[random.randrange(len(whole))] ^= random.randrange(1, 256)
        path.write_bytes(damaged)
        loaded = load_or_error(path)
        assert loaded is None or is_same(loaded)


def rewritten(path: Path, change) -> None:
    """Write a file again with another header of the correct length."""
    whole = path.read_bytes()
    end = LENGTH + int.from_bytes(whole[:LENGTH], "little")
    header = change(json.loads(whole[LENGTH:end]))
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(LENGTH, "little") + text + whole[end:])


def test_a_header_that_is_none(path):
    whole = path.read_bytes()
    for header in [b"", b"{}", b"[]", b"7", b"\xff", b"{" * 9, b"[" * 100_000]:
        path.write_bytes(whole)
        rewritten(path, lambda _, header=header: header)
        assert load_or_error(path) is None


def test_a_length_that_is_wrong(path):
    for length in [0, 1, 2**31, 2**40, 2**63, 2**64 - 1]:
        path.write_bytes(length.to_bytes(LENGTH, "little") + path.read_bytes()[LENGTH:])
        assert load_or_error(path) is None


def test_metadata_that_are_wrong(path):
    whole = path.read_bytes()
    for name in ("plcfrs", "kind", "checksum", "system"):
        for value in (None, 7, [], {}, "", "x", "-1", "9" * 5000, "\0", "1"):
            rewritten(path, lambda header, name=name, value=value: {
                **header, "__metadata__": {**header["__metadata__"], name: value}
            })  # fmt: skip
            assert load_or_error(path) is None
        rewritten(
            path,
            lambda header, name=name: {
                **header,
                "__metadata__": {key: header["__metadata__"][key] for key in HEADER if key != name},
            },
        )
        assert load_or_error(path) is None
        path.write_bytes(whole)
    rewritten(path, lambda header: {key: header[key] for key in header if key != "__metadata__"})
    assert load_or_error(path) is None


def test_an_array_that_is_described_wrong(path):
    whole = path.read_bytes()
    for name, value in [
        *[("dtype", text) for text in ("F128", "O", "BF16", "f4", "", None, 7, "F32")],
        *[("shape", shape) for shape in ([3, 3000000], [-3, -3], [2**63, 2], [9], 9, None, [None])],
        ("shape", [0, 3]),
        *[("data_offsets", each) for each in ([0, 72], [1, 73], [72, 0], [-8, 64], [2**64, 9], 9)],
    ]:
        path.write_bytes(whole)
        rewritten(path, lambda header, entry={name: value}: {
            **header, "square": {**header["square"], **entry}
        })  # fmt: skip
        assert load_or_error(path) is None


def test_a_file_of_another_plcfrs(path):
    for version, message in [
        (
            "4",
            "written by a newer plcfrs in format 4, but this one reads format 3: upgrade ",
        ),
        (
            "2",
            "written by an earlier plcfrs in format 2, but this one reads format 3: train it ",
        ),
    ]:
        rewritten(path, lambda header, version=version: {
            **header, "__metadata__": {**header["__metadata__"], "plcfrs": version}
        })  # fmt: skip
        for read in (kind_of, load):
            with pytest.raises(GrammarError, match=rf"demo\.gap: {message}"):
                read(path)


def test_a_foreign_file(path):
    for content in [
        b"",
        b"PK",
        b"(S (NN ferry))\n",
        bytes(range(256)),
        b"\x80\x04N.",
        b"PK\x05\x06" + bytes(18),
    ]:
        path.write_bytes(content)
        assert load_or_error(path) is None
        assert kind_of(path) == "grammar"


def test_other_files(tmp_path):
    archive = tmp_path / "archive.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("readme.txt", "hello")
    numbers = tmp_path / "numbers.npz"
    np.savez(numbers, states=np.arange(3))
    foreign = tmp_path / "foreign.safetensors"
    safetensors.numpy.save_file({"states": np.arange(3)}, foreign)
    for other in (archive, numbers, foreign, tmp_path, tmp_path / "missing"):
        assert load_or_error(other) is None
    for read in (kind_of, load):
        with pytest.raises(GrammarError, match="of another program, not a plcfrs model"):
            read(foreign)


def test_an_error_of_ours_is_not_one_of_the_file(path):
    for error in [TypeError, AttributeError, ImportError, AssertionError]:
        with pytest.raises(error, match="ours"), opened(path):
            raise error("ours")


def test_contents_that_are_not_understood(path):
    for error in [ValueError, KeyError, IndexError]:
        with pytest.raises(GrammarError) as caught, opened(path):
            raise error("weights")
        message = str(caught.value)
        assert message.startswith(
            f"{path}: this version of plcfrs cannot read it ({error.__name__}: "
        )
        assert message.endswith("; train it again")


def test_a_folder_that_does_not_exist(tmp_path):
    path = tmp_path / "none" / "demo.gap"
    with pytest.raises(GrammarError, match=r"none.demo\.gap"):
        save(path, MODEL)


def test_an_interrupted_writer_leaves_no_file(tmp_path, monkeypatch):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "demo.gap"
    path.write_bytes(b"earlier")
    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(path, MODEL)
    assert path.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk():
    with pytest.raises(OSError, match=os.strerror(28)):
        save("/dev/full", MODEL)


def test_kinds(path, tmp_path):
    assert kind_of(path) == "gap"
    (tmp_path / "empty").write_bytes(b"")
    assert kind_of(tmp_path / "empty") == "grammar"
    with pytest.raises(GrammarError, match="No such file"):
        kind_of(tmp_path / "missing")
