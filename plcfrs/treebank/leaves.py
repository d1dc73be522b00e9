"""Leaves in brackets as some programs write them: words in brackets, lemmas, marks, features.

``(NN (rain))`` is ``(NN rain)``, and ``(VB (two words))`` has two words with the tag VB. The last
word of ``(da0ms0 El el)`` is a lemma (AnCora). ``(.)`` is ``(. .)``, and the word of ``(-LRB- ()``
is a bracket. The tag of ``(D##lemma=le|g=m## le)`` has features (SPMRL); those of constituents are
left out.
"""

from __future__ import annotations

import re

from plcfrs.trees import Tree

_LABEL = re.compile(r"[A-Z][A-Z0-9$-]*")
_ONLY = re.compile(r"\(\s*([^\s()]+)\s*\(\s*([^()]*[^\s()])\s*\)\s*\)", re.ASCII)
_TRIPLE = re.compile(r"(\(\s*[^\s()]+\s+)([^\s()]+)\s+([^\s()]+)(?=\s*\))", re.ASCII)
_WORD = re.compile(r"\S+", re.ASCII)
_MARK = re.compile(r"\(\s*([^\w\s()]+)\s*\)")
_PARENTHESIS = re.compile(
    r"\(\s*(-?[LR][RCS]B-?|P(?:U|UNCT?|ONCT)|SYM|[^\w\s()]+)\s+([()])\s*\)", re.ASCII
)
_WRITTEN = {"(": "-LRB-", ")": "-RRB-"}
_BEFORE_LEMMA = "\0"  # no text of a tree has it
_LEMMA = re.compile(r"(?:lemma|lem)=(.*)")
_FEATURES = "##"
_OF_CONSTITUENT = re.compile(r"##[^\s()]*##(?=[^\s()]*\s*\()", re.ASCII)


def with_words(line: str) -> str:
    """Return a line of trees with words in place of parentheses that are no brackets.

    >>> with_words("(NP (-LRB- () (NN rain) (-RRB- )))")
    '(NP (-LRB- -LRB-) (NN rain) (-RRB- -RRB-))'
    """
    return _PARENTHESIS.sub(lambda leaf: f"({leaf[1]} {_WRITTEN[leaf[2]]})", line)


def repaired(text: str) -> str:
    r"""Return the text of a tree that cannot be read, with its leaves as they usually are.

    >>> repaired("(S (NN (rain)) (VB (falls down)) (.))")
    '(S (NN rain) (VB (VB falls) (VB down)) (. .))'
    >>> repaired("(S (da0ms0 El el) (Fp . .))")
    '(S (da0ms0 El\x00el) (Fp .\x00.))'
    """
    leaves = [leaf.groups() for leaf in _ONLY.finditer(text)]
    if any(tag.isupper() and _is_word(word) for tag, word in leaves):
        text = _ONLY.sub(_without_brackets, text)
    text = _MARK.sub(r"(\1 \1)", text)
    pairs = [pair[1:] for pair in _TRIPLE.findall(text)]
    alike = sum(form[0].casefold() == lemma[0].casefold() for form, lemma in pairs)
    return _TRIPLE.sub(rf"\1\2{_BEFORE_LEMMA}\3", text) if 2 * alike >= len(pairs) else text


def without_features(text: str) -> str:
    """Return the text of a tree without the features of its constituents.

    >>> without_features("(NP##g=m##-SUJ (N##g=m## pain))")
    '(NP-SUJ (N##g=m## pain))'
    """
    return _OF_CONSTITUENT.sub("", text) if _FEATURES in text else text


def read_leaves(tree: Tree) -> Tree:
    """Move lemmas and features out of words and tags, and return the tree."""
    for token in tree.tokens:
        if _BEFORE_LEMMA in token.form:
            token.form, _, token.lemma = token.form.partition(_BEFORE_LEMMA)
        start, end = token.tag.find(_FEATURES), token.tag.rfind(_FEATURES)
        if 0 <= start < end:
            features = token.tag[start + 2 : end].split("|")
            token.tag = token.tag[:start] + token.tag[end + 2 :]
            token.lemma = next((found[1] for found in map(_LEMMA.fullmatch, features) if found), "")
            token.morph = "|".join(part for part in features if not _LEMMA.fullmatch(part))
    return tree


def _is_word(text: str) -> bool:
    return len(_WORD.findall(text)) == 1 and _LABEL.fullmatch(text) is None


def _without_brackets(leaf: re.Match[str]) -> str:
    tag, words = leaf[1], _WORD.findall(leaf[2])
    if len(words) == 1:
        return f"({tag} {words[0]})"
    if len(words[0]) > 1 and _LABEL.fullmatch(words[0]):
        return leaf[0]
    return f"({tag} {' '.join(f'({tag} {word})' for word in words)})"
