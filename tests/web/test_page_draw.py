"""The tab Draw in a browser: a tree is typed, edited by mouse and by keyboard, and taken away."""

import pytest
from serving import running
from test_page_details import WISHES

from plcfrs.treebank import FORMATS
from plcfrs.treebank.reading import trees_in_text
from plcfrs.trees import Tree, render_label
from plcfrs.trees.editing import add_node, attach, delete_nodes, relabel

pytestmark = pytest.mark.full

WISH = "(SQ (MD May) (NP (PRP we)) (VP (VB sing)))"
PICTURE = "#draw-picture"


@pytest.fixture(scope="module")
def page_address():
    """The tab needs no model."""
    with running("--treebank", "plcfrs:demo") as (_, address):
        yield address


@pytest.fixture
def tab(open_page):
    page = open_page(viewport={"width": 1280, "height": 800})
    page.click("#draw-tab")
    return page


def draw(page, text):
    page.fill("#draw-text", text)
    page.click("#draw button:text-is('Draw')")
    page.wait_for_selector(f"{PICTURE} svg")
    page.wait_for_selector("#draw:not([aria-busy])")


def test_null_elements_have_arrows_until_they_become_crossing_branches(tab):
    draw(tab, "( (S (NP-1 (NN Cake)) (VP (VBD was) (VP (VBN eaten) (NP (-NONE- *-1))))))")
    assert tab.locator(f"{PICTURE} [data-trace='3']").count() == 1
    tab.check("#draw-transform")
    tab.wait_for_selector(f"{PICTURE} [data-trace]", state="detached")


def test_a_parse_is_taken_along(open_page, demo):
    with running(demo) as (_, address):
        page = open_page()
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_selector("#parse-picture svg")
        page.wait_for_selector("body[data-ready]")
        page.click("#parse .files a:text('Edit')")
        page.wait_for_selector(f"{PICTURE} svg")
        words = page.locator(f"{PICTURE} [data-token] text:nth-of-type(2)").all_text_contents()
        assert words == page.input_value("#text").split()
        assert page.is_hidden("#draw .files a")


def node(label):
    """Return the selector of the constituent or the tag with a label."""
    return f"{PICTURE} g:is([data-node], [data-token]):has(text:text-is('{label}'))"


def shown(page, tree):
    """Wait until the field has a tree, and the picture, too."""
    text = FORMATS["discbracket"].render(tree, 1).strip()
    page.wait_for_function("text => document.getElementById('draw-text').value === text", arg=text)
    labels = page.locator(f"{PICTURE} [data-node] text").all_text_contents()
    assert labels == list(map(render_label, tree.nodes()))
    words = page.locator(f"{PICTURE} [data-token] text:nth-of-type(2)").all_text_contents()
    assert words == [token.form for token in tree.tokens]
    return tree


def named(tree, label):
    return next(one for one in tree.nodes() if render_label(one) == label)


def drag(page, label, mother, steps=4):
    for selector, act in ((label, page.mouse.down), (mother, page.mouse.up)):
        box = page.locator(f"{node(selector)} text").first.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y, steps=steps)
        act()


def test_the_example_is_drawn_and_the_tree_is_high_on_the_page(tab):
    tab.click("#draw button:text-is('What should we do ?')")
    tab.wait_for_selector(f"{PICTURE} svg")
    tree = Tree.from_string(tab.input_value("#draw-text"))
    assert tree.discontinuous_nodes()
    assert tab.locator(f"{PICTURE} svg").bounding_box()["y"] < 260
    assert tab.is_hidden("#draw-transform")
    address = tab.url
    assert "#draw?text=" in address
    tab.goto("about:blank")
    tab.goto(address)
    tab.wait_for_selector(f"{PICTURE} svg")
    assert Tree.from_string(tab.input_value("#draw-text")) == tree


def test_a_tree_is_drawn_while_it_is_typed(tab):
    tab.focus("#draw-text")
    tab.keyboard.type("(S (NP (PRP We)")
    tab.wait_for_selector("#draw-error:has-text('Line 1: missing')")
    tab.keyboard.type(") (VP (VB go)))")
    tab.wait_for_selector(f"{PICTURE} text:text-is('go')")
    assert tab.is_hidden("#draw-error")
    assert tab.input_value("#draw-text") == "(S (NP (PRP We)) (VP (VB go)))"
    tab.fill("#draw-text", "What should we do ?")
    tab.wait_for_selector("#draw-error:has-text('type a tree, such as')")
    # An edit of the tree before would replace what is typed.
    assert tab.locator(f"#draw-result[inert] {PICTURE} svg").count() == 1
    tab.fill("#draw-text", "")
    tab.wait_for_selector("#draw button:text-is('What should we do ?')")


