"""The results of refined grammars for words with tags of any cost."""

from plcfrs.budget import UNLIMITED
from plcfrs.parsers.refined.model import RefinedModel
from plcfrs.parsing.parse import Task
from plcfrs.parsing.sentence import Sentence
from plcfrs.trees import Token


def sentence_of(words):
    return Sentence([Token(word, "") for word in words])


def searched(refined, words, tags, objective=None, budget=UNLIMITED):
    """Return the best result of a refined grammar, a `ParseResult`."""
    model = RefinedModel(refined, budget=budget)
    results, _ = model.search(sentence_of(words), tags, Task(objective))
    return results[0]
