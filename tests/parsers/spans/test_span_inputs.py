"""Span scorers with word vectors and pretrained encoders: learned, saved and loaded."""

import pytest
from demo_trees import demo_trees
from tiny_bert import write_bert

from plcfrs.parsers.spans.scorer import SpanSettings
from plcfrs.parsing.registry import load_model, train
from plcfrs.transformation import Options

SMALL = {
    "word_size": 8,
    "character_size": 4,
    "tag_size": 4,
    "recurrent_size": 8,
    "hidden_size": 8,
    "epochs": 1,
    "batch": 4,
    "threads": 1,
    "networks": 2,
}


@pytest.mark.parametrize("gaps", ["factored", pytest.param("joint", marks=pytest.mark.full)])
def test_an_encoder_and_vectors_are_part_of_the_model(tmp_path, gaps):
    pytest.importorskip("transformers", reason="needs pip install 'plcfrs[transformers]'")
    bert = write_bert(tmp_path / "bert")
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("the 0.5 -1\nwhat 1 0.25\n", encoding="utf-8")
    options = Options(splits=())
    trees = demo_trees(options)[:16]
    settings = SpanSettings(
        gaps=gaps, encoder=str(bert), encoder_layers=1, vectors=str(vectors), folds=2, **SMALL
    )
    model = train("spans", trees, settings)
    model.save(tmp_path / "a.spans")
    vectors.unlink()
    loaded = load_model(tmp_path / "a.spans")
    assert [type(each).__name__ for each in loaded.model.scorer.inputs] == [
        "WordVectors",
        "PretrainedEncoder",
    ]
    for tree in trees[:4]:
        one, other = model.parse(tree), loaded.parse(tree)
        assert one.status == "parsed"
        assert one.tree == other.tree
        assert one.score == pytest.approx(other.score, abs=1e-4)
