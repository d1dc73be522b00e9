"""How surprising the words of a sentence are, as an answer of the API."""

from __future__ import annotations

from time import perf_counter
from typing import cast

from plcfrs.cancellation import until_stopped
from plcfrs.corpus.surprisal_table import header, render_table, rows
from plcfrs.pipeline.analyses import Analysis
from plcfrs.pipeline.sentence import Sentence
from plcfrs.pipeline.surprisal import PrefixReader, Surprisal
from plcfrs.web.answers.surprisal import (
    AnalysisAnswer,
    AwaitedAnswer,
    SurprisalAnswer,
    SurprisalRequest,
    WordAnswer,
)
from plcfrs.web.presentation import describe_tree
from plcfrs.web.store import NamedModel

# The first word with such a status as a sentence.
_MESSAGES = {
    "read": "",
    "bounded": "From “{word}” on, half of the limits was used up: improbable constituents were "
    "left out. Surprisal is an estimate between its bounds.",
    "no sentence": "The grammar has no sentence that goes on with “{word}”.",
    "unknown word": "The grammar does not know the word “{word}”: give all words their tags, as in "
    "word/TAG.",
    "out of time": "At “{word}” the time limit was reached.",
    "out of memory": "At “{word}” the limit of memory was reached.",
    "out of items": "At “{word}” the limit of items was reached.",
}


def read_words(named: NamedModel, sentence: Sentence, wanted: SurprisalRequest) -> SurprisalAnswer:
    """Read a sentence word by word.

    Parameters
    ----------
    named : NamedModel
        Of a family with the capability "surprisal".
    sentence : Sentence
    wanted : SurprisalRequest

    Raises
    ------
    GrammarError
        If the derivations of the grammar have no finite sum.
    """
    reader = cast(PrefixReader, named.model)
    start = perf_counter()
    words = reader.surprisal(
        sentence, wanted.analyses, wanted.at, derivation_entropy=wanted.derivation_entropy
    )
    seconds = perf_counter() - start
    tags = [token.tag for token in sentence.tokens]
    table = [header(wanted.analyses), *rows(sentence.id, tags, words, wanted.analyses)]
    return SurprisalAnswer(
        model=named.name,
        message=_message(words),
        normalised=reader.prefixes.is_changed,
        seconds=seconds,
        words=[_describe_word(word, tag) for word, tag in zip(words, tags, strict=True)],
        tsv=render_table(table, "tsv"),
        csv=render_table(table, "csv"),
    )


def _message(words: list[Surprisal]) -> str:
    """Return what is said of the first word that could not be read, or else only with bounds."""
    left = [word for word in words if word.status != "read"]
    worst = next((word for word in left if word.status != "bounded"), left[0] if left else None)
    return _MESSAGES[worst.status].format(word=worst.word) if worst else ""


def _describe_word(word: Surprisal, tag: str) -> WordAnswer:
    analyses = list(map(_describe_analysis, until_stopped(word.analyses)))
    return WordAnswer(**{**word._asdict(), "tag": tag, "analyses": analyses})


def _describe_analysis(analysis: Analysis) -> AnalysisAnswer:
    nodes = analysis.tree.nodes()
    return AnalysisAnswer(
        probability=analysis.probability,
        open=list(analysis.open),
        awaited=[
            AwaitedAnswer(category=category, positions=list(positions), node=node)
            for (category, positions), node in zip(
                analysis.awaited, analysis.awaited_nodes, strict=True
            )
        ],
        tree=describe_tree(analysis.tree, [nodes[i] for i in analysis.open_nodes]),
    )
