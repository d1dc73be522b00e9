"""Sentences to parse: those of a text, and examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain, islice
from operator import itemgetter
from weakref import ref

from fastapi import APIRouter
from pydantic import BaseModel, Field

from plcfrs.parsing import Sentence, SentenceParser
from plcfrs.transformation import transform_all
from plcfrs.treebank import read_trees
from plcfrs.treebank.files import DEMO
from plcfrs.trees import Tree
from plcfrs.trees.tree import fan_out
from plcfrs.web.routes import ModelName, SentenceRequest, ServerStore, check_text, parsing, threaded
from plcfrs.web.store import NamedTreebank

_EXAMPLES = 6
_TRIED = 24  # sentences, of which the examples are chosen
_LENGTHS = range(3, 13)  # of examples

api = APIRouter()


class SentencesAnswer(BaseModel):
    """The sentences of a text."""

    sentences: list[str] = Field(
        description="The sentences as they are in the text; of words with tags, the lines."
    )


class ExampleSentence(BaseModel):
    """A sentence to try out a model."""

    text: str = Field(description="Tokens between blanks; word/TAG if tagged.")
    tagged: bool


@api.post("/sentences")
@threaded
def sentences(store: ServerStore, wanted: SentenceRequest) -> SentencesAnswer:
    """Split a text into sentences, for requests that take one sentence."""
    check_text(wanted, wanted.text, store.limits)
    lines = [line for line in wanted.text.splitlines(keepends=True) if line.strip()]
    if wanted.tagged:
        return SentencesAnswer(sentences=[line.strip() for line in lines])
    # If words are separated by blanks, each line has one or more sentences, as for plcfrs parse.
    texts = [wanted.text] if wanted.tokenize else lines
    splitter = store.model(wanted.model).model.splitter
    sentences = [sentence.text for text in texts for sentence in splitter.split(text)]
    return SentencesAnswer(sentences=sentences)


@api.get("/examples")
@parsing
def examples(store: ServerStore, model: ModelName = None) -> list[ExampleSentence]:
    """List a few short sentences of the treebanks, or of the demo, whose words a model knows."""
    return examples_of(store.model(model).model, store.treebanks.values())


def examples_of(model: SentenceParser, treebanks: Iterable[NamedTreebank]) -> list[ExampleSentence]:
    """Return short sentences to try, one for each kind of gap first.

    The first sentence has a gap in the parse by the model if possible. Sentences with unknown words
    are tagged, with tags that the model knows, unless the model finds tags itself.
    """
    return _examples_of(model, tuple(map(ref, treebanks)))


@lru_cache(16)
def _examples_of(
    model: SentenceParser, treebanks: tuple[ref[NamedTreebank], ...]
) -> list[ExampleSentence]:
    """Return the examples. The cache has weak references, so dropped treebanks are freed."""
    trees = chain(
        *(treebank.beginning for reference in treebanks if (treebank := reference())), _demo()
    )
    short = (tree for tree in trees if len(tree.tokens) in _LENGTHS)
    sentences = list(islice(_known_sentences(model, _kind_by_kind(short)), _TRIED))
    first = next(
        (sentence for sentence in sentences if model.parse(sentence).tree.gap_degree()), None
    )
    sentences.sort(key=lambda sentence: sentence is not first)
    return list(map(_example, sentences[:_EXAMPLES]))


def _example(sentence: Sentence) -> ExampleSentence:
    tagged = sentence.tags is not None
    tokens = (f"{token.form}/{token.tag}" if tagged else token.form for token in sentence.tokens)
    return ExampleSentence(text=" ".join(tokens), tagged=tagged)


@cache
def _demo() -> list[Tree]:
    return list(transform_all(read_trees(DEMO)))


def _kind_by_kind(trees: Iterable[Tree]) -> list[Tree]:
    """Return one tree of each kind first (the set of categories with gaps), gapless trees last."""
    turns: list[tuple[bool, int, Tree]] = []
    seen: Counter[frozenset[str]] = Counter()
    for tree in trees:
        spans = tree.yields()
        kind = frozenset(node.category for node in tree.nodes() if fan_out(spans[node]) > 1)
        seen[kind] += 1
        turns.append((not kind, seen[kind], tree))
    return [tree for *_, tree in sorted(turns, key=itemgetter(0, 1))]


def _known_sentences(model: SentenceParser, trees: Iterable[Tree]) -> Iterator[Sentence]:
    words, tags = set(model.words), set(model.tags)
    needs_tags = model.about.get("tags") != "own"
    seen = set()
    for tree in trees:
        forms = tuple(tree.words())
        is_tagged = needs_tags and not words.issuperset(forms)
        known = not is_tagged or tags.issuperset(token.tag for token in tree.tokens)
        if known and forms not in seen:
            seen.add(forms)
            yield Sentence.of(tree if is_tagged else forms)
