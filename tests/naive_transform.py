"""The trace transformation, the naive way: nested dicts, everything searched again each time.

Written from the rules alone (design of the trace transformation, Collins's table of heads), it
shares no code with plcfrs. Readable and slow; recursive, so not for very deep trees.
"""

import re

TYPES = ("*T*", "*ICH*", "*EXP*", "*RNR*")

HEADS = """
ADJP | left | NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
ADVP | right | RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
CONJP | right | CC RB IN
INTJ | left |
LST | right | LS :
NAC | left | NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
PP | right | IN TO VBG VBN RP FW
PRN | left |
PRT | right | RP
QP | left | $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
RRC | right | VP NP ADVP ADJP PP
S | left | TO IN VP S SBAR ADJP UCP NP
SBAR | left | WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
SBARQ | left | SQ S SINV SBARQ FRAG
SINV | left | VBZ VBD VBP VB MD VP S SINV ADJP NP
SQ | left | VBZ VBD VBP VB MD VP SQ
VP | left | TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
WHADJP | left | CC WRB JJ ADJP
WHADVP | right | CC WRB
WHNP | left | WDT WP WP$ WHADJP WHPP WHNP
WHPP | right | IN TO FW
"""
PUNCTUATION = [",", ":", ".", "``", "''", "-LRB-", "-RRB-"]


def read(text):
    """Return the trees of a text in Penn Treebank style; each token knows its place."""
    trees = []
    words = re.findall(r"[()]|[^()\s]+", text)
    while words:
        tree = _read(words)
        for place, leaf in enumerate(leaves(tree)):
            leaf["at"] = place
        trees.append(tree)
    return trees


def _read(words):
    assert words.pop(0) == "("
    label = words.pop(0) if words[0] not in "()" else "ROOT"
    if words[0] not in "()":
        form = words.pop(0)
        assert words.pop(0) == ")"
        return {"tag": label, "form": form}
    children = []
    while words[0] == "(":
        children.append(_read(words))
    assert words.pop(0) == ")"
    parts = re.sub(r"=\d+", "", label).split("-")
    index = int(parts.pop()) if len(parts) > 1 and parts[-1].isdigit() else None
    return {
        "category": parts[0],
        "functions": parts[1:],
        "index": index,
        "children": children,
        "moved": "",
        "split": "",
    }


def transform(tree, types=TYPES, keep_sbar=False, splits=("wh", "vp", "infinitive")):
    """Transform a tree; return it printed (None if no token is left), and the anomalies."""
    anomalies = []
    if "wh" in splits:
        split_wh(tree)
    for type_, place, filler in plan(tree, types, anomalies):
        move(tree, type_, place, filler, anomalies)
    clean_up(tree)
    if not leaves(tree):
        return None, anomalies
    while not keep_sbar and remove_one_sbar(tree):
        pass
    order(tree)
    if "vp" in splits:
        for node in nodes(tree):
            if node["category"] == "VP":
                tag = lexical_head(node)["tag"]
                if tag in ("VB", "TO", "VBN", "VBG"):
                    node["split"] = {"VB": "HINF", "TO": "HTO"}.get(tag, "HPART")
    if "infinitive" in splits:
        for node in nodes(tree):
            if node["category"] == "S" and node["split"] != "WH":
                head = head_child(node)
                if is_node(head) and head["category"] == "VP" and head["split"] in ("HINF", "HTO"):
                    node["split"] = "INF"
    return show(tree), anomalies


def is_node(thing):
    return "category" in thing


def nodes(tree):
    """Return all nodes, from the top, from left to right."""
    found = [tree]
    for child in filter(is_node, tree["children"]):
        found += nodes(child)
    return found


def leaves(thing):
    """Return all tokens, in the order of the tree."""
    if not is_node(thing):
        return [thing]
    return [leaf for child in thing["children"] for leaf in leaves(child)]


def overt(thing):
    """Return the places of the overt tokens, in order."""
    return sorted(leaf["at"] for leaf in leaves(thing) if leaf["tag"] != "-NONE-")


def mother_of(tree, thing):
    for node in nodes(tree):
        if any(child is thing for child in node["children"]):
            return node
    return None


def dominates(node, thing):
    return any(leaf is thing for leaf in leaves(node))


def find_traces(tree):
    """Return (type, index, token) of all traces, in the order of the text."""
    found = []
    for leaf in leaves(tree):
        type_, _, index = leaf["form"].partition("-")
        if leaf["tag"] == "-NONE-" and type_ in TYPES:
            index = int(index) if index else mother_of(tree, leaf)["index"]
            if index is not None:
                found.append((type_, index, leaf))
    return sorted(found, key=lambda trace: trace[2]["at"])


def is_placeholder(tree, node):
    """Whether the node stands for something elsewhere: mother of a trace, or of * alone."""
    return any(mother_of(tree, leaf) is node for _, _, leaf in find_traces(tree)) or all(
        not is_node(child) and child["tag"] == "-NONE-" and re.match(r"\*(?!0\*$)", child["form"])
        for child in node["children"]
    )


def filler_of(tree, index, tokens, anomalies):
    fillers = [
        node for node in nodes(tree) if node["index"] == index and not is_placeholder(tree, node)
    ]
    if len(fillers) > 1:
        anomalies.append(("several fillers", index))
        outside = [node for node in fillers if not any(dominates(node, leaf) for leaf in tokens)]
        categories = [mother_of(tree, leaf)["category"] for leaf in tokens]
        fitting = [node for node in outside if without_wh(node["category"]) in categories]
        fillers = fitting or outside or fillers
    return fillers[0] if fillers else None


def without_wh(category):
    return category[2:] if category.startswith("WH") else category


