"""What the parsers of all families do, whatever they have learned."""

import pickle
from math import inf

import pytest
from demo_trees import demo_trees, raw_demo_trees
from quick import core, full
from random_networks import demo, random_model
from stored import check_damage

from plcfrs.budget import Budget
from plcfrs.completion import Completion
from plcfrs.errors import InputError
from plcfrs.grammar.rules import Want
from plcfrs.parsers.neural.set_model import SetBasedModel
from plcfrs.parsing.parse import BARE_PARSE
from plcfrs.parsing.registry import families, load_model, train
from plcfrs.storage.model_file import kind_of
from plcfrs.transformation import Options, transform_reversibly
from plcfrs.trees import NO_PARSE, Fixed, FixedConstituent, Token, no_parse, restore_traces
from plcfrs.trees.notation import render_discbracket
from plcfrs.trees.tree import crosses, runs

TRAINED = {
    "grammar": {},
    "refined": {"cycles": 1},
    "features": {"epochs": 1, "folds": 2},
    **{system: {"epochs": 2} for system in ("gap", "cgap", "swap", "skipshift")},
    "reduction": {"epochs": 1},
}
RANDOM = {
    "neural": random_model,
    "neural with given tags": lambda: random_model(tags="given"),
    "neural transitions": lambda: random_model("transitions"),
    "neural transitions with given tags": lambda: random_model("transitions", "given"),
    "neural spans": lambda: random_model("spans"),
    "neural spans with given tags": lambda: random_model("spans", "given"),
}


TRANSITIONS = ["gap", *map(full, ("cgap", "swap", "skipshift"))]
FORESTS = ["grammar", *map(full, ("refined", "features", "neural spans with given tags"))]
GIVEN = [f"neural{heads} with given tags" for heads in ("", " transitions", " spans")]
TAGGED = [*TRANSITIONS, "reduction", *map(full, GIVEN)]
TOTAL = [*TRANSITIONS, "reduction", "neural", *map(full, GIVEN[:2])]


def models(*core):
    """Run a test with the models of all families and systems, in the core with these."""
    kinds = [kind if kind in core else full(kind) for kind in (*TRAINED, *RANDOM)]
    return pytest.mark.parametrize("model", kinds, indirect=True)


@pytest.fixture(scope="module")
def model(request):
    if request.param in RANDOM:
        return RANDOM[request.param]()
    return train(request.param, demo_trees()[:40], **TRAINED[request.param])


@pytest.fixture(scope="module")
def sentences():
    """Some trees, words alone, and no words."""
    trees = demo()
    return [*trees[:5], trees[20].words(), []]


def answers(model, sentences):
    parses = [model.parse(sentence) for sentence in sentences]
    return [(parse.tree, parse.tree.id, parse.status, parse.score) for parse in parses]


def test_all_families_are_here():
    """Combined parsers need the files of others: `test_combined` has them."""
    kinds = {name.partition(" ")[0] for name in (*TRAINED, *RANDOM)}
    assert kinds == families().keys() - {"combined"}


@models("grammar", "gap", "neural")
def test_parses_have_the_known_categories(model):
    parses = map(model.parse, demo()[:20])
    found = {node.category for parse in parses for node in parse.tree.nodes()} - {NO_PARSE}
    if model.kind == "reduction":
        assert not model.categories
    else:
        assert found | {"NP", "SBARQ"} <= {*model.categories}


@models("grammar", "refined", "features", "gap", "reduction", "neural")
def test_a_saved_model_parses_the_same(model, sentences, tmp_path):
    path, again = tmp_path / "a.model", tmp_path / "again.model"
    model.save(path)
    assert kind_of(path) == model.kind
    loaded = load_model(path)
    assert type(loaded) is type(model)
    assert loaded.kind == model.kind
    assert getattr(loaded, "about", None) == getattr(model, "about", None)
    found = answers(model, sentences)
    assert answers(loaded, sentences) == found
    for tree, (parsed, identifier, status, _) in zip(sentences[:5], found, strict=False):
        assert (status, identifier, parsed.tokens) == ("parsed", tree.id, tree.tokens)
    assert found[-1][2] == "empty"
    loaded.save(again)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("model", TOTAL, indirect=True)
