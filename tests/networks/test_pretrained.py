"""Pretrained encoders, from a tiny random BERT on disk."""

import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from stored import reread
from tiny_bert import SPECIAL, write_bert

from plcfrs.errors import InputError
from plcfrs.networks.pretrained import PretrainedEncoder
from plcfrs.storage.model_file import ModelFile, load, save

SENTENCES = [["the", "cat", "is", "sleeping", "-LRB-"], ["The", "end"]]


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    # Here and not above, since they take seconds to import.
    for module in ("torch", "transformers"):
        pytest.importorskip(module, reason=f"needs {module}: pip install 'plcfrs[transformers]'")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield write_bert(tmp_path_factory.mktemp("encoders") / "bert")


def reloaded(encoder, path):
    save(path, ModelFile.of("neural", model=encoder))
    return load(path).read("model", PretrainedEncoder)


def test_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(InputError, match=r"pip install 'plcfrs\[transformers\]'"):
        PretrainedEncoder("bert-base-cased")


@pytest.mark.full
def test_no_torch():
    code = "import sys, plcfrs.networks.pretrained; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.full
def test_mean_of_pieces_and_layers(bert):
    import torch

    encoder = PretrainedEncoder(str(bert))
    ids = [SPECIAL.index("[CLS]"), *map(encoder._tokenizer.vocab.get, ["the", "s", "##l", "##ing"])]
    ids += [encoder._tokenizer.vocab["("], SPECIAL.index("[SEP]")]
    with torch.no_grad():
        states = encoder._model(torch.tensor([ids]), output_hidden_states=True).hidden_states
    vectors = ((states[1] + states[2]) / 2)[0].numpy()
    expected = [vectors[1], vectors[2:5].mean(0), vectors[5]]
    np.testing.assert_allclose(encoder.encode([["The", "sling", "-LRB-"]]), expected, atol=1e-5)
    assert encoder.size == 16


@pytest.mark.full
def test_batches(bert):
    encoder = PretrainedEncoder(str(bert))
    alone = np.vstack([encoder.encode([sentence]) for sentence in SENTENCES])
    np.testing.assert_allclose(encoder.encode(SENTENCES), alone, atol=1e-5)
    np.testing.assert_allclose(encoder.encode(SENTENCES * 40)[-7:], alone, atol=1e-5)
    assert encoder.encode([]).shape == (0, 16)
    assert encoder.encode([["the", "", "\u200b", "the"]])[1:3].tolist() == [[0] * 16] * 2
    assert encoder.encode([["\u200b"]]).tolist() == [[0] * 16]
    assert np.isfinite(encoder.encode([["\u4e2d\u6587", "\N{GRINNING FACE}"]])).all()


@pytest.mark.full
def test_long_sentences(bert):
    encoder = PretrainedEncoder(str(bert))
    words = [chr(ord("a") + number % 26) for number in range(300)]
    vectors = encoder.encode([words, ["the"]])
    assert vectors.shape == (301, 16)
    assert (np.abs(vectors).sum(1) > 0).all()
    # The first 62 pieces are a window, the next one begins in the middle of it.
    np.testing.assert_allclose(vectors[:31], encoder.encode([words[:62]])[:31], atol=1e-5)
    second = encoder.encode([words[31:93]])
    expected = (encoder.encode([words[:62]])[31:] + second[:31]) / 2
    np.testing.assert_allclose(vectors[31:62], expected, atol=1e-5)
    assert encoder.encode([["a" * 99]]).shape == (1, 16)  # a word longer than any window


@pytest.mark.full
def test_frozen(bert, tmp_path):
    encoder = PretrainedEncoder(str(bert))
    assert not encoder.encode_tensor(SENTENCES).requires_grad
    assert encoder.weights == {}
    assert encoder.stored().weights == {}
    again = reloaded(encoder, tmp_path / "model")
    assert np.array_equal(again.encode(SENTENCES), encoder.encode(SENTENCES))


