"""Files of transition parsers: the same when read again, mapped, errors that name bad ones."""

import mmap
import os
import warnings
import zipfile
from pathlib import Path
from random import Random

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from plcfrs.errors import GrammarError
from plcfrs.grammar.formats.kinds import kind_of
from plcfrs.transition.files import Contents, load, save
from plcfrs.transition.kernel import arrays

HEADER = {"system": "gap", "words": '["Über", "\\u00e4"]', "": "\n"}
ARRAYS = {
    "table": np.array([(2**63 + 1, 2, 3), (7, 0, 1)], arrays.FEATURE),
    "entries": np.array([(1, 0.5)] * 7, arrays.ENTRY),
    "tagger.counters": np.arange(3),
    "nothing": np.zeros((0, 4), np.float32),
    "square": np.eye(3, dtype=np.float32),
}


@pytest.fixture
def path(tmp_path) -> Path:
    path = tmp_path / "demo.gap"
    save(path, HEADER, ARRAYS)
    return path


def test_records_are_the_same_to_numba(path):
    for name in ("table", "entries"):
        assert numba.typeof(load(path).arrays[name]) == numba.typeof(ARRAYS[name])


def is_same(one: Contents, header: dict, arrays: dict) -> bool:
    return one.header == header and {
        name: (array.shape, array.dtype, array.tobytes()) for name, array in one.arrays.items()
    } == {name: (array.shape, array.dtype, array.tobytes()) for name, array in arrays.items()}


def test_read_again(path):
    assert is_same(load(path), HEADER, ARRAYS)
    assert is_same(load(str(path)), HEADER, ARRAYS)
    again = path.with_name("again.gap")
    save(again, *load(path))
    assert again.read_bytes() == path.read_bytes()


@given(
    header=st.dictionaries(st.text(), st.text(st.characters(exclude_categories=["Cs"]))),
    array=hnp.arrays(hnp.scalar_dtypes(), hnp.array_shapes(min_dims=0, min_side=0)),
)
def test_any_texts_and_numbers(tmp_path_factory, header, array):
    path = tmp_path_factory.mktemp("models") / "random"
    header = {name.encode(errors="replace").decode(): text for name, text in header.items()}
    save(path, header, {"numbers": array})
    loaded = load(path)
    assert loaded.header == header
    np.testing.assert_array_equal(loaded.arrays["numbers"], array)


def test_arrays_are_mapped_and_aligned(path):
    for array in load(path).arrays.values():
        base = array
        while isinstance(base, np.ndarray):
            base = base.base
        assert isinstance(base.obj if isinstance(base, memoryview) else base, mmap.mmap)
        assert array.ctypes.data % 64 == 0 or not array.size
        assert array.flags.aligned
        assert array.flags.writeable


def test_what_is_written_into_arrays_stays_in_memory(path):
    before = path.read_bytes()
    loaded = load(path)
    loaded.arrays["square"][:] = 7
    assert path.read_bytes() == before
    assert is_same(load(path), HEADER, ARRAYS)


def test_a_loaded_file_may_be_written_anew(path):
    loaded = load(path)
    save(path, {}, {"square": np.zeros(2)})
    assert is_same(loaded, HEADER, ARRAYS)


def test_numpy_opens_them(path):
    with np.load(path) as archive:
        assert archive["square"].tolist() == ARRAYS["square"].tolist()


def test_other_orders_of_memory(tmp_path):
    save(tmp_path / "a", {}, {"turned": np.arange(6).reshape(2, 3).T, "part": np.arange(9)[::2]})
    loaded = load(tmp_path / "a").arrays
    assert loaded["turned"].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert loaded["part"].tolist() == [0, 2, 4, 6, 8]
    assert all(array.flags.carray for array in loaded.values())


def test_no_objects(tmp_path):
    with pytest.raises(ValueError, match="pickle"):
        save(tmp_path / "a", {}, {"objects": np.array([{}, None])})
    assert list(tmp_path.iterdir()) == []


def load_or_error(path: Path) -> Contents | None:
    """Return what a file has, or None if an error names it."""
    try:
        return load(path)
    except GrammarError as error:
        message = str(error)
    assert str(path) in message
    assert "\n" not in message
    return None


def test_a_file_that_is_cut(path):
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        assert load_or_error(path) is None


def test_a_file_with_damaged_bytes(path):
    whole = path.read_bytes()
    random = Random(1)
    refused = 0
    for _ in range(600):
        damaged = bytearray(whole)
        for _ in range(random.choice([1, 1, 20])):
            damaged[random.randrange(len(whole))] ^= random.randrange(1, 256)
        path.write_bytes(damaged)
        loaded = load_or_error(path)
        refused += loaded is None
        assert loaded is None or is_same(loaded, HEADER, ARRAYS)
    assert refused > 300


