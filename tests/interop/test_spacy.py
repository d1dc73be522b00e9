"""The component for spaCy: the Doc's tokens and sentences, several processes, stored pipelines."""

import pickle
from shutil import move

import pytest

from plcfrs import load_model
from plcfrs.errors import InputError

pytestmark = pytest.mark.full  # spaCy and PyTorch take seconds to import

QUESTION = "What should we do ?"


@pytest.fixture(scope="module")
def file(trained):
    return trained("grammar", 140)


def pipeline(file, *, sentencizer=True, **config):
    spacy = pytest.importorskip("spacy", reason="needs spaCy: pip install 'plcfrs[spacy]'")
    nlp = spacy.blank("en")
    if sentencizer:
        nlp.add_pipe("sentencizer")
    nlp.add_pipe("plcfrs", config={"model": str(file), **config})
    return nlp


@pytest.fixture(scope="module")
def nlp(file):
    return pipeline(file)


def doc_of(nlp, words=None, **annotations):
    from spacy.tokens import Doc

    return Doc(nlp.vocab, words=words, **annotations)


def parses_of(doc):
    return [(str(parse), parse.status, parse.score) for parse in map(of, doc.sents)]


def of(sentence):
    return sentence._.plcfrs


def test_a_sentence_has_the_parse_of_the_model(nlp, file):
    (sentence,) = nlp("What should we do?").sents
    parse = load_model(file).parse(QUESTION)
    assert of(sentence).tree == parse.tree
    assert of(sentence).probability == parse.probability > 0
    assert (of(sentence).status, of(sentence).optimality_gap) == ("parsed", 0)
    assert sentence[1:2]._.plcfrs.tree == parse.tree


def test_each_sentence_has_its_own(nlp, file):
    doc = nlp("What should we do? The cook sleeps.")
    model = load_model(file)
    words = [QUESTION, "The cook sleeps ."]
    assert [of(sentence).tree for sentence in doc.sents] == [model(text).tree for text in words]
    assert [each.label for each in doc[:]._.constituents].count("ROOT") == 2
    assert doc[-2]._.constituent.label == "VP"


def test_constituents(nlp):
    from plcfrs.interop.spacy import Constituent

    doc = nlp("What should we do?")
    (sentence,) = doc.sents
    found = sentence._.constituents
    (phrase,) = [each for each in found if each.is_discontinuous]
    assert phrase.label == "VP"
    assert [(part.start, part.end, part.label_) for part in phrase.spans] == [
        (0, 1, "VP"),
        (3, 4, "VP"),
    ]
    assert [child.label if isinstance(child, Constituent) else child for child in phrase.children]
    assert all(each in each.parent.children for each in found[1:])
    assert (found[0].label, found[0].parent, found[0].number) == ("ROOT", None, 0)
    assert doc[3]._.constituent == phrase
    assert doc[3]._.constituent.parent.label == "SQ"
    assert [each.label for each in doc[2:3]._.constituents] == ["NP"]


def test_every_token_is_in_its_smallest_constituent(nlp):
    doc = nlp("What should we do? The cook sleeps.")
    for token in doc:
        sizes = [
            sum(map(len, each.spans))
            for each in token.sent._.constituents
            if any(part.start <= token.i < part.end for part in each.spans)
        ]
        assert sum(map(len, token._.constituent.spans)) == min(sizes)


def test_white_space_is_no_word(nlp):
    doc = nlp("What  should we \n do?")
    assert [token.i for token in doc if token.is_space] == [1, 4]
    (sentence,) = doc.sents
    assert of(sentence).tree.words() == QUESTION.split()
    (phrase,) = [each for each in sentence._.constituents if each.is_discontinuous]
    assert [part.text for part in phrase.spans] == ["What", "do"]
    assert doc[1]._.constituent is None
    (square,) = [each for each in sentence._.constituents if each.label == "SQ"]
    assert [(part.start, part.end) for part in square.spans] == [(0, 6)]  # white space is no gap


def test_docs_made_by_hand(nlp):
    doc = nlp(doc_of(nlp, words=["(", "The cook", "3=x", "\\", ")", '"']))
    (sentence,) = doc.sents
    assert of(sentence).tree.words() == ["-LRB-", "The cook", "3=x", "\\", "-RRB-", "''"]
    assert of(sentence).status in ("parsed", "no parse")


