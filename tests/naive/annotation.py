"""Scores of functions and null elements, straight from the definitions in the papers.

Johnson (2002): a null element is right if its type, the category above it and the number of words
before it are right; with antecedent, if the category and both edges of its antecedent are right,
too. Blaheta and Charniak (2000): the function tags of constituents that are right.

A tree is a list, `[label, child, ...]`; a word is a tuple, `(tag, form, place, function)`.
"""

import re

FOUR = ("*T*", "*ICH*", "*EXP*", "*RNR*")
SYNTACTIC = ["DTV", "LGS", "PRD", "PUT", "SBJ", "VOC"]
SEMANTIC = ["ADV", "BNF", "DIR", "EXT", "LOC", "MNR", "NOM", "PRP", "TMP"]
GROUPS = ("all without CLR", "syntactic", "semantic", "CLR", "TPC", "other")
NULL = "-NONE-"


def tree_of_text(text):
    """Read Penn brackets."""
    pieces = re.findall(r"[()]|[^ \t\r\n()]+", text)  # other blanks are parts of words
    place = 0

    def node():
        nonlocal place
        assert pieces.pop(0) == "("
        label = "ROOT" if pieces[0] == "(" else pieces.pop(0)
        if pieces[0] not in "()":
            word = (label, pieces.pop(0), place, "")
            place += 1
            assert pieces.pop(0) == ")"
            return word
        children = []
        while pieces[0] == "(":
            children.append(node())
        assert pieces.pop(0) == ")"
        return [label, *children]

    return node()


def text_of_tree(tree):
    """Write Penn brackets, also those of trees whose words have other places by now."""
    if isinstance(tree, tuple):
        return f"({tree[0]} {tree[1]})"
    return f"({' '.join([tree[0], *map(text_of_tree, tree[1:])])})"


def divide(label):
    """Return category, function tags and index of a label."""
    category, *rest = re.sub(r"=\d+", "", label).split("-")
    numbers = [part for part in rest if part.isdigit()]
    return category, [part for part in rest if not part.isdigit()], numbers[0] if numbers else None


def nodes(tree):
    found = [tree]
    for child in tree[1:]:
        if isinstance(child, list):
            found += nodes(child)
    return found


def words(tree):
    """Return the words and null elements below a node, in the order of the text."""
    below = [tree] if isinstance(tree, tuple) else [w for child in tree[1:] for w in words(child)]
    return sorted(below, key=lambda word: word[2])


def null_elements(tree):
    """Return (category, type, words before, antecedent) of all null elements."""
    everything = words(tree)

    def words_before(place):
        return sum(word[0] != NULL and word[2] < place for word in everything)

    found = []
    for mother in nodes(tree):
        category, _, own_index = divide(mother[0])
        for null in mother[1:]:
            if isinstance(null, list) or null[0] != NULL:
                continue
            type_, index = re.fullmatch(r"(.+?)(?:-(\d+))?", null[1]).groups()
            antecedent = None
            for other in nodes(tree):
                if other is mother or divide(other[0])[2] != (index or own_index or "none"):
                    continue
                if not index and stands_for_another(other):
                    continue
                places = [word[2] for word in words(other)]
                edges = words_before(min(places)), words_before(max(places) + 1)
                antecedent = (divide(other[0])[0], *edges)
                break
            found.append((category, type_, words_before(null[2]), antecedent))
    return found


def stands_for_another(node):
    """Whether a node of CRAFT has the index of its antecedent, not its own."""
    return all(
        isinstance(child, tuple)
        and child[0] == NULL
        and not re.search(r"-\d+$", child[1])
        and child[1] not in ("0", "*0*")
        for child in node[1:]
    )


def common(some, others):
    """Return what is in both lists, as often as in the list that has it less often."""
    left, both = list(others), []
    for thing in some:
        if thing in left:
            left.remove(thing)
            both.append(thing)
    return both


def null_scores(gold, parse):
    """Return the numbers in the gold tree, in the parse, and in both, by (measure, kind)."""
    scores = {}
    golds, parses = null_elements(gold), null_elements(parse)
    for measure, length in (("null", 3), ("with antecedent", 4)):
        both = common([null[:length] for null in golds], [null[:length] for null in parses])
        for part, found in enumerate((golds, parses, both)):
            for category, type_, *_ in found:
                kinds = ["all", f"{category} {type_}"] + ["four"] * (type_ in FOUR)
                for kind in kinds:
                    scores.setdefault((measure, kind), [0, 0, 0])[part] += 1
    return scores


def constituents(tree, counted, ignored, equal):
    """Return (category, numbers of the words that count, tags) of all constituents but the top."""
    places = [word[2] for word in words(tree) if word[0] != NULL]
    found = []
    for node in nodes(tree)[1:]:
        category, tags, _ = divide(node[0])
        numbers = {places.index(word[2]) for word in words(node) if word[0] != NULL} & counted
        if numbers and category not in ignored:
            found.append((equal.get(category, category), frozenset(numbers), tags))
    return found


def function_scores(gold, parse, ignored=(), ignored_words=(), equal=None):
    """Return the numbers of tags in the gold tree, in the parse, and in both, by group and tag.

    Ignored words, and constituents and words with an ignored label, do not count; some categories
    are equal to others.
    """
    gold_words, parsed_words = (
        [word for word in words(tree) if word[0] != NULL] for tree in (gold, parse)
    )
    counted = {
        number
        for number, (tag, form, *_) in enumerate(gold_words)
        if tag not in ignored and form not in ignored_words
    }
    one, other = (constituents(tree, counted, ignored, equal or {}) for tree in (gold, parse))
    golds, parses = right(one, other), right(other, one)
    for number in counted:
        pair = gold_words[number], parsed_words[number]
        if pair[0][0] == pair[1][0]:
            for found, word in zip((golds, parses), pair, strict=True):
                found += [(("word", number), word[3])] if word[3] else []
    scores = {}
    for part, found in enumerate((golds, parses, common(golds, parses))):
        for bearer, tag in found:
            for kind in kinds_of(tag):
                scores.setdefault(kind, [0, 0, 0])[part] += 1
            bears = "of words" if bearer[0] == "word" else "of constituents"
            scores.setdefault(bears, [0, 0, 0])[part] += 1
    return scores


def right(some, others):
    """Return each tag of the constituents that the other tree has, too, with its constituent."""
    there = [(category, numbers) for category, numbers, _ in others]
    return [
        ((category, numbers), tag)
        for category, numbers, tags in some
        for tag in tags
        if (category, numbers) in there
    ]


def kinds_of(tag):
    yield "all"
    yield f"tag {tag}"
    if tag != "CLR":
        yield "all without CLR"
    if tag in SYNTACTIC:
        yield "syntactic"
    elif tag in SEMANTIC:
        yield "semantic"
    elif tag in ("CLR", "TPC"):
        yield tag
    else:
        yield "other"
