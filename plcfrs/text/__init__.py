"""Running text: sentences, words, and how treebanks spell them."""

from plcfrs.text.spelling import Spelling
from plcfrs.text.splitting import split_sentences, split_words

__all__ = ["Spelling", "split_sentences", "split_words"]