def test_parts_are_moved_by_the_mouse(tab):
    draw(tab, WISH)
    tree = Tree.from_string(WISH)
    drag(tab, "PRP", "VP")
    tree = shown(tab, attach(tree, [1], named(tree, "VP")).tree)  # NP has gone
    drag(tab, "MD", "VP")
    tree = shown(tab, attach(tree, [0], named(tree, "VP")).tree)
    drag(tab, "VB", "ROOT")
    tree = shown(tab, attach(tree, [2], tree.root).tree)
    drag(tab, "PRP", "ROOT")
    tree = shown(tab, attach(tree, [1], tree.root).tree)
    drag(tab, "VB", "VP")
    tree = shown(tab, attach(tree, [2], named(tree, "VP")).tree)
    assert tree.discontinuous_nodes()
    assert tab.evaluate("getSelection().toString()") == ""
    drag(tab, "SQ", "VP")
    tab.wait_for_selector("#draw-error:has-text('SQ cannot be attached to VP, which is below it')")
    shown(tab, tree)
    assert tab.locator(f"{PICTURE} [data-node][transform]").count() == 0


def test_dragging_in_any_picture_selects_no_text(tab):
    tab.click("#treebank-tab")
    boxes = [
        tab.locator(f"#treebank-picture [data-token] text >> nth={place}").bounding_box()
        for place in (1, -1)
    ]
    tab.mouse.move(boxes[0]["x"] + 1, boxes[0]["y"] + 5)
    tab.mouse.down()
    tab.mouse.move(boxes[1]["x"] + 5, boxes[1]["y"] + 5, steps=3)
    tab.mouse.up()
    assert tab.evaluate("getSelection().toString()") == ""


def test_a_drag_that_ends_nowhere_changes_nothing(tab):
    draw(tab, WISH)
    box = tab.locator(f"{node('NP')} text").bounding_box()
    tab.mouse.move(box["x"] + 5, box["y"] + 5)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 25, box["y"] + 5, steps=3)
    assert tab.locator(f"{PICTURE} .mother").count() == 1
    tab.mouse.move(box["x"] + 700, box["y"], steps=3)
    assert tab.locator(f"{PICTURE} .mother").count() == 0
    tab.mouse.up()
    assert tab.locator(f"{PICTURE} [data-node][transform]").count() == 0
    assert tab.input_value("#draw-text") == WISH
    assert tab.is_disabled("#draw button:text-is('Undo')")


def test_nodes_are_chosen_added_relabelled_and_deleted_by_the_mouse(tab):
    draw(tab, WISH)
    tree = Tree.from_string(WISH)
    tab.click(f"{node('MD')} text >> nth=0")
    tab.click(f"{node('VP')} text", modifiers=["Shift"])
    assert tab.locator(f"{PICTURE} [aria-pressed=true]").count() == 2
    tab.click("#draw button:text-is('Node above')")
    tab.fill("#label-dialog [name=label]", "X-1")
    tab.click("#label-dialog button:text-is('Change')")
    tree = shown(tab, add_node(tree, [0, named(tree, "VP")], "X-1").tree)
    assert tree.discontinuous_nodes()
    assert tab.get_attribute(node("X-1"), "aria-pressed") == "true"
    tab.dblclick(f"{node('X-1')} text")
    assert tab.input_value("#label-dialog [name=label]") == "X-1"
    assert tab.is_hidden("#label-dialog [name=word]")
    tab.fill("#label-dialog [name=label]", "VP-HD")
    tab.keyboard.press("Enter")
    tree = shown(tab, relabel(tree, named(tree, "X-1"), "VP-HD").tree)
    tab.dblclick(f"{PICTURE} text:text-is('we')")
    tab.fill("#label-dialog [name=word]", "they")
    tab.keyboard.press("Enter")
    tree = shown(tab, relabel(tree, 1, "PRP", "they").tree)
    tab.click(f"{node('VP-HD')} text")
    tab.click("#draw button:text-is('Delete')")
    shown(tab, delete_nodes(tree, [named(tree, "VP-HD")]).tree)


