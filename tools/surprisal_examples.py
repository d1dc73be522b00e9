"""Write docs/results/surprisal-examples.json: the surprisal of the words of some made-up sentences.

The English grammar is extracted from files 0001-0159 of NLTK's sample of the Penn Treebank, the
German one from the first nine tenths of the Potsdam Commentary Corpus. Tags are given.

    python tools/surprisal_examples.py PCC_FOLDER docs/results/surprisal-examples.json
"""

from __future__ import annotations

import json
from pathlib import Path

import click
from splits import parts

from plcfrs.pipeline import GrammarModel
from plcfrs.storage.files import write_files
from plcfrs.transformation import EVANG_KALLMEYER, transform_all
from plcfrs.treebank import read_trees

# By language and name: a title, and versions of a sentence; _ stands for a word that one lacks.
ENGLISH = {
    "complement": (
        "The/DT company/NN knew/VBD _ the/DT sales/NNS were/VBD low/JJ ./.",
        {
            "without that": "The/DT company/NN knew/VBD _ the/DT sales/NNS were/VBD low/JJ ./.",
            "with that": "The/DT company/NN knew/VBD that/IN the/DT sales/NNS were/VBD low/JJ ./.",
        },
    ),
    "relative": (
        "The/DT investors/NNS _ _ told/VBN the/DT truth/NN left/VBD ./.",
        {
            "reduced": "The/DT investors/NNS _ _ told/VBN the/DT truth/NN left/VBD ./.",
            "who were": "The/DT investors/NNS who/WP were/VBD told/VBN the/DT truth/NN left/VBD "
            "./.",
        },
    ),
    "filler": (
        "What/WP did/VBD they/PRP sell/VB ?/.",
        {
            "filler": "What/WP did/VBD they/PRP sell/VB _ ?/.",
            "no filler": "_ Did/VBD they/PRP sell/VB _ ?/.",
            "filler and object": "What/WP did/VBD they/PRP sell/VB stocks/NNS ?/.",
            "object": "_ Did/VBD they/PRP sell/VB stocks/NNS ?/.",
        },
    ),
}
GERMAN = {
    "cluster": (
        "dass er das Haus bauen will",
        {
            "final": "Sie/PPER sagt/VVFIN ,/$, dass/KOUS er/PPER das/ART Haus/NN bauen/VVINF "
            "will/VMFIN _ ./$.",
            "not final": "Sie/PPER sagt/VVFIN ,/$, dass/KOUS er/PPER das/ART Haus/NN _ will/VMFIN "
            "bauen/VVINF ./$.",
        },
    ),
}


@click.command()
@click.argument("potsdam", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("output", type=click.Path(path_type=Path))
def main(potsdam: Path, output: Path) -> None:
    """Write the examples."""
    english, _ = parts(None, EVANG_KALLMEYER)
    files = sorted(map(str, potsdam.glob("*.xml")))
    german = list(transform_all(read_trees(files), EVANG_KALLMEYER))
    examples = {
        name: _described(model, *example)
        for model, of_language in (
            (GrammarModel.train(english), ENGLISH),
            (GrammarModel.train(german[: len(german) * 9 // 10]), GERMAN),
        )
        for name, example in of_language.items()
    }
    text = json.dumps(examples, indent=1, ensure_ascii=False) + "\n"
    write_files({output: text.encode()})


def _described(model: GrammarModel, title: str, versions: dict[str, str]) -> dict[str, object]:
    """Return the words of all versions, and the bits of each in each version, if it is there."""
    words = [sentence.split() for sentence in versions.values()]
    bits = [_bits(model, each) for each in words]
    labels = [next(word for word in column if word != "_") for column in zip(*words, strict=True)]
    return {
        "title": " ".join(word.rsplit("/", 1)[0] for word in title.split() if word != "_"),
        "versions": list(versions),
        "words": [label.rsplit("/", 1)[0] for label in labels],
        "bits": [list(column) for column in zip(*bits, strict=True)],
    }


def _bits(model: GrammarModel, words: list[str]) -> list[float | None]:
    """Return the surprisal of each word, None where there is none."""
    read = [tuple(word.rsplit("/", 1)) for word in words if word != "_"]
    found = iter(model.surprisal([(form, tag) for form, tag in read]))
    return [None if word == "_" else round(next(found).surprisal or 0.0, 3) for word in words]


if __name__ == "__main__":
    main()
