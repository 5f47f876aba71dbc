"""Small random causal models with a tokenizer of single characters and a chat template."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from support import tiny_seq2seq

KINDS = ("Llama", "Qwen2")
TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
WITHOUT_SYSTEM = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}"
    "{% endif %}" + TEMPLATE
)
ROLES = ("<|system|>", "<|user|>", "<|assistant|>")


def make(
    folder: Path,
    texts: Iterable[str],
    kind: str = "Llama",
    template: str | None = TEMPLATE,
    window: int = 512,
    seed: int = 1,
) -> Path:
    """Writes a model of one of `KINDS` that can spell `texts`; that of Qwen2 has a token a byte."""
    torch = pytest.importorskip("torch", reason="needs the extra anaphora[hf]")
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    if kind == "Qwen2":
        _byte_tokenizer().save_pretrained(folder)
    else:
        tiny_seq2seq.tokenizer(folder, texts, ROLES)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=window,
        initializer_range=0.2,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=1,
        tie_word_embeddings=False,
    )
    getattr(transformers, f"{kind}ForCausalLM")(config).save_pretrained(folder)
    return folder


def _byte_tokenizer() -> Any:
    import tokenizers
    import transformers

    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    pieces = ["<pad>", "</s>", "<unk>", *alphabet]
    return transformers.Qwen2Tokenizer(
        vocab={piece: number for number, piece in enumerate(pieces)},
        merges=[],
        unk_token="<unk>",
        eos_token="</s>",
        pad_token="<pad>",
        additional_special_tokens=list(ROLES),
    )