def plan(tree, types, anomalies):
    """Return (type, token of the trace, filler) for every filler that has to be moved."""
    wanted = [trace for trace in find_traces(tree) if trace[0] in types]
    indices = list(dict.fromkeys(index for _, index, _ in wanted))
    moves = {}
    fillers = {}
    for index in indices:
        fillers[index] = filler_of(tree, index, [x for _, i, x in wanted if i == index], anomalies)
        if fillers[index] is None:
            anomalies.append(("missing filler", index))
    for _ in indices:  # in each round, words may arrive at fillers that have none of their own
        before = list(moves.values())
        for index in indices:
            if fillers[index] is not None and index not in moves:
                words = overt(fillers[index]) or words_that_arrive(fillers[index], before)
                if words:
                    places = [leaf["at"] for _, i, leaf in wanted if i == index]
                    at = min(places, key=lambda place: distance(tree, place, words))
                    type_, _, leaf = next(trace for trace in wanted if trace[2]["at"] == at)
                    moves[index] = (type_, leaf, fillers[index], words)
    for index in indices:
        if fillers[index] is not None and index not in moves:
            anomalies.append(("empty filler", index))
    return [moves[index][:3] for index in indices if index in moves]


def words_that_arrive(filler, moves):
    return sorted(word for _, leaf, _, words in moves if dominates(filler, leaf) for word in words)


def distance(tree, place, words):
    """Return the number of overt tokens between a place and the nearer edge of some words."""
    first, last = words[0], words[-1]
    between_first = [i for i in overt(tree) if place < i < first or first <= i < place]
    between_last = [i for i in overt(tree) if last < i < place or place < i <= last]
    return min(len(between_first), len(between_last))


def move(tree, type_, trace, filler, anomalies):
    placeholder = mother_of(tree, trace)
    old = placeholder if len(placeholder["children"]) == 1 else trace
    if dominates(filler, trace):
        parentheses = [
            node
            for node in nodes(filler)[1:]
            if node["category"] == "PRN" and dominates(node, trace)
        ]
        if not parentheses:
            anomalies.append(("cycle without PRN", trace["form"]))
            return
        highest = max(parentheses, key=lambda node: len(nodes(node)))
        swap(mother_of(tree, highest), highest, [])
        swap(mother_of(tree, filler), filler, [highest])
        type_ = "*T*-PRN"
    else:
        swap(mother_of(tree, filler), filler, [])
    filler["moved"] = type_
    swap(mother_of(tree, old), old, [filler])


def swap(mother, old, new):
    place = [child is old for child in mother["children"]].index(True)
    mother["children"][place : place + 1] = new


def clean_up(tree):
    for child in filter(is_node, tree["children"]):
        clean_up(child)
    tree["children"] = [child for child in tree["children"] if overt(child)]
    tree["index"] = None


def remove_one_sbar(tree):
    for node in nodes(tree):
        only = node["children"][0]
        if node["category"] == "SBAR" and len(node["children"]) == 1 and is_node(only):
            only["moved"] = only["moved"] or node["moved"]
            swap(mother_of(tree, node), node, [only])
            return True
    return False


def order(tree):
    for number, place in enumerate(overt(tree)):
        for leaf in leaves(tree):
            if leaf["at"] == place:
                leaf["at"] = number
    for node in nodes(tree):
        node["children"].sort(key=lambda child: overt(child)[0])


def split_wh(tree):
    for _, index, leaf in find_traces(tree):
        for filler in nodes(tree):
            if filler["index"] == index and filler["category"].startswith("WH"):
                for sister in filter(is_node, mother_of(tree, filler)["children"]):
                    if sister["category"] == "S" and dominates(sister, leaf):
                        sister["split"] = "WH"


def head_child(node):
    children = node["children"]
    names = [child.get("category", child.get("tag")) for child in children]
    head = _head(node["category"], names)
    if head >= 2 and names[head - 1] == "CC":
        before = [i for i in range(head - 1) if names[i] not in PUNCTUATION]
        head = before[-1] if before else head
    return children[head]


def _head(mother, names):
    if mother in ("NP", "NX"):
        return head_of_np(names)
    lines = [[part.strip() for part in line.split("|")] for line in HEADS.split("\n") if line]
    rows = [line for line in lines if line[0] == mother] or [[mother, "right", ""]]
    side, wanted = rows[0][1], rows[0][2].split()
    places = list(range(len(names)))
    if side == "right":
        places.reverse()
    for name in wanted + ["WH" + name for name in wanted]:
        for place in places:
            if names[place] == name:
                return place
    return places[0]


def head_of_np(names):
    for wh in ("", "WH"):
        if names[-1] == wh + "POS":
            return len(names) - 1
        for side, wanted in [
            (-1, "NN NNP NNPS NNS NX POS JJR"),
            (1, "NP"),
            (-1, "$ ADJP PRN"),
            (-1, "CD"),
            (-1, "JJ JJS RB QP"),
        ]:
            for place in list(range(len(names)))[::side]:
                if names[place] in [wh + name for name in wanted.split()]:
                    return place
    return len(names) - 1


def lexical_head(thing):
    while is_node(thing):
        thing = head_child(thing)
    return thing


def show(thing):
    """Return a tree in brackets, in the format of `bracket.show`."""
    if not is_node(thing):
        return f"{thing['at']}={thing['form']}"
    label = "-".join(
        [thing["category"] + ("^" + thing["split"] if thing["split"] else ""), *thing["functions"]]
    )
    if thing["moved"]:
        label += f"<{thing['moved']}>"
    return f"({' '.join([label, *map(show, thing['children'])])})"
