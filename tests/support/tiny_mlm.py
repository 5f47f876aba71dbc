"""A small random masked-language model with a tokenizer of single characters."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from support import tiny_seq2seq


def make(folder: Path, texts: Iterable[str], kind: str = "BertForMaskedLM") -> str:
    """Writes a model of BERT's class `kind` that can spell `texts`; returns its folder."""
    torch = pytest.importorskip("torch", reason="needs the extra anaphora[hf]")
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    size = tiny_seq2seq.tokenizer(folder, texts)
    torch.set_num_threads(1)  # threads that wait for each other cost more than they give here
    torch.manual_seed(2)
    config = transformers.BertConfig(
        vocab_size=size,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=128,
        initializer_range=0.5,
    )
    getattr(transformers, kind)(config).save_pretrained(folder)
    return str(folder)
