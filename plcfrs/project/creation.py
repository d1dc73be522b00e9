"""Beginning a project from texts, or from a treebank."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import count, groupby, islice
from operator import itemgetter
from pathlib import Path

from plcfrs.checking.labels import KINDS, labels_of
from plcfrs.errors import InputError
from plcfrs.project.annotated_sentence import AnnotatedSentence
from plcfrs.project.named_tree import NamedTree
from plcfrs.project.settings import person_named
from plcfrs.storage.files import write_files
from plcfrs.treebank.files import PROJECT
from plcfrs.trees import Token, Tree

_SENTENCES = 200  # of a document: its file is written anew after each action
_LONGEST_NAME = 60
_json = json.JSONEncoder(ensure_ascii=False).encode

_SETTINGS = """\
# Settings of this project: see https://plcfrs.readthedocs.io/guide/annotate.html
people = {people}
parser = {parser}        # the model that proposes trees, or ""
without-parse = {share}      # the share of sentences that are shown without a parse
null-elements = {nulls}    # whether proposals have null elements in place of crossing branches

# The labels that trees may have; all are allowed of a kind that is missing.
[labels]
{labels}
# What no tree may have: a query, as for plcfrs find, and what to say about it.
# [[rules]]
# query = "S < (NP-SBJ $ NP-SBJ)"
# message = "two subjects"
"""


def create(
    folder: Path, sentences: Iterable[tuple[str, Tree]], person: str, parser: str, *, trees: bool
) -> int:
    """Make the folder of a project.

    Parameters
    ----------
    folder : Path
        A new folder, or an empty one.
    sentences : iterable of (str, Tree)
        The name of the document, and the tree, whose identifier is kept if it is unique.
    person, parser : str
    trees : bool
        Whether the trees belong to the person; otherwise only their tokens are kept.

    Returns
    -------
    int
        The number of sentences.

    Raises
    ------
    InputError
        If the folder is not empty.
    """
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder}: is not empty: give a new folder")
    folders = {"text": folder / "text", "trees": folder / "trees" / person_named(person)}
    for each in folders.values():
        each.mkdir(parents=True)
    labels: dict[str, set[str]] = {kind: set() for kind in KINDS}
    total = 0
    try:
        for name, part in _documents(sentences):
            total += len(part)
            lines = {"text": "".join(map(_text_line, part))}
            if trees:
                named = (
                    AnnotatedSentence(tree.id, NamedTree.new(tree), by_hand=True) for tree in part
                )
                lines["trees"] = "".join(sentence.line() for sentence in named)
                for tree in part:
                    for _, kind, label in labels_of(tree):
                        labels[kind].add(label)
            write_files(
                {folders[kind] / f"{name}.jsonl": text.encode() for kind, text in lines.items()}
            )
    except BaseException:  # so that the folder is empty for the next attempt
        for kind in folders:
            shutil.rmtree(folder / kind)
        raise
    used = {kind: sorted(found) for kind, found in labels.items() if found}
    settings = _SETTINGS.format(
        people=_json([person]),
        parser=_json(parser),
        share=0.0 if trees else 0.1,
        nulls=_json(bool(labels["null-elements"])),
        labels="".join(f"{kind} = {_json(found)}\n" for kind, found in used.items()),
    )
    write_files(
        {
            folder / PROJECT: settings.encode(),
            folder / ".gitignore": b".cache/\n",
            folder / ".gitattributes": b"journal/*.jsonl merge=union\n",
        }
    )
    return total


def _documents(sentences: Iterable[tuple[str, Tree]]) -> Iterator[tuple[str, list[Tree]]]:
    """Yield the name and the trees of each document; long ones are divided, and numbered."""
    used: set[str] = set()
    names: set[str] = set()

    def copies(document: str, group: Iterable[tuple[str, Tree]]) -> Iterator[Tree]:
        for number, (_, tree) in enumerate(group, start=1):
            copy = tree.copy()
            if not copy.id or copy.id in used:
                copy.id = _unused(copy.id or f"{document}.{number}", used)
            used.add(copy.id)
            yield copy

    for document, group in groupby(sentences, itemgetter(0)):
        trees = copies(document, group)
        name = re.sub(r"^\.|[/\\\0]", "_", document)[:_LONGEST_NAME] or "text"
        part, following = ([*islice(trees, _SENTENCES)] for _ in range(2))
        for number in count(1):
            if not part:
                break
            yield _unused(f"{name}.{number}" if following or number > 1 else name, names), part
            part, following = following, [*islice(trees, _SENTENCES)]


def _unused(name: str, used: set[str]) -> str:
    free = next(each for n in count(1) if (each := f"{name}-{n}" if n > 1 else name) not in used)
    used.add(free)
    return free


def _text_line(tree: Tree) -> str:
    default = {part.name: part.default for part in fields(Token)}
    tokens = [
        {
            name: value
            for name in ("form", "start", "end")
            if (value := getattr(token, name)) != default[name]
        }
        for token in tree.tokens
        if not token.is_null
    ]
    return _json({"id": tree.id, "tokens": tokens}) + "\n"
