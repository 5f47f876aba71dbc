"""A small random encoder with a tokenizer of single characters."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from support import tiny_seq2seq


def make(
    folder: Path, texts: Iterable[str], kind: str = "BertModel", seed: int = 1, **options: Any
) -> str:
    """Writes a BERT with dropout that can spell `texts`, of the class `kind`, which has no head;
    returns its folder. `options` change its configuration."""
    torch = pytest.importorskip("torch", reason="needs the extra anaphora[hf]")
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    size = tiny_seq2seq.tokenizer(folder, texts)
    torch.set_num_threads(1)  # threads that wait for each other cost more than they give here
    torch.manual_seed(seed)
    config = {
        "vocab_size": size,
        "hidden_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 4,
        "intermediate_size": 64,
        "max_position_embeddings": 128,
        "hidden_dropout_prob": 0.05,
        **options,
    }
    getattr(transformers, kind)(transformers.BertConfig(**config)).save_pretrained(folder)
    return str(folder)
