"""The surprisal of the words of some made-up sentences, which the guide draws.

python tools/surprisal_examples.py PCC_FOLDER --json docs/results/surprisal-examples.json
"""

from __future__ import annotations

import json
from pathlib import Path

import click
from measuring import Report, reports
from splits import parts

from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import EVANG_KALLMEYER, transform_all
from plcfrs.treebank import read_trees

# By name: versions of a sentence, in which _ stands for a word that one lacks; and sentences with
# words in them that wait for the rest of their constituent.
EXAMPLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
ANALYSES = 200


@click.command()
@click.argument("potsdam", type=click.Path(path_type=Path, exists=True, file_okay=False))
@reports("Surprisal of examples")
def main(report: Report, potsdam: Path) -> None:
    """Write the examples."""
    report.about = (
        "Surprisal in bits of the tags of made-up sentences, and the probability that some words "
        f"wait for the rest of their constituent, in the {ANALYSES} most probable analyses. The "
        "English grammar is extracted from files 0001-0159 of NLTK's sample of the Penn Treebank, "
        "the German one from the first nine tenths of the Potsdam Commentary Corpus "
        "(evang-kallmeyer)."
    )
    english, _ = parts(None, EVANG_KALLMEYER)
    files = sorted(map(str, potsdam.glob("*.xml")))
    german = list(transform_all(read_trees(files), EVANG_KALLMEYER))
    model = GrammarModel.train(english)
    for name, versions in EXAMPLES["English"].items():
        _report(report, model, name, versions)
    for name, (sentence, filler) in EXAMPLES["fillers"].items():
        _report_filler(report, model, name, sentence, filler)
    model = GrammarModel.train(german[: len(german) * 9 // 10])
    for name, versions in EXAMPLES["German"].items():
        _report(report, model, name, versions)


def _report(report: Report, model: GrammarModel, name: str, versions: dict[str, str]) -> None:
    """Report the bits of each word in each version, if it is there."""
    words = [sentence.split() for sentence in versions.values()]
    bits = [_bits(model, each) for each in words]
    report.table(f"{name}: surprisal in bits", "word", *versions)
    for column, numbers in zip(zip(*words, strict=True), zip(*bits, strict=True), strict=True):
        word = next(word for word in column if word != "_")
        report.row(word.rsplit("/", 1)[0], *numbers)


def _report_filler(
    report: Report, model: GrammarModel, name: str, sentence: str, filler: str
) -> None:
    """Report after each word the probability that the rest of the filler's constituent comes."""
    tagged = [tagged_word(word) for word in sentence.split()]
    report.table(f"{name}: probability of an awaited gap", "word", f"after “{filler}”")
    for found in model.surprisal(tagged, ANALYSES):
        waiting = sum(
            analysis.probability
            for analysis in found.analyses
            if any(
                " ".join(tagged[position][0] for position in each.positions) == filler
                for each in analysis.awaited
            )
        )
        report.row(found.word, f"{waiting:.3f}")


def tagged_word(text: str) -> tuple[str, str]:
    """Return a word and its tag."""
    word, tag = text.rsplit("/", 1)
    return word, tag


def _bits(model: GrammarModel, words: list[str]) -> list[str]:
    """Return the surprisal of each word, "-" where there is none."""
    read = [tagged_word(word) for word in words if word != "_"]
    found = iter(model.surprisal(read))
    return ["-" if word == "_" else f"{next(found).surprisal:.2f}" for word in words]


if __name__ == "__main__":
    main()