def test_a_part_is_attached_by_two_clicks(tab):
    draw(tab, WISH)
    tree = Tree.from_string(WISH)
    tab.click(f"{node('NP')} text")
    tab.click("#draw button:text-is('Attach to …')")
    tab.wait_for_selector("#draw .tools .hint:has-text('Click the new mother')")
    tab.click(f"{node('MD')} text >> nth=0")
    tab.wait_for_selector("#draw-error:has-text('A word cannot be a mother')")
    tab.click(f"{node('VP')} text")
    shown(tab, attach(tree, [named(tree, "NP")], named(tree, "VP")).tree)


def test_a_tree_is_edited_by_the_keyboard_alone(tab):
    press = tab.keyboard.press
    tab.focus("#draw-text")
    tab.keyboard.type(WISH)
    tab.wait_for_selector(f"{PICTURE} svg")
    tree = Tree.from_string(WISH)
    for _ in range(20):
        press("Tab")
        if tab.evaluate("document.activeElement.matches('#draw-picture [data-node]')"):
            break
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "a"):  # NP is to be attached
        press(key)
    tab.wait_for_selector("#draw .tools .hint:has-text('go to it')")
    press("ArrowRight")
    press("Enter")
    tree = shown(tab, attach(tree, [named(tree, "NP")], named(tree, "VP")).tree)
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')") == "NP: we"
    press("F2")
    tab.keyboard.type("NP-SBJ")
    press("Enter")
    tree = shown(tab, relabel(tree, named(tree, "NP"), "NP-SBJ").tree)
    for key in (" ", " ", "ArrowRight", " ", "n"):  # not chosen, chosen again, and its sister
        press(key)
    tab.keyboard.type("X")
    press("Enter")
    tree = shown(tab, add_node(tree, [named(tree, "NP-SBJ"), 2], "X").tree)
    press("Delete")
    tree = shown(tab, delete_nodes(tree, [named(tree, "X")]).tree)
    press("Escape")
    assert tab.locator(f"{PICTURE} [aria-pressed=true]").count() == 0
    press("Enter")
    press("Escape")
    shown(tab, tree)


def test_edits_are_undone_and_redone(tab):
    draw(tab, WISH)
    tree = Tree.from_string(WISH)
    drag(tab, "PRP", "VP")
    moved = shown(tab, attach(tree, [1], named(tree, "VP")).tree)
    tab.click(f"{node('VP')} text")
    tab.keyboard.press("Delete")
    flat = shown(tab, delete_nodes(moved, [named(moved, "VP")]).tree)
    tab.keyboard.press("Control+z")
    shown(tab, moved)
    tab.keyboard.press("Control+z")
    tab.wait_for_selector(node("NP"))
    assert tab.input_value("#draw-text") == WISH
    tab.keyboard.press("Control+Shift+Z")
    shown(tab, moved)
    tab.click("#draw button:text-is('Redo')")
    shown(tab, flat)
    assert tab.is_disabled("#draw button:text-is('Redo')")
    tab.click("#draw button:text-is('Undo')")
    shown(tab, moved)
    tab.focus("#draw-text")
    tab.keyboard.press("End")
    tab.keyboard.type(" ")
    tab.keyboard.press("Control+z")  # what was typed, and no edit
    shown(tab, moved)


def test_one_of_several_trees_is_edited(tab):
    draw(tab, f"{WISH}\n(S (NN rain))\n")
    assert tab.text_content("#draw .tools [role=status] >> nth=0") == "Tree 1 of 2"
    tab.click("#draw button:text-is('Next')")
    tab.wait_for_selector(f"{PICTURE} text:text-is('rain')")
    assert "tree=2" in tab.url
    tab.click(f"{node('S')} text")
    tab.keyboard.press("Delete")
    wanted = f"{Tree.from_string(WISH)}\n(ROOT (NN 0=rain))"
    tab.wait_for_function("text => document.getElementById('draw-text').value === text", arg=wanted)
    tab.click("#draw button:text-is('Previous')")
    tab.wait_for_selector(f"{PICTURE} text:text-is('sing')")


