"""Where sentences of running text end: kinds of text that were cut wrongly once."""

from io import StringIO

import pytest

from plcfrs.text import Splitter
from plcfrs.text.boundaries import ends_in_english, find_spans
from plcfrs.text.sentences import split_sentences

ENGLISH = [
    "See https://mill.example/a?b=c.d#top for it. | Write to a.b@mill.example. | Go.",
    "See C:\\mill\\a.txt and ~/.x, ./a.sh or /usr/share/x.y. | Then go.",
    "The file mill.cakes.py is here. | Version 2.0.1 is out.",
    "Ask Dr. A. B. Ode, M.D., at St. Ann's. | She knows.",
    "Mr. and Mrs. Ode vs. the U.N. won. | See e.g. Smith et al. (2004) for it.",
    "It costs 5 incl. tax, approx. 7 resp. nine, as in Figs. 3 and 4. | It is No. 5. | No. | I do.",
    "He came at 5 p.m. Monday, left at 6 a.m. Sept. 3 and met at 7 p.m. EST today.",
    "It is 5 p.m. now. | He lives in the U.S. | She does not. | They met U.S. officials.",
    "We have milk, bread, etc. | Then we ate. | Is it etc. or not?",
    "In the '90s he sang 'bout rain. | A 6\" pipe and a 5' plank. | They fit.",
    "It is -30 \u00b0C. | Tel. +49 30 1234. | Use 2 lbs. of flour.",
    "\u201cGo home. | Now! | Or else?\u201d she said. | He went.",
    '"It was good. | We ate it." | Then she slept.',
    "He said \u201cyes.\u201d and left. | (It was late.) | We slept.",
    "He read the book.[1] | She left [2]. | We went. [3] [...] | Ada slept.\u00b9 | Bob ate.",
    "Ada packed: 1. a rope, 2. a lamp and 3. a pie. | Steps: 1) mix, 2) bake and 3) eat.",
    "1. Mix the flour. | 2. Bake the cake.",
    "Joshua Norton (c. 1818 \u2013 January 8, 1880) was here (see p. 5). | He left.",
    "It rained... | Then it stopped. | But wait... there is more.",
    "What?! | No way!! | Yahoo! said so.",
]
GERMAN = [
    "Am 3. Mai kam Dr. Ode, d.h. Ada. | Er schlief.",
    "\u201eWer war da?\u201c, fragte sie. | Es war z.B. 1990. | Danach ging sie!",
    "Das kostet 5 Mio. Euro. | Ja. | \u201eNein.\u201c",
]


@pytest.mark.parametrize("text", ENGLISH)
def test_english(text):
    found = [sentence.text for sentence in Splitter().split(text.replace("| ", ""))]
    assert found == text.split(" | ")


@pytest.mark.parametrize("text", GERMAN)
def test_rules_for_other_languages(text):
    splitter = Splitter(tags=["VVFIN"])
    assert [each.text for each in splitter.split(text.replace("| ", ""))] == text.split(" | ")


def test_marks_without_blanks():
    text = "\u96e8\u3067\u3059\u3002\u5bd2\u3044\u3067\u3059\u304b\uff1f\u306f\u3044\u3002"
    assert len(list(Splitter(tags=[]).split(text))) == 3


def test_spans_have_no_blanks_around_them():
    assert list(find_spans(" It rains.  We\nwait. ", ends_in_english)) == [(1, 10), (12, 20)]


LINES = {
    "headlines": "Storm closes harbour\nMayor quits over bridge\nCooks win again\n",
    "tweets": (
        "lol what a day @ada #rain\nim so tired rn\nOmg the mill is closed?!\n"
        "so happy 4 u guys :)\nRT @bob: new pies at 5pm http://t.co/x\n"
    ),
    "mail headers": "From: Ada <ada@mill.example>\nTo: Bob\nSubject: pies\nDate: 3 May 2021\n",
    "an address": "Ada Ode\nMill Lane 3\nAton OX1 2AB\n",
    "code": "def bake(x):\n    y = x + 1\n    return y\n",
    "a list": "We need\n- flour\n* salt\n1) a pie\n",
    "paragraphs": f"{'The cook has gone to bed ' * 8}\nthen she slept\nWe ate a pie\n",
}


@pytest.mark.parametrize("text", LINES.values(), ids=LINES)
def test_a_line_that_is_not_filled_is_a_sentence(text):
    found = [sentence.text for sentence in split_sentences(StringIO(text))]
    assert found == [line.strip() for line in text.splitlines()]


FILLED = """\
The mill by the river has stood there for as long as anyone in the
village can remember. It was built by a man named Ode, who had come
from the north with his family and Three Sheep. Nobody knows why he
chose this place.
  The second paragraph begins here, with an indent, and goes on for a
while

Yours,
Ada Ode
Mill Inc.
"""


def test_filled_lines_go_on_except_at_a_paragraph():
    found = [" ".join(each.text.split()) for each in split_sentences(StringIO(FILLED))]
    assert [text.split()[0] for text in found] == [
        "The",
        "It",
        "Nobody",
        "The",
        "Yours,",
        "Ada",
        "Mill",
    ]
    assert found[2] == "Nobody knows why he chose this place."
