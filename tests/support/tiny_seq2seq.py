"""A small random sequence-to-sequence model with a tokenizer of single characters."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest


def make(folder: Path, texts: Iterable[str], kind: str = "T5", seed: int = 1) -> Path:
    """Writes a T5 or mT5 that can spell `texts`."""
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    torch = pytest.importorskip("torch", reason="needs the extra anaphora[hf]")
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
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=fast, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)
    torch.set_num_threads(1)  # threads that wait for each other cost more than they give here
    torch.manual_seed(seed)
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=len(pieces),
        d_model=48,
        d_kv=12,
        d_ff=96,
        num_layers=2,
        num_heads=4,
        dropout_rate=0.0,
        decoder_start_token_id=0,
    )
    model = getattr(transformers, f"{kind}ForConditionalGeneration")(config)
    model.save_pretrained(folder)
    return folder
