"""The features of dependency trees, one by one, with their keys."""

import re
from collections import Counter
from hashlib import blake2b, shake_256

BITS = 2**64
BINS = [1, 2, 3, 4, 5, 7, 10, 15, 25]


def number(text):
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def attribute(tokens, known, place, letter):
    """The text of an attribute at a place: 0 is the root, len(tokens) + 1 no token."""
    if not 1 <= place <= len(tokens):
        return {0: "<root>", len(tokens) + 1: "<none>"}.get(place, "<outside>")
    token = tokens[place - 1]
    lower = re.sub(r"\d", "9", token.form.lower())
    word = lower if token.form in known else "<unknown>"
    texts = {"w": word, "p": "p" + lower[:4], "s": "s" + lower[-3:]}
    return (texts | {"t": token.tag, "c": token.tag[:2]})[letter]


def key(tokens, known, template, places, direction, distance):
    """The key of a template: the head, the modifier and the third token are at these places."""
    atoms = re.findall(r"([hmx])([wpstc])([+-]\d)?", template)
    digest = shake_256(template.encode()).digest(16 + 8 * len(atoms))
    seed, factor, *factors = (
        int.from_bytes(digest[start : start + 8], "little") | 1
        for start in range(0, len(digest), 8)
    )
    has_distance = template.endswith("*")
    relation = direction * 10 + distance + 1 if has_distance else direction + 1
    total = seed + factor * relation
    for (letter, kind, offset), odd in zip(atoms, factors, strict=True):
        place = places["hmx".index(letter)] + int(offset or 0)
        total += odd * number(attribute(tokens, known, place, kind))
    return total % BITS


def bin_of(distance):
    return sum(distance > each for each in BINS)


def arc(tokens, known, templates, head, modifier):
    """The keys of an arc; templates are the texts of all kinds of parts."""
    relation = int(head < modifier), bin_of(abs(head - modifier))
    found = [key(tokens, known, each, (head, modifier, 0), *relation) for each in templates[0]]
    step = 1 if head < modifier else -1
    between = {tokens[place - 1].tag: place for place in range(modifier - step, head, -step)}
    for place in between.values():
        places = head, modifier, place
        found += [key(tokens, known, each, places, *relation) for each in templates[1]]
    return found


def sibling(tokens, known, templates, head, nearer, modifier):
    relation = 2 * (head < modifier) + (nearer != head), bin_of(abs(modifier - nearer))
    places = head, modifier, len(tokens) + 1 if nearer == head else nearer
    return [key(tokens, known, each, places, *relation) for each in templates[2]]


def grandparent(tokens, known, templates, above, head, modifier):
    outermost = (above < head) == (head < modifier)
    inside = min(above, head) < modifier < max(above, head)
    order = 3 * (above < head) + (0 if outermost else 1 if inside else 2)
    places = head, modifier, above
    return [key(tokens, known, each, places, order, 0) for each in templates[3]]


def crossing(tokens, known, templates, head, crossed, modifier):
    relation = int(head < modifier), bin_of(abs(head - modifier))
    places = head, modifier, crossed
    texts = templates[4] + templates[5]
    return [key(tokens, known, each, places, *relation) for each in texts]


def tree(tokens, known, templates, arcs, siblings, grandparents, crossing_arcs):
    """The keys of all parts of a tree, and how often each occurs."""
    found = Counter()
    for each in arcs:
        found.update(arc(tokens, known, templates, *each))
    for each in siblings:
        found.update(sibling(tokens, known, templates, *each))
    for each in grandparents:
        found.update(grandparent(tokens, known, templates, *each))
    for each in crossing_arcs:
        found.update(crossing(tokens, known, templates, *each))
    return found
