"""Print the discontinuous rules of a treebank with their probabilities, the most frequent first.

python examples/fronting.py [TREEBANK]
"""

import sys

from plcfrs import extract, read_trees, transform


def main() -> None:
    """Print count, probability and rule."""
    treebank = sys.argv[1] if len(sys.argv) > 1 else "plcfrs:demo"
    grammar = extract(transform(tree) for tree in read_trees(treebank))
    probabilities = grammar.probabilities()
    discontinuous = [rule for rule in grammar.rules if rule.lhs.fanout > 1]
    for rule in sorted(discontinuous, key=lambda rule: -grammar.rules[rule]):
        print(f"{grammar.rules[rule]:5} {probabilities[rule]:.3f}  {rule}")


if __name__ == "__main__":
    main()
