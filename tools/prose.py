"""How many of the constituents and functions of some English prose a model finds, by kind.

python tools/prose.py [--model MODEL] [--json FILE]
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click
from measuring import Report, benchmark

from plcfrs import Sentence, Tree, load_model
from plcfrs.trees import Token
from plcfrs.trees.tree import span_of

PROSE = Path(__file__).parents[1] / "tests/data/prose.txt"

_MARK = re.compile(r"[^\w$%]+")


class Wanted(NamedTuple):
    """A constituent that a sentence must have, as it is written in the file."""

    category: str
    functions: tuple[str, ...]
    pieces: tuple[str, ...]

    def __str__(self) -> str:
        return f"{'-'.join((self.category, *self.functions))}: {' ... '.join(self.pieces)}"

    def span(self, text: str, tokens: Sequence[Token]) -> int:
        """Return the words of the constituent, without punctuation.

        Raises
        ------
        ValueError
            If the sentence does not have these words, or its first piece more than once.
        """
        starts, ends = ([getattr(token, end) for token in tokens] for end in ("start", "end"))
        found: list[int] = []
        place = 0
        for number, piece in enumerate(self.pieces):
            matches = list(re.compile(rf"(?<!\w){re.escape(piece)}(?!\w)").finditer(text, place))
            if not matches or (number == 0 and len(matches) > 1):
                raise ValueError(f"{self}: not once in: {text}")
            left, place = matches[0].span()
            found += range(starts.index(left), ends.index(place) + 1)
        return span_of(found) & words_of(text, tokens)


class ProseSentence(NamedTuple):
    """A sentence, its kind, and what must be in its tree."""

    kind: str
    text: str
    wanted: list[Wanted]


def words_of(text: str, tokens: Sequence[Token]) -> int:
    """Return the tokens that are no punctuation."""
    is_mark = [bool(_MARK.fullmatch(text, token.start or 0, token.end or 0)) for token in tokens]
    return span_of([place for place, mark in enumerate(is_mark) if not mark])


def read_prose(path: Path = PROSE) -> Iterator[ProseSentence]:
    """Yield the sentences of a file like `tests/data/prose.txt`."""
    kind, sentence = "", None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("    ") and sentence:
            label, _, words = line.strip().partition(": ")
            category, *functions = label.split("-")
            sentence.wanted.append(Wanted(category, (*functions,), (*words.split(" ... "),)))
            continue
        if sentence:
            yield sentence
        sentence = None
        if line.startswith("["):
            kind = line.strip("[]")
        elif line and not line.startswith("#"):
            sentence = ProseSentence(kind, line, [])
    if sentence:
        yield sentence


def functions_of(tree: Tree, words: int) -> dict[tuple[str, int], set[str]]:
    """Return the functions of each constituent, which is a category over words."""
    found: dict[tuple[str, int], set[str]] = {}
    for node, span in tree.yields().items():
        found.setdefault((node.category, span & words), set()).update(node.functions)
    return found


@benchmark("Constituents of English prose")
@click.option("--model", "name", default="plcfrs:english", show_default=True)
def main(report: Report, name: str) -> None:
    """Parse the sentences of tests/data/prose.txt, and say which constituents are missing."""
    report.about = (
        "120 sentences that were made for this test, and 310 constituents that must be in their "
        "trees: categories over words, without punctuation. Functions are found if their "
        "constituents are."
    )
    model = load_model(name)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for kind, text, wanted in read_prose():
        tokens = model.splitter.tokens(text)
        tree = model.parse(Sentence(tokens)).tree
        found = functions_of(tree, words_of(text, tokens))
        outcomes = Counter(sentences=1)
        for each in wanted:
            functions = found.get((each.category, each.span(text, tokens)))
            is_complete = functions is not None and functions >= {*each.functions}
            outcomes["constituents"] += functions is not None
            outcomes["functions"] += is_complete and bool(each.functions)
            outcomes["wanted functions"] += bool(each.functions)
            if not is_complete:
                outcomes["errors"] += 1
                if outcomes["errors"] == 1:
                    click.echo(f"[{kind}] {text}")
                click.echo(f"    {each}{'' if functions is None else ' (without the function)'}")
        outcomes["wanted constituents"] = len(wanted)
        outcomes["right"] = outcomes["constituents"] == len(wanted)
        counts[kind] += outcomes
    counts["all"] = sum(counts.values(), Counter())
    report.table("By kind", "Sentences with all constituents", "Constituents", "Functions")
    for kind, count in counts.items():
        report.row(
            kind,
            f"{count['right']} of {count['sentences']}",
            *(
                f"{count[each]} of {count[f'wanted {each}']}"
                for each in ("constituents", "functions")
            ),
        )


if __name__ == "__main__":
    main()
