"""Special tokens of running text in the spelling of several treebanks."""

from hypothesis import given
from nasty import texts

from plcfrs.text.spelling import Spelling


def test_signs():
    for lexicon, spelled in [
        (["``", "''", "-LRB-"], "`` '' -LRB- 1/2 *"),
        (["``", "''", "-LRB-", "1\\/4", "\\*"], "`` '' -LRB- 1\\/2 \\*"),
        (['"', "(", "1/2"], '" " ( 1/2 *'),
        (["„", "“", "(", "*"], "„ “ ( 1/2 *"),
        ([], "`` '' -LRB- 1/2 *"),
    ]:
        assert [*map(Spelling(lexicon), ["``", "''", "-LRB-", "1/2", "*"])] == spelled.split()


def test_brackets_of_emoticons_are_spelled_like_others():
    assert Spelling(["("])(":--LRB-") == ":-("
    assert Spelling(["-LRB-"])(":--LRB-") == ":--LRB-"


@given(texts())
def test_words_of_the_lexicon_stay(word):
    if not {"/", "*"} & set(word):
        assert Spelling([word])(word) == word


def test_what_the_lexicon_has_stays_as_it_is_written():
    spelling = Spelling(["\u201c", '"', "-LRB-"])
    assert spelling("``", "\u201c") == "\u201c"
    assert spelling("``", "\u201e") == '"'
    assert spelling("-LRB-", "(") == "-LRB-"


def test_sentences_of_other_tokenizers():
    for lexicon, words, spelled in [
        ([], '" Why ( not ) ? "', "`` Why -LRB- not -RRB- ? ''"),
        ([], "“ A ” and “ b ” .", "`` A '' and `` b '' ."),
        ([], "„ Ja “ , sagt „ sie “ .", "`` Ja '' , sagt `` sie '' ."),
        ([], 'It was . "', "It was . ''"),
        ([], '"', "``"),
        ([], "it \u2019s \u2013 so \u2026 -LRB- it 's", "it 's -- so ... -LRB- it 's"),
        (['"', "(", "…"], '" ( … ) "', '" ( … -RRB- "'),
        (["„", "“"], '" Ja "', "„ Ja “"),
        (["3\\/4"], "1/2", "1\\/2"),
    ]:
        assert Spelling(lexicon).sentence(words.split()) == spelled.split()
