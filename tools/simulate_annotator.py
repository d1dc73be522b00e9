"""An annotator who always does the best next action, and how many actions a sentence takes.

The annotator works through `plcfrs.annotating.Assistant`, as the page does, and takes, of the
choices that are offered and of the edits that repair something, the action that leaves the fewest
wrong and missing constituents. The structure comes first, then functions, tags, and null elements.
Pressing Enter at the end is an action, too; marking the parts of an edit is not.

    python tools/simulate_annotator.py --run MASC plcfrs:english MASC/test [--run ...]
        [--sentences N] [--json FILE]
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import click
from measuring import Report, benchmark
from repairs import Operation, Shape, best_edits, label_of

from plcfrs import SentenceParser, Tree, load_model, read_trees
from plcfrs.annotating import Assistant, SentenceView
from plcfrs.project import NamedTree, Project
from plcfrs.project.creation import create
from plcfrs.project.named_tree import parts_of
from plcfrs.transformation import Options, transform
from plcfrs.trees import Node, Token
from plcfrs.trees.editing import Part
from plcfrs.trees.tree import null_parts

_TRIED = 4  # edits whose outcome is looked at, and choices
_PATIENCE = 3  # actions that help nothing, before the annotator leaves the parser out
_LONGEST = 60
_SECONDS = 60.0  # of a parse: a busy machine changes nothing


@dataclass
class Work:
    """What a sentence takes.

    Parameters
    ----------
    distance : int
        The missing and spurious constituents of the parser's proposal.
    structure, functions, tags, nulls : int
        Numbers of actions.
    seconds : list of float
        The CPU time of each action after which the parser parses again, tried ones included.
    is_alone : bool
        Whether the parser was left out, since it did not help any more.
    is_reached : bool
        Whether the gold tree is there at the end.
    """

    distance: int = 0
    structure: int = 0
    functions: int = 0
    tags: int = 0
    nulls: int = 0
    seconds: list[float] = field(default_factory=list)
    is_alone: bool = False
    is_reached: bool = False


class Annotator:
    """Somebody who knows the gold trees of a project.

    Parameters
    ----------
    project : Project
    model : SentenceParser
    constraints : bool
        Whether the parser parses again after each action; otherwise it only proposes a tree.
    """

    def __init__(self, project: Project, model: SentenceParser, *, constraints: bool) -> None:
        self._project = project
        self._with_parser = Assistant(project, model, seconds=_SECONDS)
        self._alone = Assistant(project)
        self._constraints = constraints

    def annotate(self, name: str, gold: Tree) -> Work:
        """Make the gold tree of a sentence, and return what it took."""
        self._assistant, self._name = self._with_parser, name
        self._gold, self._work = Shape(NamedTree.new(gold)), Work()
        self._patience = _PATIENCE
        self._act({"do": "note", "note": "begun"})  # keeps the proposal
        self._work.seconds.clear()
        self._work.distance = self._now().errors(self._gold)
        if not self._constraints:
            self._assistant = self._alone
        while errors := self._now().errors(self._gold):
            self._do_best(errors)
            self._work.structure += 1
        self._work.is_alone = self._constraints and self._assistant is self._alone
        self._assistant = self._alone
        self._work.functions, self._work.tags, self._work.nulls = self._complete()
        self._work.is_reached = self._complete() == (0, 0, 0)
        self._act({"do": "accept"})
        return self._work

    def _complete(self) -> tuple[int, int, int]:
        """Correct functions, tags and null elements, and return the numbers of actions."""
        functions, tags = self._set("function"), self._set("tag")
        return functions, tags, self._repair_nulls() + self._repair_indices()

    def _now(self) -> Shape:
        return Shape(_named(self._assistant.view(self._name)))

    def _act(self, operation: Operation) -> SentenceView:
        start = process_time()
        (view,) = self._assistant.act(self._name, operation)
        if self._assistant is self._with_parser:
            self._work.seconds.append(process_time() - start)
        return view

    def _do_best(self, errors: int) -> None:
        """Do what leaves the fewest errors; leave the parser out if it does not help any more."""
        view = self._assistant.view(self._name)
        now = Shape(_named(view))
        ranked = best_edits(now, self._gold)
        if self._assistant is self._alone:
            self._act(ranked[0])
            return
        left: dict[int, Operation] = {}
        choices = islice(self._choices(view, now), _TRIED)
        for operation in [ranked[0], *choices, *ranked[1:_TRIED]]:
            fewest = Shape(_named(self._act(operation))).errors(self._gold)
            if not fewest:
                return
            left.setdefault(fewest, operation)
            self._project.act(self._name, {"do": "undo"})
        if min(left) >= errors:
            self._patience -= 1
        if not self._patience:
            self._assistant = self._alone
        self._act(left[min(left)] if self._patience else ranked[0])

    def _choices(self, view: SentenceView, now: Shape) -> Iterator[Operation]:
        """Yield the choices that are offered for constituents that are wrong or misplaced."""
        wrong = {now.names[node] for node in self._gold.lacks(now)}
        mothers = {now.names[node]: now.names[now.mothers[node]] for node in now.tree.nodes()[1:]}
        for name, choices in view.choices.items():
            if name in wrong or mothers.get(name) in wrong:
                for number, choice in enumerate(choices):
                    if not choice.is_current:
                        yield {"do": "choose", "part": name, "choice": number}

    def _pairs(self) -> Iterator[tuple[str, Node | Token, Node | Token]]:
        """Yield the name of each part with words, the part, and that of the gold tree."""
        now, gold = self._now(), self._gold
        for place, right in zip(now.words, gold.words, strict=True):
            yield now.names[place], now.tree.tokens[place], gold.tree.tokens[right]
        for span, chain in now.chains.items():
            for node, goal in zip(chain, gold.chains[span], strict=True):
                yield now.names[node], node, goal

    def _set(self, name: str) -> int:
        """Correct the functions of all parts, or all tags, and return how many."""
        wrong = [
            (part, _value(right, name))
            for part, mine, right in self._pairs()
            if _value(mine, name) != _value(right, name)
        ]
        for part, value in wrong:
            self._act({"do": "annotate", "parts": [part], "values": {name: value}})
        return len(wrong)

    def _repair_nulls(self) -> int:
        """Delete and add null elements, and return the number of actions."""
        now, actions = self._now(), 0
        missing = Counter(map(self._gold.about, self._gold.empty_parts()))
        for part in now.empty_parts():
            if missing[now.about(part)]:
                missing[now.about(part)] -= 1
            else:
                places = [part] if isinstance(part, int) else part.leaves()
                self._act({"do": "delete", "parts": [now.names[place] for place in places]})
                actions += 1
        for part in self._gold.empty_parts():
            if missing[self._gold.about(part)]:
                missing[self._gold.about(part)] -= 1
                actions += self._add_beside(part)
        return actions

    def _add_beside(self, part: Part) -> int:
        """Add a part without words where it is in the gold tree."""
        now = self._now()
        (place, before, _) = self._gold.about(part)
        mother = next(node for node in now.tree.nodes() if now.place(node) == place)
        words = [now.names[word] for word in now.words[before:]]
        return self._add(part, now.names[mother], words[0] if words else "")

    def _add(self, part: Part, mother: str, before: str) -> int:
        """Add a part without words, and return the number of actions."""
        path: list[Node] = []
        while isinstance(part, Node):
            path.append(part)
            part = part.children[0]
        form, _ = null_parts(self._gold.tree.tokens[part].form)
        label = label_of(path[-1]) if path else ""
        null = {"do": "null", "mother": mother, "before": before, "form": form, "label": label}
        names = self._act(null).chosen
        for node in path[-2::-1]:
            names = (
                self._act({"do": "add", "parts": names[:1], "label": label_of(node)}).chosen + names
            )
        others = [
            (child, name)
            for node, name in zip(path, names, strict=False)
            for child in node.children[1:]
        ]
        return max(len(path), 1) + sum(self._add(child, name, before) for child, name in others)

    def _repair_indices(self) -> int:
        """Give null elements their antecedents, and return the number of actions."""
        actions = 0
        for key, null in self._gold.nulls().items():
            now, wanted = self._now(), self._gold.antecedent(null)
            mine = now.nulls().get(key)
            if mine is not None and now.antecedent(mine) != wanted:
                nodes = [node for node in now.tree.nodes() if now.place(node) == wanted]
                antecedent = now.names[nodes[0]] if nodes else None
                self._act({"do": "coindex", "null": now.names[mine], "antecedent": antecedent})
                actions += 1
        return actions


def _named(view: SentenceView) -> NamedTree:
    names = [*view.names["nodes"], *view.names["tokens"]]
    return NamedTree(view.tree, dict(zip(parts_of(view.tree), names, strict=True)))


def _value(part: Node | Token, name: str) -> str:
    """Return the function of a part, or its tag."""
    if isinstance(part, Token):
        return str(getattr(part, name))
    return "-".join(part.functions) if name == "function" else ""


@benchmark("An annotator who always does the best next action")
@click.option(
    "--run",
    "runs",
    nargs=3,
    multiple=True,
    metavar="NAME MODEL TREEBANK",
    help="A name for the table, the parser, and gold trees.",
)
@click.option("--sentences", default=60, show_default=True, help="Of each treebank.")
def main(report: Report, runs: list[tuple[str, str, str]], sentences: int) -> None:
    """Run the benchmark."""
    report.about = (
        f"{sentences} sentences of each treebank, evenly spread, with 2 to {_LONGEST} words. "
        "Actions a sentence, Enter included. Edit distance: missing and spurious constituents of "
        "the first parse. By hand: the parser only proposes a tree. With functions, tags, null "
        "elements: everything up to there. CPU time of an action, with its parse and saving."
    )
    report.table(
        "Actions",
        "Right at once %",
        "Edit distance",
        "Structure",
        "By hand",
        "With functions",
        "With tags",
        "With nulls",
        "ms, median",
        "ms, p95",
    )
    for name, path, treebank in runs:
        model = load_model(path)
        gold = spread(read_trees(treebank, on_error=lambda _: None), sentences)
        has_nulls = any(token.is_null for tree in gold for token in tree.tokens)
        options = Options(splits=(), keep_sbar=True)
        crossing = [transform(tree, options) for tree in gold] if has_nulls else gold
        report.row(name, *figures(model, crossing, nulls=False))
        if has_nulls:
            report.row(f"{name}, null elements", *figures(model, gold, nulls=True))


def spread(trees: Iterator[Tree], number: int) -> list[Tree]:
    """Return some trees from everywhere in a treebank."""
    fitting = [
        tree for tree in trees if 2 <= sum(not token.is_null for token in tree.tokens) <= _LONGEST
    ]
    return list(islice(fitting, 0, None, max(len(fitting) // number, 1)))[:number]


def figures(model: SentenceParser, gold: list[Tree], *, nulls: bool) -> list[Any]:
    """Return the cells of a treebank."""
    works = annotated(model, gold, nulls=nulls, constraints=True)
    alone = annotated(model, gold, nulls=nulls, constraints=False)
    for work, kind in ((works, "with"), (alone, "without")):
        left = sum(not each.is_reached for each in work)
        print(
            f"{kind} constraints: {left} not reached, {sum(each.is_alone for each in work)} alone"
        )
    structure = 1 + mean(work.structure for work in works)
    functions = structure + mean(work.functions for work in works)
    tags = functions + mean(work.tags for work in works)
    times = sorted(1000 * second for work in works for second in work.seconds)
    return [
        f"{100 * mean(not work.distance for work in works):.0f}",
        round(mean(work.distance for work in works), 2),
        round(structure, 2),
        round(1 + mean(work.structure for work in alone), 2),
        round(functions, 2),
        round(tags, 2),
        round(tags + mean(work.nulls for work in works), 2) if nulls else None,
        round(median(times)),
        round(quantiles(times, n=20)[-1]),
    ]


def annotated(
    model: SentenceParser, gold: list[Tree], *, nulls: bool, constraints: bool
) -> list[Work]:
    """Annotate all sentences in a new project, and return what each took."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / "project"
        documents = ((f"document{n // 20}", tree) for n, tree in enumerate(gold))
        create(folder, documents, "annotator", "", trees=False)
        settings = f'people = ["annotator"]\nnull-elements = {json.dumps(nulls)}\n'
        (folder / "project.toml").write_text(settings)
        with Project(folder) as project:
            annotator = Annotator(project, model, constraints=constraints)
            return [
                annotator.annotate(name, tree)
                for name, tree in zip(project.ids(), gold, strict=True)
            ]


if __name__ == "__main__":
    main()
