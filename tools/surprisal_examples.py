"""The surprisal of the words of made-up sentences, which the guide draws.

python tools/surprisal_examples.py PCC_FOLDER --json docs/results/surprisal-examples.json
"""

from __future__ import annotations

import json
from pathlib import Path

import click
from measuring import TRAINING, Report, benchmark, read

from plcfrs import GrammarModel
from plcfrs.transformation import EVANG_KALLMEYER

# By name: versions of a sentence, in which _ stands for a missing word; and sentences with words
# that wait for the rest of their constituent.
EXAMPLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
ANALYSES = 200


@benchmark("Surprisal of examples")
@click.argument("potsdam", type=click.Path(path_type=Path, exists=True, file_okay=False))
def main(report: Report, potsdam: Path) -> None:
    """Write the examples."""
    report.about = (
        "Surprisal in bits of the tags of made-up sentences, and the probability that some words "
        f"wait for the rest of their constituent, in the {ANALYSES} most probable analyses. The "
        "English grammar is extracted from files 0001-0159 of NLTK's sample of the Penn Treebank, "
        "the German one from the first nine tenths of the Potsdam Commentary Corpus "
        "(evang-kallmeyer)."
    )
    english = GrammarModel.train(read(TRAINING, EVANG_KALLMEYER))
    german = read(sorted(map(str, potsdam.glob("*.xml"))), EVANG_KALLMEYER)
    for name, versions in EXAMPLES["English"].items():
        _report(report, english, name, versions)
    for name, (sentence, filler) in EXAMPLES["fillers"].items():
        _report_filler(report, english, name, sentence, filler)
    model = GrammarModel.train(german[: len(german) * 9 // 10])
    for name, versions in EXAMPLES["German"].items():
        _report(report, model, name, versions)


def _report(report: Report, model: GrammarModel, name: str, versions: dict[str, str]) -> None:
    """Report the bits of each word in each version, or - for a missing word."""
    words = [sentence.split() for sentence in versions.values()]
    columns = []
    for version in words:
        surprisals = iter(model.surprisal([tagged_word(word) for word in version if word != "_"]))
        columns.append(["-" if w == "_" else f"{next(surprisals).surprisal:.2f}" for w in version])
    names = numbered([next(filter("_".__ne__, column)) for column in zip(*words, strict=True)])
    report.table(f"{name}: surprisal in bits", *versions)
    for label, numbers in zip(names, zip(*columns, strict=True), strict=True):
        report.row(label, *numbers)


def _report_filler(
    report: Report, model: GrammarModel, name: str, sentence: str, filler: str
) -> None:
    """Report, after each word, the probability that the filler waits for its constituent's rest."""
    tagged = [tagged_word(word) for word in sentence.split()]
    words = [word for word, _ in tagged]
    report.table(f"{name}: probability of an awaited gap", f"after “{filler}”")
    for label, word in zip(
        numbered(sentence.split()), model.surprisal(tagged, ANALYSES), strict=True
    ):
        waiting = sum(
            analysis.probability
            for analysis in word.analyses
            if any(
                filler == " ".join(words[place] for place in awaited.positions)
                for awaited in analysis.awaited
            )
        )
        report.row(label, f"{waiting:.3f}")


def numbered(tagged: list[str]) -> list[str]:
    """Return the words without tags; words that occur twice have their numbers."""
    words = [tagged_word(text)[0] for text in tagged]
    return [
        f"{word} ({number})" if words.count(word) > 1 else word
        for number, word in enumerate(words, start=1)
    ]


def tagged_word(text: str) -> tuple[str, str]:
    """Return a word and its tag."""
    word, tag = text.rsplit("/", 1)
    return word, tag


if __name__ == "__main__":
    main()
