"""The tab of surprisal, as tests use it."""

SENTENCE = "What should we do ?"


def read(page, text=SENTENCE):
    """Type a sentence in the tab and wait for the bars."""
    page.click("#surprisal-tab")
    page.fill("#surprisal-text", text)
    page.press("#surprisal-text", "Enter")
    page.wait_for_selector(f".bars button:last-child:has-text('{text.split()[-1].split('/')[0]}')")
    settle(page)


def settle(page):
    page.wait_for_selector("#surprisal:not([aria-busy])")


def options(page):
    page.click("#surprisal-form summary")
