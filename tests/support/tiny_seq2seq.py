"""Small random sequence-to-sequence models with a tokenizer of single characters."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

KINDS = ("T5", "MT5", "Bart", "Pegasus")

_T5 = {
    "d_model": 48,
    "d_kv": 12,
    "d_ff": 96,
    "num_layers": 2,
    "num_heads": 4,
    "dropout_rate": 0.0,
    "decoder_start_token_id": 0,
}
_BART = {
    "d_model": 48,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 96,
    "decoder_ffn_dim": 96,
    "max_position_embeddings": 512,
    "dropout": 0.0,
    "init_std": 0.2,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 1,
    "forced_eos_token_id": 1,
}
_SIZES = {
    "T5": _T5,
    "MT5": _T5,
    "Bart": {**_BART, "decoder_start_token_id": 1},
    "Pegasus": {**_BART, "decoder_start_token_id": 0},
}


def tokenizer(folder: Path, texts: Iterable[str], more: Iterable[str] = ()) -> int:
    """Writes a tokenizer that can spell `texts` and knows `more`; returns its number of tokens."""
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    import tokenizers

    letters = sorted({char for text in texts for char in text} - {" "})
    pieces = ["<pad>", "</s>", "<unk>", "▁", *letters]
    unigram = tokenizers.models.Unigram([(piece, -1.0) for piece in pieces], unk_id=2)
    fast = tokenizers.Tokenizer(unigram)
    fast.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    fast.decoder = tokenizers.decoders.Metaspace()
    fast.post_processor = tokenizers.processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=fast, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    made.add_special_tokens({"additional_special_tokens": list(more)})
    made.save_pretrained(folder)
    return len(made)


def make(folder: Path, texts: Iterable[str], kind: str = "T5", seed: int = 1) -> Path:
    """Writes a model of one of `KINDS` that can spell `texts`."""
    torch = pytest.importorskip("torch", reason="needs the extra anaphora[hf]")
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    size = tokenizer(folder, texts)
    torch.set_num_threads(1)  # threads that wait for each other cost more than they give here
    torch.manual_seed(seed)
    config = getattr(transformers, f"{kind}Config")(vocab_size=size, **_SIZES[kind])
    getattr(transformers, f"{kind}ForConditionalGeneration")(config).save_pretrained(folder)
    return folder
