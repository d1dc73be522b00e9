"""Whether dependencies are projective and nested, that is, whether their tree is continuous."""

from plcfrs.reduction.conversion import Encoding, read_orders
from plcfrs.reduction.orders import nested_orders
from plcfrs.reduction.repair import repaired_heads
from plcfrs.reduction.spines import dependents, top_down
from plcfrs.trees import DependencyTree
from plcfrs.trees.spans import fan_out


def is_projective(dependencies: DependencyTree) -> bool:
    """Return whether every token and all that depend on it stand together, without a gap.

    Heads that are no tree are repaired as in `from_dependencies`.

    Examples
    --------
    >>> from plcfrs.trees import Token
    >>> tokens = [Token(word, "XY") for word in ("What", "should", "I", "do")]
    >>> is_projective(DependencyTree(tokens, [4, 0, 2, 2], ["VP#1", "root", "SQ#1", "SQ#1"]))
    False
    """
    heads = repaired_heads(dependencies.heads)
    spans = [1 << number for number in range(len(heads))]
    for token in reversed(top_down(dependents(heads))):
        if fan_out(spans[token]) > 1:
            return False
        spans[heads[token]] |= spans[token]
    return True


def is_nested(dependencies: DependencyTree, encoding: Encoding = "direct") -> bool:
    """Return whether of two dependents on a side of a head, the nearer is not attached later.

    >>> from plcfrs.trees import Token
    >>> tokens = [Token(word, "XY") for word in ("What", "should", "I", "do")]
    >>> is_nested(DependencyTree(tokens, [4, 0, 2, 2], ["VP#1", "root", "SQ#1", "SQ#1"]))
    True
    >>> is_nested(DependencyTree(tokens, [4, 0, 2, 2], ["VP#1", "root", "SQ#2", "SQ#1"]))
    False
    """
    heads, _, orders = read_orders(dependencies, encoding)
    return nested_orders(heads, orders) == orders