def test_traces_become_crossing_branches(tab):
    draw(
        tab,
        "((SBARQ (WHNP-1 (WP What)) (SQ (MD may) (NP (PRP we)) (VP (VB do) (NP (-NONE- *T*-1))))))",
    )
    assert tab.is_visible(f"{PICTURE} text:text-is('*T*-1')")
    tab.check("#draw-transform")
    tab.wait_for_selector(f"{PICTURE}:not(:has-text('*T*-1'))")
    assert "transform=true" in tab.url
    tab.click(f"{node('MD')} text >> nth=0")
    drag(tab, "MD", "SBARQ")
    tab.wait_for_function("() => document.getElementById('draw-text').value.includes('0=What')")
    assert tab.is_hidden("#draw-transform")
    assert Tree.from_string(tab.input_value("#draw-text")).discontinuous_nodes()


def test_a_long_text_is_not_in_the_address(tab):
    draw(tab, f"(S {500 * '(NN rain) '})")
    tab.wait_for_selector("#draw .hint:has-text('too long for the address')")
    assert tab.url.endswith("#draw")
    tab.click("#treebank-tab")
    tab.click("#draw-tab")
    assert tab.is_visible(f"{PICTURE} svg")


def test_a_tree_is_taken_away(tab):
    draw(tab, WISH)
    drag(tab, "PRP", "VP")
    tab.wait_for_selector(f"{PICTURE}:not(:has-text('NP'))")
    for format, start in (
        ("svg", b"<svg"),
        ("pdf", b"%PDF"),
        ("png", b"\x89PNG"),
        ("tikz", b"\\doc"),
    ):
        tab.select_option("#draw .files select", format)
        with tab.expect_download() as download:
            tab.click("#draw button:text-is('Download')")
        assert download.value.path().read_bytes().startswith(start)
    tab.select_option("#draw .files select", "discbracket")
    with tab.expect_download() as download:
        tab.click("#draw button:text-is('Download')")
    assert download.value.path().read_text("utf-8").strip() == tab.input_value("#draw-text")


def test_a_finger_moves_a_node(open_page):
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.click("#draw-tab")
    draw(page, WISH)
    session = page.context.new_cdp_session(page)
    boxes = [page.locator(f"{node(label)} text").first.bounding_box() for label in ("PRP", "VP")]
    (x, y), (to_x, to_y) = (
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes
    )
    touch = lambda kind, *points: session.send(  # noqa: E731
        "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [*points]}
    )
    touch("touchStart", {"x": x, "y": y})
    for part in (0.3, 0.6, 1):
        touch("touchMove", {"x": x + part * (to_x - x), "y": y + part * (to_y - y)})
    touch("touchEnd")
    tree = Tree.from_string(WISH)
    shown(page, attach(tree, [1], named(tree, "VP")).tree)


def test_fingers_choose_several_parts(open_page):
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.tap("#draw-tab")
    draw(page, WISH)
    for label in ("NP", "VP"):
        page.tap(f"{node(label)} text")
    assert page.locator(f"{PICTURE} [aria-pressed=true]").count() == 2
    page.tap(f"{node('NP')} text")
    assert page.locator(f"{PICTURE} [aria-pressed=true]").count() == 1


def luminance(colour):
    def linear(value):
        value /= 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(part)) for part in colour[4:-1].split(","))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_secondary_edges_can_be_read(open_page, scheme):
    page = open_page(color_scheme=scheme)
    page.click("#draw-tab")
    draw(page, WISHES)
    text, halo, line, paper = page.eval_on_selector(
        f"{PICTURE} [data-edge]",
        """edge => {
            const [text, line] = ["text", "path"].map(
                (name) => getComputedStyle(edge.querySelector(name)));
            return [text.fill, text.stroke, line.stroke,
                getComputedStyle(document.body).backgroundColor];
        }""",
    )
    dark, light = sorted(map(luminance, (text, paper)))
    assert (light + 0.05) / (dark + 0.05) > 4.5
    assert (line, halo) == (text, paper)
    drag(page, "KON", "ROOT")
    page.wait_for_function("() => document.getElementById('draw-text').value.startsWith('#FORMAT')")
    assert page.text_content(f"{PICTURE} [data-edge]") == "SB"


TIGER = """#FORMAT 4
#BOS 1 %% id: tiger_17
Sie\tsie\tPPER\t3.Nom\tSB\t500\tOA\t501
hoffen\thoffen\tVVFIN\t3.Pl\tHD\t500
und\tund\tKON\t--\tCD\t502
rudern\trudern\tVVFIN\t3.Pl\tHD\t501
#500\t--\tS\t--\tCJ\t502
#501\t--\tS\t--\tCJ\t502
#502\t--\tCS\t--\t--\t0
#EOS 1
#BOS 2
Regen\tRegen\tNN\tNom\tHD\t500
#500\t--\tNP\t--\t--\t0
#EOS 2
"""


