"""Count which categories have gaps, and which constituents fill the gaps.

python examples/gap_fillers.py [TREEBANK]
"""

import sys
from collections import Counter

from plcfrs import Tree, read_trees, transform
from plcfrs.trees.tree import gaps


def gap_fillers(tree: Tree) -> Counter[tuple[str, str]]:
    """Count the pairs of a discontinuous category and the highest node that fills a gap of it."""
    yields = tree.yields()
    found: Counter[tuple[str, str]] = Counter()
    for node in tree.discontinuous_nodes():
        for left, right in gaps(yields[node]):
            gap = (1 << right) - (1 << left)
            fillers = (other.category for other in tree.nodes() if yields[other] == gap)
            found[node.category, next(fillers, "several")] += 1
    return found


def main() -> None:
    """Print the pairs, the most frequent first."""
    treebank = sys.argv[1] if len(sys.argv) > 1 else "plcfrs:demo"
    total: Counter[tuple[str, str]] = Counter()
    for tree in read_trees(treebank):
        total.update(gap_fillers(transform(tree)))
    for (category, filler), count in total.most_common():
        print(f"{count:5} {category:8} around {filler}")


if __name__ == "__main__":
    main()
