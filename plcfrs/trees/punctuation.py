"""The tags of punctuation in the tag sets of treebanks."""

from plcfrs.trees.tree import Token

PUNCTUATION_TAGS = frozenset(
    [
        *(",", ":", ".", "``", "''", "-LRB-", "-RRB-"),  # Penn Treebank
        *("$,", "$.", "$(", "$["),  # STTS
        *("PUNCT", "punct", "LET", "let"),  # Universal Dependencies, Alpino
    ]
)


def is_punctuation(token: Token) -> bool:
    """Return whether a token is a punctuation mark, by its tag."""
    return token.tag in PUNCTUATION_TAGS
