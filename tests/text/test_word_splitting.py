"""Words of running text: what is cut where, and that nothing is lost."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from plcfrs.text import Splitter, split_words
from plcfrs.text.sentences import BLANK
from plcfrs.text.spelling import in_running_text
from plcfrs.text.splitting import cut

PENN = [
    ("I don't, can't and cannot.", "I do n't , ca n't and can not ."),
    ("They\u2019re gonna say I'm late", "They 're gon na say I 'm late"),
    ("DON'T! Who'd've known?", "DO N'T ! Who 'd 've known ?"),
    ("the cook's pan, the cooks' pans", "the cook 's pan , the cooks ' pans"),
    ("'Tis O'Hara's o'clock in the '90s", "'T is O'Hara 's o'clock in the '90s"),
    ("(a) [b] {c}", "-LRB- a -RRB- -LSB- b -RSB- -LCB- c -RCB-"),
    ('She said "yes" ("no").', "She said `` yes '' -LRB- `` no '' -RRB- ."),
    ("\u201cYes\u201d \u2018no\u2019 \u00aboui\u00bb 'si'", "`` Yes '' ` no ' `` oui '' ` si '"),
    ("\" yes \" and ``no''", "`` yes '' and `` no ''"),
    ("rain--or fog\u2014or\u2013snow", "rain -- or fog -- or -- snow"),
    ("3.5% of $5, \u20ac1,000 or US$2", "3.5 % of $ 5 , \u20ac 1,000 or US$ 2"),
    ("The U.S. ferry, e.g. Mr. Holm's.", "The U.S. ferry , e.g. Mr. Holm 's ."),
    ("(We left at 5 p.m.)", "-LRB- We left at 5 p.m . -RRB-"),
    ("Is it 5 p.m.? In the U.S.!", "Is it 5 p.m. ? In the U.S. !"),
    ("Well... perhaps\u2026 no", "Well ... perhaps ... no"),
    ("on 2024-05-01, 1/2/24 at 10:30", "on 2024-05-01 , 1/2/24 at 10:30"),
    ("see https://a.org/b-c/d?e=f, or", "see https://a.org/b-c/d?e=f , or"),
    ("mail a.b-c@d-e.org.", "mail a.b-c@d-e.org ."),
    ("#fog by @cook for AT&T, 555-0199", "#fog by @cook for AT&T , 555-0199"),
    ("-5 or .5 \u00b0C", "-5 or .5 \u00b0C"),
    ("cafe\u0301 nai\u0308ve", "cafe\u0301 nai\u0308ve"),
    ("fog\u00adhorn\u00ad 1\u00a0000\u202fkm\tnow", "foghorn 1 000 km now"),
    ("We left :-) ;) :D <3, help:)", "We left :--RRB- ;-RRB- :D <3 , help :-RRB-"),
    ("What?! No!!! << So >> ---", "What ?! No !!! << So >> ---"),
    (
        "\u201cYes.\u201d he said (approx.) (U.S.) too",
        "`` Yes . '' he said -LRB- approx . -RRB- -LRB- U.S. -RRB- too",
    ),
    (
        "It was 30\u00b0C at 5pm, 2 lbs. of it; +49 30",
        "It was 30 \u00b0C at 5 pm , 2 lbs. of it ; +49 30",
    ),
    ("I dont and cant, im sure thats it", "I do nt and ca nt , i m sure that s it"),
    (
        "a/b, /usr/bin/x, ~/.x C:\\a\\b.c. a-1.doc w/o b/c",
        "a/b , /usr/bin/x , ~/.x C:\\a\\b.c . a-1.doc w/o b/c",
    ),
    ("book.[1] and slept.\u00b9 1. a rope", "book . -LSB- 1 -RSB- and slept . \u00b9 1 . a rope"),
    ("\ufefffog\u200bhorn \u200e \u00ad", "fog horn"),
    ("", ""),
    (" \t\n\u00a0\u200b", ""),
]
HYPHENS = [
    ("a well-known, anti-war e-mail", "a well - known , anti-war e-mail"),
    ("anti-fog-horn and/or 1/2", "anti-fog - horn and / or 1 / 2"),
    ("a two-fold 10-12 mix", "a two-fold 10 - 12 mix"),
    ("pre- and post-dawn \u2011 x\u2011y", "pre - and post-dawn - x - y"),
    (
        "a self-made <--- x3-9890 on 9/11, 94720-1900",
        "a self - made <--- x3-9890 on 9/11 , 94720-1900",
    ),
    ("2024-05-01 555-0199", "2024-05-01 555-0199"),
    ("https://a.org/b-c", "https://a.org/b-c"),
]
OTHERS = [
    ("Der K\u00e4pt'n f\u00e4hrt z.B. U-Bahn.", "Der K\u00e4pt'n f\u00e4hrt z.B. U-Bahn ."),
    ("und/oder 3.500,50 Euro", "und/oder 3.500,50 Euro"),
    ("\u0939\u093f\u0928\u094d l'eau geht's", "\u0939\u093f\u0928\u094d l'eau geht 's"),
]


def test_the_penn_treebank():
    for text, words in PENN:
        assert " ".join(split_words(text)) == words


def test_newer_guidelines_cut_at_hyphens():
    for text, words in HYPHENS:
        assert " ".join(word.form for word in cut(text, "penn-hyphens")) == words


def test_older_guidelines_do_not():
    for text in ["a well-known and/or 1/2", "two- and three-year 1914-18"]:
        assert " ".join(split_words(text)) == text


def test_words_of_other_languages():
    for text, words in OTHERS:
        assert " ".join(word.form for word in cut(text, "words")) == words


def test_a_picture_is_a_word():
    for sign in [
        "\U0001f600",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f44b\U0001f3fd",
        "\U0001f1ee\U0001f1f8",
        "\u2764\ufe0f",
        "1\ufe0f\u20e3",
    ]:
        assert split_words(f"Go {sign}{sign[:0]} now") == ["Go", sign, "now"]
        assert split_words(f"{sign} {sign}.") == [sign, sign, "."]


def test_tags_tell_the_guidelines():
    for tags, guidelines in [
        (["NN", "VBZ", "HYPH"], "penn-hyphens"),
        (["WP", "PRP", "MD"], "penn"),
        (["NN", "VVFIN", "ART"], "words"),
        ([], "words"),
    ]:
        assert Splitter([], tags).guidelines == guidelines


SIGNS = (
    "aB1\u00e9 .,!?\n\t\"'()[]-\u2014/\u2019\u201c\u201d\u2026$%&#@*<>\u222f\u00ad"
    "\u200b\u200d\u0301\U0001f600\U0001f3fd\U0001f1e9\u2028\x1c"
)
TEXTS = st.lists(st.sampled_from([*SIGNS, "n't", "'s", "can", "not", "www.", "Mr. "])).map("".join)
NOTHING = re.compile(f"[{BLANK}]*")
# What stands in the text for a form of the Penn Treebank.
SPELLED = {
    "-LRB-": ["("],
    "-RRB-": [")"],
    "-LSB-": ["["],
    "-RSB-": ["]"],
    "-LCB-": ["{"],
    "-RCB-": ["}"],
    "``": [*'"\u201c\u201e\u00ab', "``"],
    "''": [*'"\u201d\u00bb', "''"],
    "`": [*"'\u2018\u201a`"],
    "--": ["--", "\u2013", "\u2014"],
    "...": ["...", "\u2026"],
}


@given(TEXTS | st.text(), st.sampled_from(["penn", "penn-hyphens", "words"]))
@example("\u00ad", "penn")
@example("http://a\x1c-b", "penn")
def test_all_characters_are_covered(text, guidelines):
    end = 0
    for word in cut(text, guidelines):
        assert NOTHING.fullmatch(text[end : word.start])
        assert word.start < word.end
        plain = re.sub("[\u00ad\u2060]", "", text[word.start : word.end])
        plain = re.sub("[\u2019\u02bc\uff07]", "'", re.sub("[\u2010\u2011]", "-", plain))
        assert plain
        assert plain in SPELLED.get(word.form, [in_running_text(word.form)])
        end = word.end
    assert NOTHING.fullmatch(text[end:])


def test_words_are_found_in_linear_time():
    """In quadratic time, they would take minutes."""
    for sign in [
        "a",
        "a-",
        "a.",
        "'",
        "a@",
        "www.a/",
        "(",
        "\u00ad",
        "1,",
        ".)",
        "#a",
        "/a",
        "o_",
        ":)",
    ]:
        assert list(cut(sign * 5_000, "penn-hyphens")) or sign == "\u00ad"
