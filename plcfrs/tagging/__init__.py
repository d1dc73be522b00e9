"""Words: signatures of rare ones, and the tags of known and unknown ones."""

from plcfrs.tagging.classes import Form, WordClasses, forms
from plcfrs.tagging.signatures import learn_signatures
from plcfrs.tagging.spelling import Spelling
from plcfrs.tagging.words import WordModel

__all__ = ["Form", "Spelling", "WordClasses", "WordModel", "forms", "learn_signatures"]
