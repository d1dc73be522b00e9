"""Stored values, changed as in damaged files."""

import json
from copy import deepcopy
from random import Random

import numpy as np

from plcfrs.errors import GrammarError
from plcfrs.storage.model_file import ModelFile, load, save
from plcfrs.storage.stored_values import pack, unpack

REFUSED = (AttributeError, LookupError, TypeError, ValueError)

# What a value in JSON is replaced by.
_OTHERS = (None, True, 0, 7, -1, 0.5, 2**70, float("nan"), "", "x", [], [7], ["x"], {}, {"x": 7})


def reread(value, texts=(), arrays=()):
    """Return a value as it is read, where some of what is stored has been replaced.

    Parameters
    ----------
    value : object
    texts : mapping of str to object
        By paths such as "vocabulary.words".
    arrays : mapping of str to array
        None is one that is missing.
    """
    text, known = pack(value)
    content = json.loads(text)
    for path, other in dict(texts).items():
        *above, last = path.split(".")
        place = content
        for name in above:
            place = place[name]
        place[last] = other
    found = {name: each for name, each in (known | dict(arrays)).items() if each is not None}
    return unpack(type(value), json.dumps(content), deepcopy(found))


def check_damage(path, read, number):
    """Check that a damaged file is read or refused in one line that has its name."""
    refused = 0
    for damaged in damages(load(path), number):
        save(path, damaged)
        try:
            read(path)
        except GrammarError as error:
            refused += 1
            message = str(error)
        else:
            message = str(path)
        assert message.startswith(str(path))
        assert "\n" not in message
    assert refused > number / 2


def damages(contents: ModelFile, number):
    """Yield contents without some of the texts and arrays, and with random other ones."""
    random = Random(1)
    for name in random.sample(list(contents.header), min(len(contents.header), number)):
        yield _with(contents, texts={name: None})
    for name in random.sample(list(contents.arrays), min(len(contents.arrays), number)):
        yield _with(contents, arrays={name: None})
    for _ in range(number):
        name, text = random.choice(list(contents.header.items()))
        content = [json.loads(text)]  # which may be a number
        holder, key = random.choice(list(_places(content, random)))
        holder[key] = random.choice(_OTHERS)
        yield _with(contents, texts={name: json.dumps(content[0])})
        if not contents.arrays:
            continue
        name, array = random.choice(list(contents.arrays.items()))
        for changed in (array[:-1], array.reshape(1, *array.shape), array.astype(np.int64)):
            yield _with(contents, arrays={name: changed})


def _places(content, random):
    """Yield places in JSON, some of each list."""
    keys = list(content) if isinstance(content, dict) else list(range(len(content)))
    for key in random.sample(keys, min(len(keys), 12)):
        yield content, key
        if isinstance(content[key], dict | list):
            yield from _places(content[key], random)


def _with(contents, texts=(), arrays=()):
    header, found = contents.header | dict(texts), contents.arrays | dict(arrays)
    return ModelFile(
        contents.kind,
        {name: text for name, text in header.items() if text is not None},
        {name: array for name, array in found.items() if array is not None},
    )
