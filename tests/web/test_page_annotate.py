"""The tab Annotate in a browser, with the parser of a project."""

import pytest
from annotator import PICTURE, Annotator, settle, tree_in_sight, view
from demo_trees import demo_trees
from held import Held
from page_server import running
from test_page_accessibility import violations

from plcfrs.project import create, read_sentences
from plcfrs.transformation import remove_splits
from plcfrs.trees import Node, Tree, render_label
from plcfrs.trees.editing import attach

pytestmark = pytest.mark.full

FIRST, SENTENCES = 100, 20


def gold_trees():
    trees = list(map(remove_splits, demo_trees()[FIRST : FIRST + SENTENCES]))
    for number, tree in enumerate(trees, start=1):
        tree.id = f"demo.{number}"
    return trees


def flat(tree):
    return Tree(Node("", children=[*range(len(tree.tokens))]), tree.tokens, tree.id)


@pytest.fixture(scope="session")
def parser(trained):
    """A parser that has not learned the sentences."""
    return trained("grammar", FIRST)


@pytest.fixture
def project(tmp_path, parser):
    """A new project with sentences of the demo treebank."""
    folder = tmp_path / "project"
    create(
        folder, (("demo", flat(tree)) for tree in gold_trees()), "anna", str(parser), trees=False
    )
    return folder


def serving(project, *arguments, **options):
    return running(project, *arguments, command=("annotate", "serve"), **options)


@pytest.fixture
def page_address(project):
    with serving(project) as (_, address):
        yield address


@pytest.fixture
def page(open_page):
    page = open_page(viewport={"width": 1280, "height": 800})
    settle(page)
    return page


def number(node):
    """Return the selector of a constituent."""
    return f"{PICTURE} [data-node='{node}'] text"


def focused(page):
    return page.evaluate("document.activeElement.getAttribute('aria-label')")


def accepted(project):
    return {
        each.id: each.named.tree
        for each in read_sentences(project, "anna")
        if each.status == "accepted"
    }


def test_twenty_sentences_are_annotated_by_keys_alone(page, project):
    annotator = Annotator(page)
    gold = gold_trees()
    for number, tree in enumerate(gold, start=1):
        assert page.url.endswith(f"#annotate?sentence=demo.{number}")
        annotator.annotate(tree)
    page.wait_for_selector("#annotate .saved:has-text('the last sentence of the list')")
    assert page.text_content("#sentence-list .status").startswith("20 of 20 sentences accepted")
    assert {name: str(tree) for name, tree in accepted(project).items()} == {
        tree.id: str(tree) for tree in gold
    }
    print(f"{annotator.pressed / len(gold)} keys a sentence")


def test_a_reattachment_and_a_label_take_four_keys(page):
    """The focus is on the doubt: a letter chooses the mother, and a digit the label."""
    settle(page)
    annotator = Annotator(page)
    before = tree_in_sight(page)
    annotator.press("a")
    page.wait_for_selector(f"{PICTURE} .letters")
    annotator.press("a")
    settle(page)
    assert str(tree_in_sight(page)) != str(before)
    moved = focused(page)
    annotator.press("r")
    page.wait_for_selector("#menu [role=option]:nth-child(2)")
    label = page.text_content("#menu [role=option]:nth-child(2) span")
    annotator.press("2")
    settle(page)
    assert focused(page).partition(": ")[::2] == (label, f"{moved.partition(': ')[2]}")
    assert annotator.pressed == 4


def test_keys_that_are_typed_ahead_wait_for_their_turn(page, project):
    held = Held(page, "**/project/act")
    page.keyboard.press("c")
    page.keyboard.type("first")
    page.keyboard.press("Enter")
    for key in ("c", *"note", "Enter", "n", "r", *"QP", "Enter"):
        page.keyboard.press(key)
    assert view(page)["note"] == ""
    held.give()
    page.wait_for_selector(f"{PICTURE} [data-node] text:text-is('QP')")
    settle(page)
    assert page.url.endswith("demo.2")
    (first, *_) = read_sentences(project, "anna")
    assert first.note == "note"


def drag(page, part, mother):
    for selector, act in ((part, page.mouse.down), (mother, page.mouse.up)):
        box = page.locator(selector).first.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        act()


