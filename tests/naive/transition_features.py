"""Feature extraction from the configurations of the reference, in plain Python."""

from itertools import dropwhile

from plcfrs.parsers.transition.features import parse_template
from plcfrs.trees import Node


def tokens_below(child):
    """Return the positions of all tokens of a constituent, in order."""
    if isinstance(child, int):
        return [child]
    return sorted(token for below in child.children for token in tokens_below(below))


def head_token(child):
    return child if isinstance(child, int) else head_token(child.children[child.head])


def number_of_gaps(tokens):
    return tokens[-1] - tokens[0] + 1 - len(tokens)


def gap_type(child):
    """1 for none, 2 for a constituent with a gap, 3 for one that fills those of its children."""
    if number_of_gaps(tokens_below(child)) > 0:
        return 2
    children = child.children if isinstance(child, Node) else []
    return 3 if any(number_of_gaps(tokens_below(below)) > 0 for below in children) else 1


def step(child, way):
    """Return a child of a constituent: left, right, or the only one; None if there is none."""
    if child is None or isinstance(child, int):
        return None
    if len(child.children) == 1:
        return child.children[0] if way == "u" else None
    return {"l": child.children[0], "r": child.children[1], "u": None}[way]


class Features:
    """The elements that templates find in a configuration.

    Parameters
    ----------
    stack, deque, queue : sequence of Node or int
        The first element is the one that the templates count from.
    words, tags : list of int
        Of the sentence.
    symbols : dict
        The number of each label, with whether it is intermediate.
    """

    def __init__(self, stack, deque, queue, words, tags, symbols):
        top = (*deque, *stack)[:1]
        end = tokens_below(top[0])[-1] if top else -1
        self.following = list(dropwhile(lambda token: token < end, queue))
        self.elements = {"s": stack, "d": deque, "q": queue, "n": self.following}
        self.words, self.tags, self.symbols = words, tags, symbols

    def values(self, template):
        """Return the values of a template; if it is about the whole queue, for each place there.

        The place is then the first value.
        """
        atoms = parse_template(template)
        if atoms[0].place == "*":
            queue = self.elements[atoms[0].structure]
            return [
                (place, *(self.attribute(each, atom.attribute) for atom in atoms))
                for place, each in enumerate(queue, start=1)
            ]
        return [tuple(self.attribute(self.find(atom), atom.attribute) for atom in atoms)]

    def find(self, atom):
        elements = self.elements[atom.structure]
        found = elements[int(atom.place)] if int(atom.place) < len(elements) else None
        for way in atom.path:
            found = step(found, way)
        return found

    def attribute(self, child, attribute):
        if attribute == "i":
            return len(self.elements["q"]) - len(self.following)
        if child is None:
            return 0
        tokens = tokens_below(child)
        if attribute == "c":
            if isinstance(child, int):
                return self.tags[child]
            return self.symbols[child.category, child.intermediate]
        if attribute == "x":
            return gap_type(child)
        if attribute == "y":
            return number_of_gaps(tokens)
        kind, _, where = attribute.partition("_")
        token = {
            "": head_token(child),
            "l": tokens[0],
            "r": tokens[-1],
            "lo": tokens[0] - 1,
            "ro": tokens[-1] + 1,
        }[where]
        numbers = self.words if kind == "w" else self.tags
        return numbers[token] if 0 <= token < len(numbers) else 0


def key(template, seed, factors, values):
    """Return the key of a feature."""
    number = int(seed)
    if "*" in template:
        number *= values[0]
        values = values[1:]
    for factor, value in zip(factors, values, strict=False):
        number += int(factor) * value
    number %= 2**64
    number ^= number >> 32
    number = number * 0xD6E8FEB86659FD93 % 2**64
    return number ^ number >> 32