def test_one_word(nlp):
    (sentence,) = nlp(doc_of(nlp, words=["cook"])).sents
    assert of(sentence).tree.words() == ["cook"]
    assert sentence._.constituents[0].children


def test_no_words(nlp):
    assert list(nlp(doc_of(nlp)).sents) == []
    (sentence,) = nlp(doc_of(nlp, words=["\n"])).sents
    assert (of(sentence).status, of(sentence).tree.words()) == ("empty", [])
    assert sentence._.constituents == []


def test_no_sentence_boundaries(file):
    nlp = pipeline(file, sentencizer=False)
    with pytest.raises(InputError, match=r"no sentence boundaries.*sentencizer"):
        nlp("What should we do?")
    assert list(nlp("").sents) == []


def test_a_doc_that_was_not_parsed(nlp):
    (sentence,) = doc_of(nlp, words=["a"]).sents
    with pytest.raises(InputError, match='not parsed: add the component "plcfrs"'):
        of(sentence)


def test_tags_of_the_doc(file):
    nlp = pipeline(file, sentencizer=False, tags="doc")
    tags = ["WP", "MD", "PRP", "VB", "."]
    starts = [True, False, False, False, False]
    doc = nlp(doc_of(nlp, words=QUESTION.split(), tags=tags, sent_starts=starts))
    (sentence,) = doc.sents
    assert [token.tag for token in of(sentence).tree.tokens] == tags
    odd = nlp(doc_of(nlp, words=["What"], tags=["QQ"]))
    assert [(of(each).status, of(each).reason) for each in odd.sents] == [("unknown tag", "QQ")]
    assert [each.label for each in odd[:]._.constituents] == ["ROOT", "NOPARSE"]
    with pytest.raises(InputError, match="'What' has no tag"):
        nlp(doc_of(nlp, words=["What"]))


def test_the_budget_of_a_sentence(file):
    (sentence,) = pipeline(file, budget={"max_items": 1})("What should we do?").sents
    assert of(sentence).status == "out of items"
    assert of(sentence).tree.root.nodes[0].category == "NOPARSE"
    with pytest.raises(InputError, match="there is no setting max-itmes"):
        pipeline(file, budget={"max_itmes": 1})


def test_errors_of_the_model(file):
    with pytest.raises(InputError, match=r"missing\.gap: No such file"):
        pipeline("missing.gap")("a")
    with pytest.raises(InputError, match="there is no setting beam"):
        pipeline(file, options={"beam": 4})("a")


def test_sentences_of_a_batch_are_parsed_together(nlp, monkeypatch):
    parser, calls = nlp.get_pipe("plcfrs").parser, []
    together = type(parser).parse_together

    def counted(self, sentences, *wanted):
        calls.append(len(sentences))
        return together(self, sentences, *wanted)

    monkeypatch.setattr(type(parser), "parse_together", counted)
    monkeypatch.setattr(parser, "batch_tokens", 1000, raising=False)
    docs = list(nlp.pipe(["The cook sleeps. She left.", "", QUESTION], batch_size=3))
    assert calls == [3]
    assert [len(list(doc.sents)) for doc in docs] == [2, 0, 1]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_several_processes(nlp):
    texts = ["What should we do?", "The cook sleeps. She left.", ""] * 2
    expected = [parses_of(doc) for doc in nlp.pipe(texts)]
    found = nlp.pipe(texts, n_process=2, batch_size=2)
    assert [parses_of(doc) for doc in found] == expected


def test_a_pipeline_can_be_sent_to_processes_that_are_not_forked(nlp):
    again = pickle.loads(pickle.dumps(nlp))
    assert parses_of(again(QUESTION)) == parses_of(nlp(QUESTION))