def test_a_sentence_is_annotated_by_mouse(page, project):
    page.click("#sentence-list tr:has-text('demo.5')")
    settle(page)
    assert page.url.endswith("sentence=demo.5")
    tree = tree_in_sight(page)
    part = next(each for each in tree.nodes() if len(list(each.leaves())) == 1)
    drag(page, number(tree.nodes().index(part)), number(1))
    settle(page)
    after = tree_in_sight(page)
    assert str(after) == str(attach(tree, [part], tree.nodes()[1]).tree)
    page.dblclick(number(1))
    page.click("#menu [role=option] span:text-is('SBARQ')")
    settle(page)
    assert render_label(tree_in_sight(page).nodes()[1]) == "SBARQ"
    page.click("#annotate button:has-text('undo')")
    settle(page)
    assert str(tree_in_sight(page)) == str(after)
    page.click("#annotate button:has-text('accept')")
    settle(page)
    assert page.url.endswith("sentence=demo.6")
    assert str(accepted(project)["demo.5"]) == str(after)


def test_a_sentence_is_annotated_by_touch(open_page, project):
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    settle(page)
    tree = tree_in_sight(page)
    part, mother = tree.nodes()[-1], tree.nodes()[1]
    bar = "#annotate .acts button"
    for button in page.locator(bar).all():
        assert button.bounding_box()["height"] >= 44
    page.tap(number(len(tree.nodes()) - 1))
    page.tap(f"{bar}:has-text('attach')")
    page.tap(number(1))
    settle(page)
    after = tree_in_sight(page)
    assert str(after) == str(attach(tree, [part], mother).tree)
    page.tap(f"{bar}:has-text('accept')")
    settle(page)
    assert page.url.endswith("sentence=demo.2")
    assert str(accepted(project)["demo.1"]) == str(after)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_nothing_is_lost_when_the_server_ends(browser, project):
    with serving(project) as (process, address):
        page = browser.new_page()
        page.goto(address)
        settle(page)
        Annotator(page).choose("w", "SAVED")
        process.kill()
        process.wait()
        page.keyboard.press("r")  # without a menu, as the server does not answer
        page.wait_for_selector("#menu[open]")
        Annotator(page).press(*"WAITS", "Enter")
        page.wait_for_selector("#annotate-error:has-text('does not answer')")
        page.wait_for_selector("#annotate .saved:has-text('not saved')")
        assert page.is_visible("#annotate button:text-is('Try again')")
        assert page.locator(f"{PICTURE} [data-node] text:text-is('SAVED')").count() == 1
    with serving(project, port=int(address.rsplit(":", 1)[1].strip("/"))):
        page.wait_for_selector(f"{PICTURE} [data-node] text:text-is('WAITS')")
        settle(page)
        page.wait_for_selector("#annotate .saved:text-is('saved')")
        assert page.is_hidden("#annotate-error")
        labels = list(map(render_label, tree_in_sight(page).nodes()))
        assert labels.count("WAITS") == 1
        assert "SAVED" not in labels
        page.close()


def test_a_second_window_does_not_overwrite_the_first(page):
    other = page.context.new_page()
    other.goto(page.url)
    settle(other)
    Annotator(page).choose("w", "FIRST")
    before = str(tree_in_sight(page))
    Annotator(other).choose("w", "SECOND")
    other.wait_for_selector("#annotate-error:has-text('without your last step')")
    assert other.locator(f"{PICTURE} [data-node] text:text-is('FIRST')").count() == 1
    assert str(tree_in_sight(other)) == before
    Annotator(other).choose("w", "SECOND")
    assert other.locator(f"{PICTURE} [data-node] text:text-is('SECOND')").count() == 1


def test_the_sentence_is_in_sight_in_the_list(open_page):
    for size in ({"width": 1280, "height": 500}, {"width": 390, "height": 844}):
        page = open_page(viewport=size)
        settle(page)
        for number in range(2, 16):
            page.keyboard.press("n")
            page.wait_for_url(f"**sentence=demo.{number}")
        settle(page)
        row = page.locator("#sentence-list tr.lit").bounding_box()
        box = page.locator("#sentence-list .scroll").bounding_box()
        assert box["y"] <= row["y"]
        assert row["y"] + row["height"] <= box["y"] + box["height"] + 1
        assert page.evaluate("scrollY") == 0


