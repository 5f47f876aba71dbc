"""Small random sequence-to-sequence models with a tokenizer of single characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

KINDS = ("T5", "MT5", "Bart", "Pegasus")
_STEPS = 150

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


def teach(folder: Path, pairs: Sequence[tuple[str, str]]) -> Path:
    """Trains the model of a folder to turn the first text of each pair into the second."""
    from anaphora.models.seq2seq import Seq2SeqModel

    model = Seq2SeqModel(str(folder))
    inputs, labels = (model.token_ids(list(texts), 256) for texts in zip(*pairs, strict=True))
    fit(model.network, [[ids] for ids in inputs], labels)
    model.network.save_pretrained(folder)
    return folder


def fit(network: Any, inputs: Sequence[Sequence[list[int]]], labels: Sequence[list[int]]) -> None:
    """Trains a network to write `labels` for `inputs`, so surely that rounding changes nothing."""
    import torch

    from anaphora.models.seq2seq import encoded

    longest = max(map(len, labels))
    wanted = torch.tensor([[*one, *[-100] * (longest - len(one))] for one in labels])
    # transformers computes a Marian model's positions when it loads one, whatever was saved.
    learned = [one for name, one in network.named_parameters() if "embed_positions" not in name]
    optimizer = torch.optim.AdamW(learned, lr=3e-3)
    network.train()
    for _ in range(_STEPS):
        states, mask = encoded(network, inputs)
        output = network(encoder_outputs=(states,), attention_mask=mask, labels=wanted)
        loss = torch.nn.functional.cross_entropy(
            output.logits.flatten(0, 1), wanted.flatten(), ignore_index=-100
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
