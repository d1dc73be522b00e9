"""Train on four fifths of a treebank, parse the rest with gold tags, and score.

python examples/train_and_parse.py [TREEBANK]
"""

import sys

from plcfrs import GrammarModel, read_trees, score, transform


def main() -> None:
    """Print the number of parsed sentences, and F1."""
    treebank = sys.argv[1] if len(sys.argv) > 1 else "plcfrs:demo"
    trees = [transform(tree) for tree in read_trees(treebank)]
    border = len(trees) * 4 // 5
    model = GrammarModel.train(trees[:border])
    parses = [model.parse(tree) for tree in trees[border:]]
    scores = score(trees[border:], (parse.tree for parse in parses))
    print(f"{scores.sentences - scores.without_parse} of {scores.sentences} sentences parsed")
    print(f"F1 {scores.labelled.f1:.2f}, discontinuous {scores.labelled_discontinuous.f1:.2f}")


if __name__ == "__main__":
    main()
