"""A component of spaCy pipelines that parses the sentences of Docs.

spaCy finds the factory "plcfrs" by the entry point in ``pyproject.toml``. Importing this module
registers the factory and the attributes ``span._.plcfrs``, ``span._.constituents``,
``span._.functions``, ``span._.relations``, ``doc._.relations`` and ``token._.constituent``. Each
access builds their values from plain data in ``doc.user_data``.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from pathlib import Path
from shutil import make_archive
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeAlias, Union
from zipfile import ZipFile

from spacy.language import Language
from spacy.tokens import Doc, Span, Token
from spacy.util import minibatch

from plcfrs.budget import BudgetSettings
from plcfrs.corpus.parsing import parse_all
from plcfrs.errors import InputError
from plcfrs.parsing import Parse, Sentence, SentenceParser, load_model
from plcfrs.parsing.parse import Task
from plcfrs.parsing.sentence_parser import SAVED
from plcfrs.predicates import Predicate, relations
from plcfrs.settings import change_settings
from plcfrs.text import Spelling
from plcfrs.trees import Node, Tree, no_parse, restore_traces
from plcfrs.trees import Token as Word
from plcfrs.trees.tree import positions, runs

Tags: TypeAlias = Literal["own", "doc"]
Child: TypeAlias = Union["Constituent", Token]

_PLACES = "places"  # characters of the words in the sentence; tokens may be merged or split later
_STORED = ("status", "reason", "score", "meaning", "fallback", "optimality_gap")


class PlcfrsComponent:
    """Parses the sentences of Docs, with the tokens of spaCy.

    Parameters
    ----------
    model : str
        A file or a name for `plcfrs.load_model`. It is not read before the first text, since a
        stored pipeline has its own model.
    tags : {"own", "doc"}
        Whether the parser finds the tags, or takes those of the Doc (``token.tag_``).
    budget : mapping of str to float
        Limits for each sentence: ``max_items``, ``max_seconds``, ``max_memory``; see
        `plcfrs.Budget`.
    options : mapping of str to object
        Options of the family, such as ``beam``.

    Raises
    ------
    InputError
        If a limit of the budget is impossible; later, if a Doc has no sentence boundaries, or no
        tags for ``tags="doc"``.
    """

    def __init__(
        self, model: str, tags: Tags, budget: Mapping[str, float], options: Mapping[str, Any]
    ) -> None:
        limits = {name.replace("_", "-"): value for name, value in budget.items()}
        self._model, self._tags, self._options = model, tags, options
        self._budget = change_settings(BudgetSettings(), limits).chosen

    @cached_property
    def parser(self) -> SentenceParser:
        """The parser."""
        return self._load(self._model)

    @cached_property
    def _spelling(self) -> Spelling:
        return Spelling(self.parser.words)

    def _load(self, model: str | Path) -> SentenceParser:
        return load_model(model, self._budget, **self._options)

    def __call__(self, doc: Doc) -> Doc:
        """Parse the sentences of a Doc."""
        return next(self.pipe([doc], batch_size=1))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int) -> Iterator[Doc]:
        """Parse the sentences of Docs; those of a batch are parsed together."""
        for docs in minibatch(stream, batch_size):
            spans = [span for doc in docs for span in _sentences_of(doc)]
            outcomes = parse_all(self.parser, map(self._read, spans), Task(trees_alone=True))
            for span, outcome in zip(spans, outcomes, strict=True):
                parse = outcome.parses[0]
                values = {name: getattr(parse, name) for name in _STORED}
                if parse.tree.annotation is not None:
                    values["traces"] = str(restore_traces(parse.tree))
                start = span.start_char
                words = _words_of(span)
                places = [(word.idx - start, word.idx + len(word) - start) for word in words]
                span._.plcfrs_data = {"tree": str(parse.tree), _PLACES: places, **values}
            yield from docs

    def _read(self, span: Span) -> Sentence:
        """Return a sentence in the spelling of the model."""
        tokens = _words_of(span)
        forms = self._spelling.sentence([token.text for token in tokens])
        if self._tags == "own":
            return Sentence([Word(form, "") for form in forms])
        for token in tokens:
            if not token.tag_:
                raise InputError(
                    f"{token.text!r} has no tag, but the component plcfrs uses the tags of the "
                    'Doc: put a tagger before it, or set tags to "own"'
                )
        words = [Word(form, token.tag_) for form, token in zip(forms, tokens, strict=True)]
        return Sentence(words, [{word.tag: 0.0} for word in words])

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:  # noqa: ARG002
        """Write the model into a folder; the options are in spaCy's ``config.cfg``."""
        Path(path).mkdir(parents=True, exist_ok=True)
        self.parser.save_into(path)

    def from_disk(
        self,
        path: str | Path,
        *,
        exclude: Iterable[str] = (),  # noqa: ARG002
    ) -> "PlcfrsComponent":
        """Read the model from a folder."""
        self.parser = self._load(Path(path, SAVED))
        vars(self).pop("_spelling", None)
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return what `to_disk` writes, as a zip file."""
        with TemporaryDirectory() as folder:
            self.to_disk(Path(folder, "model"), exclude=exclude)
            packed = make_archive(f"{folder}/packed", "zip", f"{folder}/model")
            return Path(packed).read_bytes()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "PlcfrsComponent":
        """Read what `to_bytes` returns."""
        with TemporaryDirectory() as folder:
            ZipFile(BytesIO(data)).extractall(folder)
            return self.from_disk(folder, exclude=exclude)


@dataclass(frozen=True)
class Constituent:
    """A constituent of a sentence.

    Two constituents are equal if they are at the same place of the same parse.

    Parameters
    ----------
    label : str
    spans : tuple of Span
        Its parts from left to right, each with the label; a discontinuous constituent has several.
    number : int
        Its place among the constituents of the sentence, mothers first; 0 is the root.
    parent : Constituent or None
        None for the root.
    children : list of Constituent or Token
        From left to right by their first words.
    functions : tuple of str
        Such as SBJ, if the parser finds functions.
    """

    label: str
    spans: tuple[Span, ...]
    number: int
    parent: Union["Constituent", None] = field(default=None, compare=False, repr=False)
    children: list[Child] = field(default_factory=list, compare=False, repr=False)
    functions: tuple[str, ...] = ()

    @property
    def is_discontinuous(self) -> bool:
        """Whether it has a gap."""
        return len(self.spans) > 1


def make_component(
    nlp: Language,  # noqa: ARG001 (spaCy passes it)
    name: str,  # noqa: ARG001
    model: str,
    tags: Tags,
    budget: dict[str, float],
    options: dict[str, Any],
) -> PlcfrsComponent:
    """Return the component of a pipeline: the factory "plcfrs"."""
    return PlcfrsComponent(model, tags, budget, options)


def parse_of(span: Span) -> Parse:
    """Return the parse of the sentence of a Span; without one, raise an InputError."""
    data = _data_of(span.sent)
    is_empty = data["status"] == "empty"
    tree = no_parse([]) if is_empty else Tree.from_string(data["tree"])
    return Parse(tree, **{name: data[name] for name in _STORED})


def constituents_of(span: Span) -> list[Constituent]:
    """Return the constituents inside a Span, mothers first; all of them for a sentence."""
    return [
        constituent
        for sentence in span.sents
        for constituent in _constituents_of_sentence(sentence)
        if span.start <= constituent.spans[0].start and constituent.spans[-1].end <= span.end
    ]


def functions_of(span: Span) -> list[str]:
    """Return the functions of the constituents that are exactly this Span, such as SBJ."""
    here = (span.start, span.end)
    return [
        function
        for constituent in constituents_of(span)
        if [(part.start, part.end) for part in constituent.spans] == [here]
        for function in constituent.functions
    ]


def relations_of(part: Doc | Span) -> list[Predicate]:
    """Return the predicates of the sentences of a Doc or Span, with their arguments.

    The places of tokens, ``start`` and ``end``, are characters of the Doc.
    """
    found = []
    for sentence in part.sents:
        data = _data_of(sentence)
        tree = Tree.from_string(data["traces"]) if "traces" in data else parse_of(sentence).tree
        words = [token for token in tree.tokens if not token.is_null]
        for word, (start, end) in zip(words, data[_PLACES], strict=False):
            word.start, word.end = sentence.start_char + start, sentence.start_char + end
        found += relations(tree)
    return found


def constituent_of(token: Token) -> Constituent | None:
    """Return the smallest constituent that contains a Token; white space is in none."""
    for constituent in _constituents_of_sentence(token.sent):
        if any(isinstance(child, Token) and child.i == token.i for child in constituent.children):
            return constituent
    return None


def _constituents_of_sentence(sentence: Span) -> list[Constituent]:
    """Return the constituents, except those inside a token that was merged later."""
    tree, doc = parse_of(sentence).tree, sentence.doc
    start = sentence.start_char
    places = [(start + left, start + right) for left, right in _data_of(sentence)[_PLACES]]

    def tokens_of(first: int, last: int) -> list[Token]:
        return list(doc.char_span(places[first][0], places[last][1], alignment_mode="expand"))

    yields, parents = tree.yields(), tree.parents()
    built: dict[Node, Constituent] = {}
    for number, node in enumerate(tree.nodes() if places else ()):
        label, parts = node.category, list(runs(yields[node]))
        spans = [doc.char_span(places[i][0], places[j - 1][1], label) for i, j in parts]
        if all(spans):
            mother = built[parents[node]] if number else None
            functions = node.functions
            built[node] = Constituent(label, tuple(spans), number, mother, functions=functions)
        elif len(tokens_of(parts[0][0], parts[-1][1] - 1)) > 1:
            raise InputError(
                f"tokens were merged across the border of a constituent ({label}) after the "
                "component plcfrs: merge them before it"
            )
    for node, constituent in built.items():
        last = -1
        for child in node.children:
            if child in built:
                constituent.children.append(built[child])
                continue
            word = child if isinstance(child, int) else positions(yields[child])[0]
            tokens = tokens_of(word, word)
            constituent.children.extend(token for token in tokens if token.i > last)
            last = tokens[-1].i
    return list(built.values())


def _data_of(sentence: Span) -> dict[str, Any]:
    data: dict[str, Any] | None = sentence._.plcfrs_data
    if data is None:
        raise InputError(
            'this sentence was not parsed: add the component "plcfrs" to the pipeline, after the '
            "components that set sentence boundaries"
        )
    return data


def _sentences_of(doc: Doc) -> Iterator[Span]:
    if not doc.has_annotation("SENT_START"):
        raise InputError(
            "the Doc has no sentence boundaries: put a parser, a senter or a sentencizer before "
            'the component plcfrs, for example with nlp.add_pipe("sentencizer", before="plcfrs")'
        )
    yield from doc.sents


def _words_of(sentence: Span) -> list[Token]:
    """Return the words of a sentence: its tokens without white space."""
    return [token for token in sentence if not token.is_space]


Language.factory(
    "plcfrs",
    default_config={"tags": "own", "budget": {}, "options": {}},
    requires=["doc.sents"],
    assigns=[
        "doc._.relations",
        "span._.plcfrs",
        "span._.constituents",
        "span._.functions",
        "span._.relations",
        "token._.constituent",
    ],
    func=make_component,
)
Span.set_extension("plcfrs_data", default=None, force=True)
Span.set_extension("plcfrs", getter=parse_of, force=True)
Span.set_extension("constituents", getter=constituents_of, force=True)  # benepar has it, too
Span.set_extension("functions", getter=functions_of, force=True)
Span.set_extension("relations", getter=relations_of, force=True)
Doc.set_extension("relations", getter=relations_of, force=True)
Token.set_extension("constituent", getter=constituent_of, force=True)
