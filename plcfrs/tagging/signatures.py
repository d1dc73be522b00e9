"""The signatures of the rare words of a lexicon, with their tags."""

from __future__ import annotations

from collections import defaultdict

from plcfrs.grammar import Lexicon, Nonterminal
from plcfrs.tagging.classes import Form, WordClasses


def learn_signatures(lexicon: Lexicon) -> None:
    """Set the signatures of a lexicon, which give tags to unknown words, from its counts.

    Parameters
    ----------
    lexicon : Lexicon
        With counts. It is changed: `initial` is cleared.

    Examples
    --------
    >>> from plcfrs.grammar import tag
    >>> lexicon = Lexicon()
    >>> lexicon.add(tag("NNS"), "ferries", 2)
    >>> lexicon.add(tag("NNP"), "Elbe")
    >>> learn_signatures(lexicon)
    >>> {signature: list(map(str, tags)) for signature, tags in lexicon.signatures.items()}
    {'lower -': ['NNS'], 'Capital -': ['NNP']}
    """
    seen = _occurrences(lexicon)
    counts: dict[Form, float] = defaultdict(float)
    for form, _, count in seen:
        counts[form] += count
    classes = WordClasses.learn(counts)
    signatures: dict[str, dict[Nonterminal, float]] = defaultdict(dict)
    for form, tag, count in seen:
        if form.word not in classes.words:
            tags = signatures[classes.signature(form)]
            tags[tag] = tags.get(tag, 0) + count
    lexicon.signatures = dict(signatures)
    lexicon.initial = {}


def _occurrences(lexicon: Lexicon) -> list[tuple[Form, Nonterminal, float]]:
    """Return the count of each word with each tag, at the beginning of sentences and elsewhere."""
    found = []
    for word, tags in lexicon.words.items():
        for tag, count in tags.items():
            initial = lexicon.initial.get(word, {}).get(tag, 0)
            parts = (Form(word, True), tag, initial), (Form(word, False), tag, count - initial)
            found += [part for part in parts if part[2]]
    return found