@pytest.mark.parametrize(
    "content",
    [b"", b"PK", b"(S (NN ferry))\n", bytes(range(256)), b"\x80\x04N.", b"PK\x05\x06" + bytes(18)],
)
def test_a_foreign_file(path, content):
    path.write_bytes(content)
    assert load_or_error(path) is None


def test_other_files(tmp_path):
    archive = tmp_path / "archive.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("readme.txt", "hello")
    numbers = tmp_path / "numbers.npz"
    np.savez(numbers, states=np.arange(3))
    packed = tmp_path / "packed.npz"
    np.savez_compressed(packed, states=np.arange(3))
    for other in (archive, numbers, packed, tmp_path, tmp_path / "missing"):
        assert load_or_error(other) is None


def rewritten(path: Path, changes: dict[str, bytes | None], *, packed: bool = False) -> None:
    """Write an archive anew with other contents, which are right as far as a zip file goes."""
    with zipfile.ZipFile(path) as file:
        contents = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if packed else 0) as file:
        for name, content in {**contents, **changes}.items():
            if content is not None:
                file.writestr(name, content)


@pytest.mark.parametrize(
    "header",
    [
        *(b"", b"{}", b"[]", b"7", b"\xff", b'{"plcfrs transition": 1}'),
        *(
            b'{"plcfrs transition": 1, "header": 7}',
            b'{"plcfrs transition": 1, "arrays": [], "header": {}}',
        ),
        b"[" * 100_000,
    ],
)
def test_a_header_that_is_wrong(path, header):
    rewritten(path, {"plcfrs-transition.json": header})
    assert load_or_error(path) is None


def test_a_header_that_is_missing(path):
    rewritten(path, {"plcfrs-transition.json": None})
    assert load_or_error(path) is None


def test_a_file_of_a_newer_plcfrs(path):
    rewritten(path, {"plcfrs-transition.json": b'{"plcfrs transition": 2}'})
    with pytest.raises(GrammarError, match="newer plcfrs"):
        load(path)


def test_a_packed_file(path):
    rewritten(path, {}, packed=True)
    assert load_or_error(path) is None


def test_an_array_that_claims_to_be_huge(path):
    with zipfile.ZipFile(path) as file:
        content = file.read("square.npy")
    longer = content.replace(b"(3, 3), }       ", b"(3, 3000000), } ")
    assert len(longer) == len(content)
    assert longer != content
    rewritten(path, {"square.npy": longer})
    assert load_or_error(path) is None


def test_an_array_as_python_2_wrote_it(path):
    """NumPy reads it, with a warning that is none to people who parse."""
    with zipfile.ZipFile(path) as file:
        content = file.read("square.npy")
    older = content.replace(b"(3, 3), }  ", b"(3L, 3L), }")
    assert older != content
    rewritten(path, {"square.npy": older})
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert load_or_error(path) is None
    assert not seen


def test_an_array_of_objects(path):
    with zipfile.ZipFile(path) as file:
        content = file.read("square.npy")
    rewritten(path, {"square.npy": content.replace(b"'<f4'", b"'|O8'")})
    assert load_or_error(path) is None


def test_an_array_that_is_no_array(path):
    for content in (b"", b"x", b"\x93NUMPY\x01\x00", b"\x93NUMPY\x01\x00\xff\xff{"):
        rewritten(path, {"square.npy": content})
        assert load_or_error(path) is None


def test_a_folder_that_does_not_exist(tmp_path):
    path = tmp_path / "none" / "demo.gap"
    with pytest.raises(GrammarError, match=r"none.demo\.gap"):
        save(path, {}, {})


def test_an_interrupted_writer_leaves_no_file(tmp_path, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "demo.gap"
    path.write_bytes(b"earlier")
    monkeypatch.setattr("plcfrs.transition.files.npy.write_array", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(path, HEADER, ARRAYS)
    assert path.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk():
    with pytest.raises(OSError, match=os.strerror(28)):
        save("/dev/full", HEADER, ARRAYS)


def test_kinds(path, tmp_path):
    assert kind_of(path) == "transition"
    np.savez(tmp_path / "a.npz", header=np.zeros(1))
    assert kind_of(tmp_path / "a.npz") == "refined"
    (tmp_path / "empty").write_bytes(b"")
    assert kind_of(tmp_path / "empty") == "grammar"
    with pytest.raises(GrammarError, match="No such file"):
        kind_of(tmp_path / "missing")