def test_any_sentence_has_a_parse(model):
    for length in (1, 2, 3, 80):
        parse = model.parse([("x", "no tag")] * length)
        assert parse.status == "parsed"
        assert parse.tree.yields()[parse.tree.root] == (1 << length) - 1


@models("grammar", "gap", "neural", "neural transitions", "neural spans")
def test_what_is_fixed_is_in_the_parse(model):
    """Even if no parse of the model has it, and tags and constituents are odd."""
    tree = demo()[1]
    length = len(tree.tokens)
    odd = FixedConstituent.over("ODD", [0, length - 1])
    spans = {span for span in tree.yields().values() if not crosses(odd.span, span)}
    required = [each for each in Fixed.of(tree).required if each.span in spans]
    fixed = Fixed((odd, *required), (FixedConstituent("S", 1),), {0: "XX"}, {odd: ("SBJ",)})
    for known in (fixed, Fixed((), fixed.required), Fixed.of(tree)):
        for parse in (model.parse(tree, fixed=known), model.parse(tree.words(), fixed=known)):
            found = parse.tree.yields()
            there = [(node.category, found[node]) for node in parse.tree.nodes()[1:]]
            assert not known.missing(there)
            assert not any(known.excludes(*each) for each in there)
            assert not known.tags or parse.tree.tokens[0].tag == "XX"
    with pytest.raises(InputError, match=f"numbers 0 to {length - 1}$"):
        model.parse(tree, fixed=Fixed(tags={length: "X"}))


@pytest.mark.parametrize("model", TAGGED, indirect=True)
def test_words_without_tags_get_those_of_the_tagger(model):
    words = demo()[0].words()
    tagger = model.model.tagger if model.kind == "neural" else model.tagger
    tags, parse = tagger(words), model.parse(words)
    assert [token.tag for token in parse.tree.tokens] == tags
    tagged = model.parse(list(zip(words, tags, strict=True)))
    assert (tagged.tree, tagged.score) == (parse.tree, parse.score)


@pytest.mark.parametrize("model", FORESTS, indirect=True)
def test_failures_are_values(model, tmp_path):
    tokens = [Token("The", "DT", "the", "Sg"), Token("xyzzy", "QQ", function="HD")]
    for sentence, status in (
        (no_parse(tokens), "unknown tag"),
        ([(".", ".")] * 2, "no parse"),
        ([], "empty"),
    ):
        parse = model.parse(sentence)
        assert (parse.status, parse.score, parse.derivation) == (status, -inf, None)
        assert parse.tree.annotation is None
        if "nbest" in model.capabilities:
            assert [each.status for each in model.parse_nbest(sentence, 3)] == [status]
    assert model.parse(no_parse(tokens)).tree.tokens == tokens
    assert model.parse(no_parse(tokens)).reason == "QQ"
    model.save(tmp_path / "a.model")
    for budget, status in ((Budget(5), "out of items"), (Budget(inf, 1e-9), "out of time")):
        parse = load_model(tmp_path / "a.model", budget).parse(demo()[0])
        assert (parse.status, parse.score, parse.derivation) == (status, -inf, None)
        assert parse.tree.root.nodes[0].category == NO_PARSE


@pytest.fixture(scope="module")
def completion():
    return Completion.train(map(transform_reversibly, raw_demo_trees()), Options())