@pytest.mark.full
def test_unfrozen(bert, tmp_path):
    import torch

    encoder = PretrainedEncoder(str(bert), unfrozen=1)
    before = encoder.encode(SENTENCES)
    weights = encoder.weights
    kept = encoder.with_weights({name: weight.detach().numpy() for name, weight in weights.items()})
    assert all(".layer.1." in name for name in weights)
    optimizer = torch.optim.Adam(weights.values(), 0.1)
    encoder.encode_tensor(SENTENCES)[0, 0].backward()
    optimizer.step()
    changed = encoder.encode(SENTENCES)
    assert np.abs(changed - before).max() > 0.1
    assert np.array_equal(kept.encode(SENTENCES), before)
    again = reloaded(encoder, tmp_path / "model")
    assert np.array_equal(again.encode(SENTENCES), changed)
    assert np.array_equal(pickle.loads(pickle.dumps(encoder)).encode(SENTENCES), changed)
    assert again.weights.keys() == weights.keys()
    with pytest.raises(InputError, match="cannot unfreeze 3 layers: it has 2"):
        PretrainedEncoder(str(bert), unfrozen=3)


@pytest.mark.full
def test_threads(bert):
    encoder = PretrainedEncoder(str(bert), unfrozen=2)
    arrays = {name: weight.detach().numpy() for name, weight in encoder.weights.items()}
    others = [
        encoder.with_weights({name: array * factor for name, array in arrays.items()})
        for factor in (1, 2, 3, 4)
    ]
    expected = [other.encode(SENTENCES) for other in others]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda other: other.encode(SENTENCES), others * 20))
    assert all(map(np.array_equal, found, expected * 20))


@pytest.mark.full
def test_relative_folder(bert, tmp_path, monkeypatch):
    monkeypatch.chdir(bert.parent)
    encoder = PretrainedEncoder("bert")
    monkeypatch.chdir(tmp_path)
    assert reloaded(encoder, tmp_path / "model").name == str(bert)


@pytest.mark.full
def test_another_encoder_under_the_same_name(bert, tmp_path):
    others = [
        write_bert(tmp_path / "other", seed=2),
        write_bert(tmp_path / "larger", hidden_size=32),
    ]
    for unfrozen in (0, 1):
        encoder = PretrainedEncoder(str(bert), unfrozen)
        for other in others:
            with pytest.raises(InputError, match="not the one that the model was trained with"):
                reread(encoder, {"name": str(other)})


@pytest.mark.full
def test_positions_of_roberta(tmp_path):
    """Its positions begin above that of padding, and its tokenizer needs blanks before words."""
    pytest.importorskip("transformers", reason="needs pip install 'plcfrs[transformers]'")
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import RobertaConfig, RobertaModel

    names = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *sorted(ByteLevel.alphabet())]
    numbers = {name: number for number, name in enumerate(names)}
    (tmp_path / "vocab.json").write_text(json.dumps(numbers), encoding="utf-8")
    (tmp_path / "merges.txt").write_text("#version: 0.2\n", encoding="utf-8")
    sizes = {"hidden_size": 16, "intermediate_size": 32, "max_position_embeddings": 34}
    layers = {"num_hidden_layers": 1, "num_attention_heads": 2}
    config = RobertaConfig(vocab_size=len(names), **sizes, **layers)
    RobertaModel(config).save_pretrained(tmp_path)
    encoder = PretrainedEncoder(str(tmp_path))
    assert encoder._longest == 32
    vectors = encoder.encode([["a", "b"] * 40])
    assert vectors.shape == (80, 16)
    assert (np.abs(vectors).sum(1) > 0).all()


@pytest.mark.full
@pytest.mark.usefixtures("bert")
def test_errors(tmp_path):
    with pytest.raises(InputError, match="it has no config"):
        PretrainedEncoder(str(tmp_path))
    with pytest.raises(InputError, match="the Hugging Face hub does not have it") as error:
        PretrainedEncoder("nobody/nothing")
    assert "\n" not in str(error.value)
    damaged = write_bert(tmp_path / "damaged")
    (damaged / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(InputError, match=f"{damaged} cannot be loaded: "):
        PretrainedEncoder(str(damaged))
    for text in ('{"model_type": "none"}', "{}", "no json"):
        (damaged / "config.json").write_text(text)
        with pytest.raises(InputError, match=str(damaged)) as error:
            PretrainedEncoder(str(damaged))
        assert "\n" not in str(error.value)


@pytest.mark.full
@pytest.mark.usefixtures("bert")
def test_slow_tokenizer(tmp_path):
    """The tokenizer of CANINE is plain Python."""
    slow = write_bert(tmp_path / "slow")
    (slow / "tokenizer_config.json").write_text('{"tokenizer_class": "CanineTokenizer"}')
    with pytest.raises(InputError, match="no fast tokenizer"):
        PretrainedEncoder(str(slow))


@pytest.mark.full
def test_nothing_is_written(bert, capfd):
    PretrainedEncoder(str(bert))
    assert capfd.readouterr() == ("", "")