def test_the_address_leads_back_to_the_sentence(page):
    page.keyboard.press("n")
    page.wait_for_url("**sentence=demo.2")
    page.keyboard.press("n")
    page.wait_for_url("**sentence=demo.3")
    page.go_back()
    page.wait_for_url("**sentence=demo.2")
    settle(page)
    words = page.locator(f"{PICTURE} [data-token] text:nth-of-type(2)").all_text_contents()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    settle(page)
    assert page.url.endswith("sentence=demo.2")
    assert page.locator(f"{PICTURE} [data-token] text:nth-of-type(2)").all_text_contents() == words
    assert page.evaluate("document.activeElement.matches('#annotate-picture [data-node]')")


def listed(page):
    return page.locator("#sentence-list tbody b").all_text_contents()


def test_the_list_is_searched_filtered_and_ordered(page):
    gold = gold_trees()
    page.keyboard.press("l")  # later
    page.wait_for_url("**sentence=demo.2")
    page.keyboard.press("Enter")
    page.wait_for_url("**sentence=demo.3")
    settle(page)
    page.select_option("#annotate-form [name=filter]", "todo")
    assert listed(page) == [tree.id for tree in gold[2:]]
    page.select_option("#annotate-form [name=filter]", "later")
    assert listed(page) == ["demo.1"]
    page.select_option("#annotate-form [name=filter]", "all")
    page.select_option("#annotate-form [name=order]", "mine")
    assert listed(page)[:2] == ["demo.2", "demo.1"]
    page.select_option("#annotate-form [name=order]", "text")
    page.focus(f"{PICTURE} [tabindex='0']")
    page.keyboard.press("/")
    word = max((token.form for token in gold[6].tokens), key=len)
    page.keyboard.type(word)
    assert "demo.7" in listed(page)
    assert listed(page) == [
        tree.id for tree in gold if word in " ".join(token.form for token in tree.tokens)
    ]
    first, *_ = listed(page)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**sentence={first}*")


def test_everything_that_a_part_has_can_be_written(page):
    """Null elements, indices, secondary edges, lemmas, morphology, notes, words, sentences."""
    annotator = Annotator(page)
    tree = tree_in_sight(page)
    annotator.go(tree, 0)

    def write(key, text):
        annotator.press(key)
        page.wait_for_selector("#menu[open]")
        annotator.press("Control+a")
        page.keyboard.type(text)
        annotator.press("Enter")
        settle(page)

    write("L", "the lemma")
    write("O", "Nom.Sg")
    write("W", "Word")
    (token, *_) = view(page)["tree"]["tokens"]
    assert (token["lemma"], token["morph"], token["form"]) == ("the lemma", "Nom.Sg", "Word")
    write("s", "Wo rd")
    assert view(page)["tree"]["tokens"][1]["form"] == "rd"
    annotator.press("m")
    settle(page)
    assert len(view(page)["tree"]["tokens"]) == len(tree.tokens)
    write("0", "*T*")
    page.wait_for_selector("#menu:has-text('Node above')")
    annotator.press(*"NP", "Enter")
    settle(page)
    seen = view(page)["tree"]
    assert seen["tokens"][0]["form"] == "*T*"
    assert seen["labels"].count("NP") > 0
    annotator.press("i", "a")
    settle(page)
    assert view(page)["tree"]["tokens"][0]["form"] == "*T*-1"
    annotator.press("e", "a")
    annotator.press(*"REF", "Enter")
    settle(page)
    assert [edge["label"] for edge in view(page)["tree"]["secondary_edges"]] == ["REF"]
    page.click("#annotate dd button:text-is('Delete')")
    settle(page)
    assert view(page)["tree"]["secondary_edges"] == []
    write("c", "see section 4")
    assert page.is_visible("#annotate .tools:has-text('see section 4')")
    seen = tree_in_sight(page)
    annotator.go(seen, seen.nodes()[1])
    write("C", "perhaps a VP")
    assert page.is_visible("#annotate dd button:text-is('perhaps a VP')")
    annotator.go(seen, 3)
    annotator.press("S")
    settle(page)
    assert listed(page)[1] == "demo.1+1"
    annotator.press("M")
    settle(page)
    assert listed(page)[1] == "demo.2"
    for _ in range(20):
        annotator.press("z")
    settle(page)
    assert page.is_disabled("#annotate .acts button:has-text('undo')")
    assert str(tree_in_sight(page)) == str(tree)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_the_tab_breaks_no_rule_of_accessibility(open_page, width, scheme):
    page = open_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    settle(page)
    page.keyboard.press("w")
    page.wait_for_selector("#menu[open]")
    page.keyboard.type("XYZ")
    assert violations(page) == []
    page.keyboard.press("Enter")
    settle(page)
    for key in ("!", "a"):
        page.keyboard.press(key)
        settle(page)
    page.wait_for_selector(".letters")
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert violations(page) == []


