"""Learn where English sentences end, and put the model where plcfrs has it.

    python tools/train_sentences.py ewt-train.conllu

UD English EWT (CC BY-SA 4.0): https://github.com/UniversalDependencies/UD_English-EWT

The model is a logistic regression over the gaps of paragraphs, learned in seconds, and the same in
every run.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click
import numpy as np

from plcfrs.text.boundaries import MODEL, Gap, features, find_spans

Span = tuple[int, int]

_SEEN = 2  # how often a word or a feature is seen at least
_L2 = 0.5
_ROUNDS = 150
_SMALLEST = 10  # hundredths; smaller weights are left out


@dataclass
class Document:
    """A running text, with its sentences and words in their places."""

    id: str
    text: str = ""
    sentences: list[Span] = field(default_factory=list)
    words: list[Span] = field(default_factory=list)

    def paragraphs(self) -> Iterator[Span]:
        """Yield the places of the paragraphs."""
        for match in re.finditer(r"[^\n]+", self.text):
            yield match.span()


def documents(path: Path) -> list[Document]:
    """Read a file of CoNLL-U: its sentences in a line, its paragraphs apart by a blank line."""
    found: list[Document] = []
    end = whole = 0  # where the last word ends, and the last ID of a token of several words
    parts = ""
    between = ""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# newdoc id ="):
                found.append(Document(line.split("=")[1].strip()))
            elif line.startswith("# newpar"):
                between = "\n\n"
            elif line.startswith("# text ="):
                document = found[-1]
                document.text += between if document.text else ""
                end, whole, between = len(document.text), 0, " "
                document.text += line[len("# text = ") :].rstrip()
                document.sentences.append((end, len(document.text)))
            elif match := re.match(r"(\d+)(?:-(\d+))?\t([^\t\n]+)", line):
                number, last, form = int(match[1]), match[2], match[3]
                if last:
                    whole, parts = int(last), form
                    continue
                start = document.text.find(form, end)
                if number <= whole and not parts.startswith(form):
                    continue
                parts = parts[len(form) :]
                document.words.append((start, start + len(form)))
                end = start + len(form)
    return found


@click.command()
@click.argument("treebank", type=click.Path(exists=True, path_type=Path))
def main(treebank: Path) -> None:
    """Train the model."""
    training = documents(treebank)
    words = Counter(
        word
        for document in training
        for word in re.findall(r"(?<![\w.])[a-z]+(?!\w)", document.text)
    )
    known = " ".join(sorted(word for word in words if words[word] >= _SEEN))
    # The features ask which words are known, so that these are written first.
    MODEL.write_text(known + "\n", encoding="utf-8")
    rows = [
        f"{feature}\t{weight}\n"
        for feature, weight in sorted(_weights(*_examples(training)).items())
        if abs(weight) >= _SMALLEST
    ]
    MODEL.write_text(f"{known}\n{''.join(rows)}", encoding="utf-8")
    print(f"{len(rows)} weights, {MODEL.stat().st_size / 1000:.0f} KB")


def _examples(training: list[Document]) -> tuple[list[list[str]], list[bool]]:
    """Return the features of all gaps, and whether sentences end there."""
    examples, answers = [], []
    for document in training:
        ends = {end for _, end in document.sentences}
        for left, right in document.paragraphs():
            begin = left

            def decide(gap: Gap) -> bool:
                examples.append(features(gap))
                answers.append(gap.end + begin in ends)  # noqa: B023 (it is called at once)
                return answers[-1]

            for _ in find_spans(document.text[left:right], decide):
                pass
    return examples, answers


def _weights(examples: list[list[str]], answers: list[bool]) -> dict[str, int]:
    """Return the weights of a logistic regression, in hundredths: Adam on all examples."""
    counts = Counter(feature for example in examples for feature in example)
    frequent = [feature for feature, count in counts.items() if count >= _SEEN]
    numbers = {feature: number for number, feature in enumerate(frequent)}
    pairs = [
        (row, numbers[feature])
        for row, example in enumerate(examples)
        for feature in example
        if feature in numbers
    ]
    rows, columns = np.array(pairs).T
    weights, mean, square = np.zeros((3, len(numbers)))
    for step in range(1, _ROUNDS + 1):
        sums = np.bincount(rows, weights[columns], len(examples))
        errors = 1 / (1 + np.exp(-sums)) - answers
        slope = np.bincount(columns, errors[rows], len(numbers)) + _L2 * weights
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope**2 - square)
        rate = 0.05 if step < 0.7 * _ROUNDS else 0.015
        spread = np.sqrt(square / (1 - 0.99**step)) + 1e-8
        weights -= rate * mean / (1 - 0.9**step) / spread
    return {feature: round(100 * weights[number]) for feature, number in numbers.items()}


if __name__ == "__main__":
    sys.exit(main())