def field(page):
    return page.input_value("#draw-text")


def wait_for(page, text):
    page.wait_for_function(f"() => document.getElementById('draw-text').value.includes({text!r})")


def whole(tree):
    """Return all that a tree has."""
    return FORMATS["json"].render(tree, 1)


def test_nothing_that_is_not_edited_gets_lost(tab):
    before = list(map(whole, trees_in_text(TIGER)))
    draw(tab, TIGER)
    tab.click("#draw button:text-is('Next')")
    tab.wait_for_selector(f"{PICTURE} text:text-is('Regen')")
    tab.click(f"{node('NP')} text")
    tab.keyboard.press("F2")
    tab.fill("#label-dialog [name=label]", "PN")
    tab.keyboard.press("Enter")
    wait_for(tab, "PN")
    first, second = trees_in_text(field(tab))
    assert whole(first) == before[0]
    assert (first.id, first.secondary_edges[0].label) == ("tiger_17", "OA")
    assert whole(second) == before[1].replace("NP", "PN")
    # Indices have no place in the export format.
    tab.click(f"{node('PN')} text")
    tab.keyboard.press("F2")
    tab.fill("#label-dialog [name=label]", "PN-1")
    tab.keyboard.press("Enter")
    wait_for(tab, "PN-1")
    assert list(map(whole, trees_in_text(field(tab)))) == [
        before[0],
        before[1].replace("NP", "PN-1"),
    ]


def test_a_whole_tree_comes_from_the_treebank(open_page):
    page = open_page()
    page.click("#treebank-tab")
    page.set_input_files("#file", {"name": "t.export", "mimeType": "", "buffer": TIGER.encode()})
    page.wait_for_selector("#treebank-picture text:text-is('rudern')")
    page.click("#treebank .files a:text('Edit')")
    page.wait_for_selector(f"{PICTURE} text:text-is('rudern')")
    wait_for(page, "#EOS")
    (tree,) = trees_in_text(field(page))
    assert whole(tree) == whole(next(trees_in_text(TIGER)))


def test_each_tree_has_its_own_history(tab):
    draw(tab, f"{WISH}\n(S (NP (NN rain)))\n")
    tab.click(f"{node('VP')} text")
    tab.keyboard.press("Delete")
    tab.wait_for_selector(f"{PICTURE}:not(:has-text('VP'))")
    tab.click("#draw button:text-is('Next')")
    tab.wait_for_selector(f"{PICTURE} text:text-is('rain')")
    assert tab.is_disabled("#draw button:text-is('Undo')")
    tab.click(f"{node('NP')} text")
    tab.keyboard.press("Delete")
    tab.wait_for_selector(f"{PICTURE}:not(:has-text('NP'))")
    tab.click("#draw button:text-is('Previous')")
    tab.wait_for_selector(f"{PICTURE} text:text-is('sing')")
    tab.click("#draw button:text-is('Undo')")
    tab.wait_for_selector(node("VP"))
    first, second = trees_in_text(field(tab))
    assert (str(first), str(second)) == (str(Tree.from_string(WISH)), "(ROOT (S (NN 0=rain)))")
    assert tab.is_disabled("#draw button:text-is('Undo')")
    tab.click("#draw button:text-is('Redo')")
    tab.wait_for_selector(f"{PICTURE}:not(:has-text('VP'))")
    draw(tab, "(S (NN snow))")
    assert tab.is_disabled("#draw button:text-is('Undo')")


@pytest.mark.parametrize("format", ["export", "svg", "conllu", "json"])
def test_all_trees_are_downloaded_or_one(tab, format):
    draw(tab, TIGER)
    tab.select_option("#draw .files select >> nth=1", format)
    with tab.expect_download() as download:
        tab.click("#draw button:text-is('Download')")
    content = download.value.path().read_text("utf-8")
    assert "rudern" in content
    assert "Regen" in content
    if format in ("export", "json"):
        assert next(map(whole, trees_in_text(content))) == whole(next(trees_in_text(TIGER)))
    tab.select_option("#draw .files select >> nth=0", "one")
    with tab.expect_download() as download:
        tab.click("#draw button:text-is('Download')")
    assert "Regen" not in download.value.path().read_text("utf-8")


