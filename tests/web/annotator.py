"""A person at the keyboard, who changes the tree in sight until it is a gold tree."""

from collections import Counter

from plcfrs.treebank import FORMATS
from plcfrs.treebank.format import Chunk

PICTURE = "#annotate-picture"
_MOST_EDITS = 60


def settle(page):
    """Wait until everything that was asked for is done."""
    page.wait_for_selector("#annotate:not([aria-busy])")
    page.wait_for_selector(f"{PICTURE} svg")


def view(page):
    """Return what the server says of the sentence in sight."""
    return page.evaluate("""async () => {
        const id = new URLSearchParams(location.hash.split("?")[1]).get("sentence");
        return (await fetch(`/api/v1/project/sentence?${new URLSearchParams({ id })}`)).json();
    }""")


def tree_in_sight(page):
    text = view(page)["tree"]["discbracket"]
    return FORMATS["discbracket"].parse(Chunk("the page", 1, text, 1))


class Annotator:
    """Presses keys, and counts them."""

    def __init__(self, page):
        self.page = page
        self.pressed = 0

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1

    def choose(self, key, label):
        """Open a menu, and type a label."""
        self.press(key)
        self.page.wait_for_selector("#menu[open]")
        self.press(*label, "Enter")
        settle(self.page)

    def annotate(self, gold):
        """Make the tree in sight a gold tree, and accept it."""
        settle(self.page)
        for _ in range(_MOST_EDITS):
            tree = tree_in_sight(self.page)
            if not self._edit(tree, gold):
                break
        assert str(tree) == str(gold)
        self.press("Enter")
        settle(self.page)

    def _edit(self, tree, gold):
        """Do the next edit, from the words upwards; return whether there was one."""
        for place, token in enumerate(gold.tokens):
            if tree.tokens[place].tag != token.tag:
                self.go(tree, place)
                self.choose("t", token.tag)
                return True
        missing = Counter(map(_key, gold.nodes()[1:])) - Counter(map(_key, tree.nodes()[1:]))
        if missing:
            self._make(tree, gold, next(each for each in gold.bottom_up() if missing[_key(each)]))
            return True
        wanted = Counter(map(_key, gold.nodes()[1:]))
        for node in tree.nodes()[1:]:
            if not wanted[_key(node)]:
                self.go(tree, node)
                self.press("d")
                settle(self.page)
                return True
            wanted[_key(node)] -= 1
        for node, other in zip(tree.nodes(), gold.nodes(), strict=True):
            if node.functions != other.functions:
                self.go(tree, node)
                self.choose("f", "-".join(other.functions))
                return True
        return False

    def _make(self, tree, gold, wanted):
        """Make a node of the gold tree whose children are there already."""
        keys = set(map(_key, gold.nodes()))
        mothers = tree.mothers()
        same = [node for node in tree.nodes()[1:] if _key(node)[1] == _key(wanted)[1]]
        parts = [
            child
            if isinstance(child, int)
            else next(each for each in tree.nodes()[1:] if _key(each) == _key(child))
            for child in wanted.children
        ]
        first, *others = (part for part in parts)
        apart = [part for part in others if mothers[part] is not mothers[first]]
        wrong = [node for node in same if _key(node) not in keys]
        if wrong:
            self.go(tree, wrong[0])
            self.choose("r", wanted.category)
        elif apart:
            self.go(tree, apart[0])
            self.press("a")
            self.go(tree, mothers[first])
            self.press("Enter")
            settle(self.page)
        else:
            for part in parts:
                self.go(tree, part)
                self.press("Space")
            self.choose("w", wanted.category)

    def go(self, tree, part):
        """Move the focus to a part by arrow keys."""
        mothers = tree.mothers()
        above = [part]
        while above[-1] in mothers:
            above.append(mothers[above[-1]])
        kind, number = self.page.evaluate("""() => {
            const { node, place } = document.activeElement.dataset;
            return [node ? "node" : "token", Number(place)];
        }""")
        at = tree.nodes()[number] if kind == "node" else number
        while at not in above:
            self.press("ArrowUp")
            at = mothers[at]
        for target in reversed(above[: above.index(at)]):
            self.press("ArrowDown")
            sisters = sorted(mothers[target].children, key=_first)
            self.press(*["ArrowRight"] * sisters.index(target))


def _key(node):
    return node.category, tuple(sorted(node.leaves()))


def _first(part):
    return part if isinstance(part, int) else min(part.leaves())