def test_docs_are_stored_with_their_parses(nlp):
    from spacy.tokens import DocBin

    doc = nlp("What should we do? The cook sleeps.")
    expected = parses_of(doc)
    assert parses_of(doc_of(nlp).from_bytes(doc.to_bytes())) == expected
    stored = DocBin(docs=[doc], store_user_data=True).to_bytes()
    (again,) = DocBin().from_bytes(stored).get_docs(nlp.vocab)
    assert parses_of(again) == expected
    last = list(doc.sents)[1].as_doc(copy_user_data=True)
    assert parses_of(last) == expected[1:]


def test_a_stored_pipeline_stands_alone(spacy, tmp_path, file):
    model = tmp_path / "gone.plcfrs"
    model.write_bytes(file.read_bytes())
    nlp = pipeline(model, budget={"max_seconds": 5})
    expected = parses_of(nlp(QUESTION))
    nlp.to_disk(tmp_path / "old")
    model.unlink()
    move(tmp_path / "old", tmp_path / "new")
    again = spacy.load(tmp_path / "new")
    assert parses_of(again(QUESTION)) == expected
    assert again.get_pipe_config("plcfrs")["budget"] == {"max_seconds": 5}
    other = pipeline(model).from_bytes(nlp.to_bytes())
    assert parses_of(other(QUESTION)) == expected


def merged(doc, *places):
    """Merge tokens, as merge_noun_chunks and merge_entities do after a parse."""
    with doc.retokenize() as retokenizer:
        for start, end in places:
            retokenizer.merge(doc[start:end])
    return doc


def spans_of(doc):
    return [
        (each.label, [part.text for part in each.spans])
        for sentence in doc.sents
        for each in sentence._.constituents
    ]


def test_tokens_that_are_merged_or_split_later(nlp):
    text = "We left. The old cook sleeps."
    expected = spans_of(nlp(text))
    assert ("NP", ["The old cook"]) in expected
    doc = merged(nlp(text), (3, 6))
    assert spans_of(doc) == expected
    assert doc[3]._.constituent.label == "NP"
    assert [child.text for child in doc[3]._.constituent.children] == ["The old cook"]
    doc = nlp(text)
    with doc.retokenize() as retokenizer:
        retokenizer.split(doc[5], ["co", "ok"], heads=[(doc[5], 1), doc[4]])
    assert spans_of(doc) == expected
    assert [child.text for child in doc[6]._.constituent.children] == ["The", "old", "co", "ok"]


def test_constituents_inside_a_merged_token_are_left_out(nlp):
    whole = nlp("The cook sleeps.")
    doc = merged(nlp("The cook sleeps."), (0, 4))
    assert spans_of(doc) == [each for each in spans_of(whole) if each[1] == [whole.text]]
    assert {child.text for child in doc[0]._.constituent.children} == {whole.text}


def test_a_token_across_a_border_is_an_error(nlp):
    (sentence,) = merged(nlp("The cook sleeps."), (1, 3)).sents
    assert of(sentence).tree.words() == ["The", "cook", "sleeps", "."]
    with pytest.raises(InputError, match=r"border of a constituent \(NP\).*merge them before it"):
        print(sentence._.constituents)


def test_functions_and_relations(nlp):
    doc = nlp("What should we do? Sleep!")
    sentence, other = doc.sents
    data = sentence._.plcfrs_data
    data["tree"] = (
        "(ROOT (SBARQ (SQ (VP (WHNP (WP 0=What)) (VB 3=do)) (MD 1=should) (NP-SBJ (PRP 2=we)))"
        " (. 4=?)))"
    )
    data["traces"] = (
        "(ROOT (SBARQ (WHNP-1 (WP 0=What)) (SQ (MD 1=should) (NP-SBJ (PRP 2=we)) (VP (VB 3=do)"
        " (NP (-NONE- 4=*T*-1)))) (. 5=?)))"
    )
    sentence._.plcfrs_data, other._.plcfrs_data = data, {**other._.plcfrs_data, "traces": "(X 0=a)"}
    assert doc[2:3]._.functions == ["SBJ"]
    assert doc[1:3]._.functions == sentence._.functions == []
    (predicate,) = sentence._.relations
    (subject,) = predicate["SBJ"]
    (token,) = subject.tokens
    assert doc.char_span(token.start, token.end) == doc[2:3]
    assert [each.text for each in predicate["OBJ"]] == ["What"]
    assert [each.position for each in doc._.relations] == [3]
