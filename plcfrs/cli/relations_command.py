"""``plcfrs relations``: who does what to whom."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import TypeVar

from plcfrs.cli.command import command_of, group, treebanks_argument
from plcfrs.cli.convert_command import refuse_dependencies
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import kind_of_output, output_setting, progress, saved, write_rows
from plcfrs.errors import TreebankError
from plcfrs.parsing.registry import load_completer
from plcfrs.predicates import Argument, Predicate, relation_tree, relations
from plcfrs.predicates.relations import text_of
from plcfrs.settings import setting
from plcfrs.text.spelling import as_typed
from plcfrs.treebank import DependencyWriter, open_output
from plcfrs.trees import Token, Tree

Found = TypeVar("Found")
_KINDS = {".tsv": "tsv", ".jsonl": "json", ".conllu": "conllu"}
_COLUMNS = {"SBJ": "subject", "OBJ": "object", "IOBJ": "indirect object", "LGS": "agent"}


@dataclass(frozen=True)
class RelationsOptions:
    """The options of ``plcfrs relations``."""

    treebanks: tuple[str, ...] = treebanks_argument()
    output: str = output_setting()
    to: str | None = setting(
        None,
        "Format of the output.  [default: by file extension, else text]",
        choices=("text", "tsv", "json", "conllu"),
    )
    parse: str | None = setting(
        None,
        "Parse the input with this model. The input is as for plcfrs parse; if it has trees, the "
        "model uses their tags.",
        metavar="MODEL",
    )
    complete: str | None = setting(
        None,
        "First add functions and null elements to trees without them: see plcfrs complete.",
        metavar="MODEL",
    )
    input: InputOptions = group(InputOptions)


@command_of("relations", RelationsOptions())
def command(chosen: RelationsOptions) -> None:
    """Say who does what to whom: subjects, objects and adjuncts of each verb.

    Needs trees with the functions of the Penn Treebank (SBJ, TMP, ...): those of a treebank, or
    parses of a model that has learned them. Null elements say what is understood, such as the
    subject of an infinitive or the object of a passive. With --to conllu, writes dependencies
    (Johansson and Nugues 2007); the graph in DEPS has what is understood.

    \b
    Examples:
      plcfrs relations article.txt --parse plcfrs:english
      plcfrs relations parses.discbracket --complete plcfrs:english -o relations.tsv
      plcfrs relations nltk:treebank --to conllu -o wsj.conllu
    """  # noqa: D301
    refuse_dependencies(chosen.treebanks, chosen.input.format)
    kind = chosen.to or kind_of_output(chosen.output, _KINDS)
    trees = progress(_completed(chosen), "relations")
    if kind == "conllu":
        writer = DependencyWriter(chosen.output, "conllu")
        with saved(writer, chosen.output, chosen.input) as output:
            for _, sentence in _each(trees, relation_tree, chosen.input):
                output.write(sentence)
    elif kind == "tsv":
        places = [f"{name} {part}".strip() for name in _COLUMNS.values() for part in ("", "place")]
        header = ["sentence", "predicate", "place", "lemma", "voice", *places, "others"]
        found = _each(trees, relations, chosen.input)
        write_rows(chosen.output, header, (row for each in found for row in _rows(*each)))
    else:
        render = _json if kind == "json" else _text
        with open_output(chosen.output) as file:
            for each in _each(trees, relations, chosen.input):
                file.write(render(*each))
    chosen.input.report()


def _completed(chosen: RelationsOptions) -> Iterator[Tree]:
    """Yield the trees, completed by a model if one is given."""
    trees = chosen.input.read_or_parse(chosen.treebanks, chosen.parse)
    if chosen.complete is None:
        return trees
    complete = load_completer(chosen.complete)
    return (tree if tree.annotation else complete(tree) for tree in trees)


def _each(
    trees: Iterable[Tree], function: Callable[[Tree], Found], input: InputOptions
) -> Iterator[tuple[Tree, Found]]:
    """Yield the trees with what a function finds; with --skip-bad, skip trees without functions."""
    for number, tree in enumerate(trees, start=1):
        tree.id = tree.id or str(number)
        try:
            yield tree, function(tree)
        except TreebankError as error:
            if input.on_error is None:
                raise
            input.on_error(error)


def _text(tree: Tree, found: list[Predicate]) -> str:
    """Return a sentence with a line for each predicate."""
    verbs = [_verbs(tree, predicate) for predicate in found]
    width = max(map(len, verbs), default=0)
    lines = [
        f"  {verb:{width}}  {'; '.join(f'{a.function} {_words(a)}' for a in predicate.arguments)}"
        for verb, predicate in zip(verbs, found, strict=True)
    ]
    return "\n".join([f"{tree.id}\t{' '.join(tree.words())}", *map(str.rstrip, lines), "\n"])


def _verbs(tree: Tree, predicate: Predicate) -> str:
    """Return a verb with its auxiliaries, and its voice if it is passive."""
    tokens = [token for token in tree.tokens if not token.is_null]
    verbs = text_of(predicate.verbs, tuple(tokens[place] for place in predicate.verbs))
    notes = [predicate.voice] * (predicate.voice == "passive") + ["gapped"] * predicate.is_gapped
    return f"{verbs} ({', '.join(notes)})" if notes else verbs


def _words(phrase: Argument) -> str:
    """Return the words of an argument, and why they are understood."""
    return phrase.text + f" ({phrase.how})" * (phrase.how != "explicit")


def _rows(tree: Tree, found: list[Predicate]) -> Iterator[list[str]]:
    """Yield a row for each predicate."""
    for predicate in found:
        others = [each for each in predicate.arguments if each.function not in _COLUMNS]
        yield [
            tree.id,
            as_typed(predicate.token),
            _place((predicate.position,), (predicate.token,)),
            predicate.token.lemma,
            predicate.voice,
            *(
                "; ".join(map(value, predicate[function]))
                for function in _COLUMNS
                for value in (_words, _place_of)
            ),
            "; ".join(f"{each.function} {_words(each)} {_place_of(each)}" for each in others),
        ]


def _place_of(phrase: Argument) -> str:
    return _place(phrase.positions, phrase.tokens)


def _place(positions: tuple[int, ...], tokens: tuple[Token, ...]) -> str:
    """Return the characters of words in their text, or else their numbers from 1."""
    if all(token.start is not None for token in tokens):
        return f"{tokens[0].start}:{tokens[-1].end}"
    return f"{positions[0] + 1}-{positions[-1] + 1}"


def _json(tree: Tree, found: list[Predicate]) -> str:
    filled = [asdict(predicate, dict_factory=_filled) for predicate in found]
    return json.dumps({"id": tree.id, "predicates": filled}, ensure_ascii=False) + "\n"


def _filled(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return what is not empty."""
    return {name: value for name, value in pairs if value not in ("", None)}
