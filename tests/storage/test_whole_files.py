"""Files that are complete or do not exist."""

import hashlib

from plcfrs.storage.files import digest_of


def test_a_digest_of_files_is_that_of_all_they_have(tmp_path):
    contents = [b"one", b"", bytes(range(256)) * 10_000]
    paths = [tmp_path / str(number) for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    assert digest_of(paths) == hashlib.sha256(b"".join(contents)).hexdigest()