def test_a_sentence_without_tags_is_tagged_word_by_word(browser, tmp_path):
    """And Enter does not accept it before."""
    folder = tmp_path / "plain"
    create(
        folder,
        [("plain", flat(Tree.from_string("(S (X a) (X b) (X c))")))],
        "anna",
        "",
        trees=False,
    )
    with serving(folder, "--model", "none") as (_, address):
        page = browser.new_page()
        page.goto(address)
        settle(page)
        assert focused(page).startswith("UNKNOWN: a")
        page.keyboard.press("Enter")
        page.wait_for_selector("#annotate-error:has-text('Some words have no tag')")
        for key in ("t", "D", "T", "Enter", "N", "N", "Enter", "V", "Enter"):
            page.keyboard.press(key)  # the menu comes again
        page.wait_for_selector(f"{PICTURE} text:text-is('V')")
        settle(page)
        assert [token.tag for token in tree_in_sight(page).tokens] == ["DT", "NN", "V"]
        assert page.locator("#menu[open]").count() == 0
        page.keyboard.press("Enter")
        page.wait_for_selector("#annotate .hint:has-text('accepted')")
        page.close()


def test_a_tree_that_a_query_finds_is_edited_where_it_is_annotated(page):
    page.keyboard.press("Enter")
    page.wait_for_url("**sentence=demo.2")
    page.keyboard.press("Enter")
    page.wait_for_url("**sentence=demo.3")
    page.click("#treebank-tab")
    page.wait_for_selector("#treebank-picture svg")
    page.fill("#query", "NP")
    page.press("#query", "Enter")
    page.wait_for_selector("#hits-list tbody tr")
    page.click("#treebank-result button:text-is('Next')")
    page.wait_for_selector("#treebank-status:has-text('demo.2')")
    page.click("#treebank .files a:text-is('Edit')")
    page.wait_for_url("**#annotate?sentence=demo.2")
    page.wait_for_selector("#annotate .tools b:text-is('demo.2')")
    Annotator(page).choose("w", "NEW")
    page.click("#treebank-tab")
    page.fill("#query", "NEW")
    page.press("#query", "Enter")
    page.wait_for_selector("#hits-list tr:has-text('demo.2')")


def test_the_parser_is_trained_from_the_page(page):
    page.click("#annotate .training button")
    page.wait_for_selector("#annotate .training :text('the first parser needs 50')")
    assert page.is_enabled("#annotate .training button")


def test_what_is_impossible_is_said_and_moves_nothing(page):
    panel = page.locator(".work-panel").bounding_box()
    tree = tree_in_sight(page)
    Annotator(page).go(tree, tree.root)
    page.keyboard.press("d")
    page.wait_for_selector("#annotate-error:has-text('The root cannot be deleted')")
    assert page.locator(".work-panel").bounding_box() == panel
    assert page.locator("#annotate button:text-is('Try again')").count() == 0


def test_a_word_of_a_constituent_is_chosen_by_a_letter(page):
    annotator = Annotator(page)
    tree = tree_in_sight(page)
    annotator.go(tree, tree.nodes()[1])
    annotator.press("t")
    page.wait_for_selector(f"{PICTURE} .letters")
    annotator.press("Enter")  # on the constituent
    page.wait_for_selector("#annotate-error:has-text('Go to a word first')")
    assert page.url.endswith("sentence=demo.1")
    annotator.press("t", "a")
    page.wait_for_selector("#menu[open]:has-text('Tag of')")
