"""The process in which UDPipe is trained: TREEBANK (CoNLL-U) MODEL OPTIONS."""

from __future__ import annotations

import sys
from pathlib import Path

from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences, Trainer


def main(treebank: str, model: str, options: str) -> None:
    """Train a parser and write it; end with a message if UDPipe cannot."""
    reader, error = InputFormat.newConlluInputFormat(), ProcessingError()
    reader.setText(Path(treebank).read_text(encoding="utf-8"))
    trees, tree = Sentences(), Sentence()
    while reader.nextSentence(tree, error):
        trees.push_back(tree)
        tree = Sentence()
    if not error.occurred():
        none = Trainer.NONE
        found = Trainer.train("morphodita_parsito", trees, Sentences(), none, none, options, error)
    if error.occurred():
        sys.exit(error.message)
    Path(model).write_bytes(found)


if __name__ == "__main__":
    main(*sys.argv[1:])
