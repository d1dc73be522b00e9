"""The tab that parses sentences, as tests use it."""

import re

SENTENCE = "What/WP should/MD we/PRP do/VB ?/."
DISCONTINUOUS = re.compile(r"VP\S*\(X,Y\) ->")
AMBIGUOUS = "What/WP caused/VBD the/DT fire/NN at/IN the/DT mill/NN ?/."


def parse(page, text=SENTENCE):
    """Type a sentence and wait for the result."""
    page.fill("#text", text)
    page.press("#text", "Enter")
    settle(page)


def open_options(page):
    page.click("#parse .options summary")


def settle(page):
    page.wait_for_selector("#parse:not([aria-busy])")


def lit(page, picture="#parse-picture"):
    """Return the positions of the tokens that are lit."""
    return page.eval_on_selector_all(
        f"{picture} [data-token].lit", "all => all.map(one => Number(one.dataset.token))"
    )


def columns(page, place, number):
    """Return the cells of a column of a table."""
    return page.locator(f"{place} tbody td:nth-child({number})").all_text_contents()


def downloaded(page, selector):
    """Click something that downloads a file; return its name and its bytes."""
    with page.expect_download() as waiting:
        page.click(selector)
    return waiting.value.suggested_filename, waiting.value.path().read_bytes()