@models("grammar", "gap", "neural")
def test_parses_get_functions_and_null_elements(model, completion, monkeypatch, tmp_path):
    monkeypatch.setattr(model, "completion", completion)
    model.save(tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    bare = loaded.parse_together(demo()[:4], BARE_PARSE)
    completed = loaded.parse_together(demo()[:4])
    for (before,), (after,) in zip(bare, completed, strict=True):
        assert before.tree.annotation is None
        assert penn(after.tree) == penn(completion(before.tree))
    if "nbest" in model.capabilities:
        assert all(parse.tree.annotation for parse in loaded.parse_nbest(demo()[0], 3))
    tree = completed[0][0].tree
    clause = tree.root.nodes[0]
    known = FixedConstituent(clause.category, tree.yields()[clause])
    held = loaded.parse(demo()[0], fixed=Fixed((known,), functions={known: ("TPC",)})).tree
    clause.functions = ("TPC",)  # all others are found
    assert held == tree


def penn(tree):
    """A completed tree with its functions, null elements and indices."""
    return render_discbracket(restore_traces(tree))


@models("refined", "gap", "reduction")
def test_what_a_model_cannot_do_is_said(model):
    sentence = demo()[0]
    asked = {
        "nbest": lambda: model.parse_nbest(sentence, 2),
        "sums": lambda: model.parse(sentence, posteriors=True),
    }
    for capability in asked.keys() - model.capabilities:
        with pytest.raises(InputError, match=model.kind):
            asked[capability]()
    if model.kind != "grammar":
        with pytest.raises(InputError, match="cannot show binarized rules"):
            model.explain(sentence, binarized=True)
    known = ", ".join(model.objectives)
    with pytest.raises(InputError, match=f"not one of {known}" if known else "there is no choice"):
        model.parse(sentence, objective="other")


@pytest.mark.parametrize("model", FORESTS[:3], indirect=True)
def test_unknown_words_have_tags(model):
    tree = demo()[0]
    noun = next(place for place, token in enumerate(tree.tokens) if token.tag == "NN")
    words = tree.words()
    parse = model.parse([*words[:noun], "xyzzy", *words[noun + 1 :]])
    assert parse.status == "parsed"
    assert parse.tree.tokens[noun].tag in ("NN", "NNP", "NNS", "JJ")


def has_forest(model):
    return "sums" in model.capabilities and not isinstance(model, SetBasedModel)


@models("grammar", "refined", "neural")
def test_the_first_of_n_best_parses_is_the_parse(model):
    if "nbest" not in model.capabilities:
        pytest.skip("it has only the best parse")
    several = 0
    for sentence in demo()[:4]:
        for words in (sentence, sentence.words()):
            parse, found = model.parse(words), model.parse_nbest(words, 4, explained=True)
            assert (found[0].tree, found[0].status) == (parse.tree, parse.status)
            assert found[0].score == pytest.approx(parse.score)
            assert found[0].meaning == parse.meaning
            scores = [each.score for each in found]
            assert scores == sorted(scores, reverse=True)
            texts = {str(each.tree) for each in found}
            assert len(texts) == len(found) <= 4
            assert all(each.explanation for each in found if each.status == "parsed")
            several += len(found) > 1
    assert several > 4 or not has_forest(model)  # a beam may have only one
    assert len(model.parse_nbest(demo()[0], 1)) == 1


@models("grammar")
def test_what_other_parses_have_is_compared(model):
    if "nbest" not in model.capabilities or not has_forest(model):
        pytest.skip("it finds too few parses")
    compared = 0
    for sentence in demo()[:6]:
        first, *others = map(wants, (each.tree for each in model.parse_nbest(sentence, 3)))
        (here,) = (want for want in first if want.category == "ROOT")
        assert last_lines(model, sentence, here)[0].startswith(f"{here}: in the best parse")
        for want in others[0] - first if others else ():
            lines = last_lines(model, sentence, want)
            assert lines[0].startswith(f"{want}: not in the best parse")
            compared += any(line.partition("only with ")[2].startswith(str(want)) for line in lines)
    assert compared > 4


def wants(tree):
    """The constituents of a tree."""
    spans = tree.yields()
    return {Want(node.category, tuple(runs(spans[node]))) for node in tree.nodes()}


def last_lines(model, sentence, want):
    """What is said of a wanted constituent."""
    before = model.explain(sentence).lines()
    return model.explain(sentence, [want]).lines()[len(before) + 1 :]


@models("grammar", "gap", "neural")
def test_it_can_be_sent_to_other_processes(model, sentences):
    found = answers(model, sentences)  # the memory of its searches is not sent
    sent = pickle.loads(pickle.dumps(model, protocol=5))
    assert answers(sent, sentences) == found


@pytest.mark.parametrize("number", [3, full(60)])
@core(1, "model", ["gap", *list(TRAINED)[1:3], *list(TRAINED)[4:], *RANDOM], indirect=True)
def test_damaged_files_are_read_or_refused(model, sentences, tmp_path, number):
    """Files of grammars have another format: `test_formats` has them."""
    path = tmp_path / "damaged.model"
    model.save(path)
    check_damage(path, lambda path: load_model(path).parse(sentences[0]), number)
