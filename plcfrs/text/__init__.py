"""Running text: sentences, words, and how treebanks spell them."""

from plcfrs.text.spelling import Spelling
from plcfrs.text.splitting import Splitter, split_words

__all__ = ["Spelling", "Splitter", "split_words"]
