"""A random BERT of 16 units as a folder that transformers can load."""

import string

CHARACTERS = string.ascii_lowercase + string.digits + string.punctuation
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def write_bert(folder, seed=1, **settings):
    """Write it; each character is a subword piece, and so are "the" and "##ing"."""
    import torch
    from transformers import BertConfig, BertModel

    pieces = [*CHARACTERS, *(f"##{character}" for character in CHARACTERS), "the", "##ing"]
    vocabulary = [*SPECIAL, *pieces]
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    size = {"hidden_size": 16, "intermediate_size": 32, "max_position_embeddings": 64}
    layers = {"num_hidden_layers": 2, "num_attention_heads": 2}
    torch.manual_seed(seed)
    config = BertConfig(vocab_size=len(vocabulary), **{**size, **layers, **settings})
    BertModel(config).save_pretrained(folder)
    return folder