LONG = f"(S {500 * '(NN rain) '})"


def test_a_long_text_and_what_is_typed_survive_a_reload(tab):
    draw(tab, f"{LONG}\n{WISH}")
    tab.click("#draw button:text-is('Next')")
    tab.wait_for_selector(f"{PICTURE} text:text-is('sing')")
    tab.reload()
    tab.wait_for_selector(f"{PICTURE} text:text-is('sing')")
    assert field(tab) == f"{LONG}\n{WISH}"
    draw(tab, WISH)
    tab.fill("#draw-text", f"{WISH} (S")
    tab.reload()
    tab.wait_for_selector("#draw-error:has-text('missing')")
    assert field(tab) == f"{WISH} (S"


def test_the_text_before_another_one_can_be_shown_again(tab, page_address):
    draw(tab, LONG)
    tab.goto("about:blank")
    tab.goto(f"{page_address}#draw?text=(S (NN snow))")
    tab.wait_for_selector(f"{PICTURE} text:text-is('snow')")
    tab.click("#draw button:text-is('Earlier text')")
    tab.wait_for_selector(f"{PICTURE} text:text-is('rain')")
    assert field(tab) == LONG
    tab.click("#draw button:text-is('Earlier text')")
    tab.wait_for_selector(f"{PICTURE} text:text-is('snow')")


def test_two_tabs_know_of_each_other(tab, page_address):
    draw(tab, WISH)
    other = tab.context.new_page()
    other.goto(page_address)
    other.wait_for_selector("body[data-ready]")
    other.click("#draw-tab")
    other.wait_for_selector(f"{PICTURE} text:text-is('sing')")
    assert tab.is_hidden("#draft-trouble")
    draw(other, "(S (NN snow))")
    tab.wait_for_selector("#draft-trouble:has-text('Another tab')")
    tab.fill("#draw-text", f"{WISH} ")
    draw(tab, "(S (NN fog))")
    other.reload()
    other.wait_for_selector(f"{PICTURE} text:text-is('snow')")  # nothing was written over
    tab.click("#draft-mine")
    other.wait_for_selector("#draft-trouble:has-text('Another tab')")
    assert tab.is_hidden("#draft-trouble")
    other.click("#draft-other")
    other.wait_for_selector(f"{PICTURE} text:text-is('fog')")
    assert other.is_hidden("#draft-trouble")
    other.click("#draw button:text-is('Earlier text')")
    other.wait_for_selector(f"{PICTURE} text:text-is('snow')")


@pytest.mark.parametrize("is_kept", [True, False])
def test_what_cannot_be_kept_is_said_and_the_page_warns(tab, is_kept):
    if not is_kept:
        tab.evaluate("""() => {
            Storage.prototype.setItem = () => { throw new DOMException("", "QuotaExceededError"); };
        }""")
    tab.focus("#draw-text")
    tab.keyboard.type(WISH)
    tab.wait_for_selector(f"{PICTURE} text:text-is('sing')")
    trouble = tab.locator("#draft-trouble")
    assert trouble.is_visible() != is_kept
    assert is_kept or "no space" in trouble.text_content()
    dialogs = []
    tab.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    tab.close(run_before_unload=True)
    tab.wait_for_event("close") if not tab.is_closed() else None
    assert dialogs == ([] if is_kept else ["beforeunload"])


def test_no_reload_over_what_was_typed(browser):
    with running("--treebank", "plcfrs:demo") as (process, address):
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        page.fill("#treebank [name=query]", "VP[discontinuous")
        page.click("#draw-tab")
        draw(page, WISH)
        process.kill()
        process.wait()
        drag(page, "PRP", "VP")
        page.wait_for_selector("#draw-error:has-text('does not answer')")
        page.evaluate("window.isSame = true")
    with running("--treebank", "plcfrs:demo", port=int(address.rsplit(":", 1)[1].strip("/"))):
        page.wait_for_selector("#server-back:not([hidden])")
        assert page.evaluate("window.isSame")
        assert page.input_value("#treebank [name=query]") == "VP[discontinuous"
        drag(page, "PRP", "VP")
        page.wait_for_selector(f"{PICTURE}:not(:has-text('NP'))")
        assert page.is_hidden("#server-back")
        page.close()
