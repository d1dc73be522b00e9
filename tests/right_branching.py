"""A toy family: every sentence is right-branching, below the most frequent category."""

from collections import Counter
from dataclasses import dataclass, replace

from plcfrs.grammar.grammar import Inspection
from plcfrs.learning.runner import Trainer
from plcfrs.parsing.explanation import Column, Explanation, Row
from plcfrs.parsing.parse import Parse
from plcfrs.parsing.registry import Family
from plcfrs.parsing.sentence_parser import LearnedParser
from plcfrs.settings import setting
from plcfrs.trees import ROOT, Node, Tree


@dataclass(frozen=True)
class Settings:
    rank: int = setting(1, "Which category is taken, by frequency.", least=1)


class RightBranching(LearnedParser):
    kind, words, tags = "right-branching", (), ("X",)
    contents_type = str

    def __init__(self, category, **_options):
        self.category = category

    @property
    def contents(self):
        return self.category

    def _parse(self, sentences, wanted):
        for sentence in sentences:
            yield [self.parsed(sentence, wanted.explained)]

    def parsed(self, sentence, is_explained):
        tokens = [replace(token, tag=token.tag or "X") for token in sentence.tokens]
        below = len(tokens) - 1
        for position in reversed(range(len(tokens) - 1)):
            below = Node(self.category, children=[position, below])
        tree = Tree(Node(ROOT, children=[below]), tokens, sentence.id)
        why = self.explanation(sentence.words) if is_explained else None
        return Parse(tree, "parsed", score=float(len(tokens)), meaning="tokens", explanation=why)

    def explanation(self, words):
        clauses = [f"{self.category} -> {place}" for place in range(len(words))]
        rows = [Row(self.category, each, 1.0, [n], [each]) for n, each in enumerate(clauses)]
        return Explanation(words, "token", "score", [Column("child")], rows)


class RightTrainer(Trainer):
    def __init__(self, trees, settings, _about):
        self.trees, self.settings = trees, settings

    def run(self, _number, _step):
        self.counts = Counter(node.category for tree in self.trees for node in tree.nodes())
        return {"categories": len(self.counts)}

    def model(self):
        return RightBranching(self.counts.most_common()[self.settings.rank][0])


FAMILIES = (
    Family(
        "right-branching",
        "right",
        "a parser that branches to the right",
        RightBranching.load,
        RightTrainer,
        lambda path: Inspection(lines=[f"  category: {RightBranching.load(path).category}"]),
        Settings(),
    ),
)
