"""A toy family: every sentence is right-branching, below the most frequent category."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import NamedTuple

from plcfrs.pipeline import Family, Inspection, LearnedParser, Parse
from plcfrs.settings import setting
from plcfrs.training import Trainer
from plcfrs.trees import ROOT, Node, Tree


@dataclass(frozen=True)
class Settings:
    rank: int = setting(1, "Which category is taken, by frequency.", least=1)


class Step(NamedTuple):
    text: str
    positions: list
    score: float = 1.0
    categories = ()
    details: dict = {}  # noqa: RUF012

    @property
    def clause(self):
        return f"{self.text} -> {self.positions[0]}"


class Explanation(NamedTuple):
    steps: list
    noun, measure, dependencies = "token", "score", None

    def lines(self, **_options):
        return [step.clause for step in self.steps]


class RightBranching(LearnedParser):
    kind, words, tags = "right-branching", (), ("X",)
    contents_type = str

    def __init__(self, category, **_options):
        self.category = category

    @property
    def contents(self):
        return self.category

    def _parse(self, sentence, _objective, *, explained):
        tokens = [replace(token, tag=token.tag or "X") for token in sentence.tokens]
        below = len(tokens) - 1
        for position in reversed(range(len(tokens) - 1)):
            below = Node(self.category, children=[position, below])
        steps = [Step(self.category, [n]) for n in range(len(tokens))]
        tree = Tree(Node(ROOT, children=[below]), tokens, sentence.id)
        why = Explanation(steps) if explained else None
        return Parse(tree, "parsed", score=float(len(steps)), meaning="tokens", explanation=why)


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
