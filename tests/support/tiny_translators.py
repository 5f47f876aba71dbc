"""Small random translation models with the tokenizers of the real ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from support import tiny_seq2seq

TOKENS = {
    "nllb": "arb_Arab deu_Latn eng_Latn spa_Latn fin_Latn fra_Latn hin_Deva ita_Latn jpn_Jpan "
    "kor_Hang por_Latn rus_Cyrl tha_Thai tur_Latn vie_Latn zho_Hans",
    "marian": ">>deu<< >>fra<< >>cmn_Hans<<",
}
_SIZES: dict[str, Any] = {
    "d_model": 48,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "max_position_embeddings": 256,
    "dropout": 0.0,
    "init_std": 0.2,
}


def nllb(folder: Path, texts: Iterable[str], seed: int = 1) -> Path:
    """An M2M-100 network with NLLB's tokenizer, which can spell `texts`."""
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    pytest.importorskip("torch", reason="needs the extra anaphora[hf]")
    vocabulary = {
        piece: number
        for number, piece in enumerate(["<s>", "<pad>", "</s>", "<unk>", "▁", *_letters(texts)])
    }
    tokenizer = transformers.NllbTokenizer(
        vocab=vocabulary, merges=[], extra_special_tokens=TOKENS["nllb"].split()
    )
    tokenizer.save_pretrained(folder)
    ids = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 2}
    return _network(folder, "M2M100", len(tokenizer), ids, seed)


def m2m(folder: Path, texts: Iterable[str], seed: int = 1) -> Path:
    """An M2M-100 with its own tokenizer."""
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    folder.mkdir(parents=True, exist_ok=True)
    pieces = _sentencepiece(folder / "sentencepiece.bpe.model", texts)
    vocabulary = {
        piece: number
        for number, piece in enumerate(dict.fromkeys(["<s>", "<pad>", "</s>", "<unk>", *pieces]))
    }
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    tokenizer = transformers.M2M100Tokenizer(
        str(folder / "vocab.json"), str(folder / "sentencepiece.bpe.model")
    )
    tokenizer.save_pretrained(folder)
    ids = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 2}
    size = max(tokenizer.lang_token_to_id.values()) + 1
    return _network(folder, "M2M100", size, ids, seed)


def marian(
    folder: Path, texts: Iterable[str], pair: tuple[str, str] = ("en", "mul"), seed: int = 1
) -> Path:
    """A Marian model; one from "en" into "mul" is told the language by a token."""
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    folder.mkdir(parents=True, exist_ok=True)
    pieces = _sentencepiece(folder / "source.spm", texts)
    (folder / "target.spm").write_bytes((folder / "source.spm").read_bytes())
    tokens = TOKENS["marian"].split() if pair[1] == "mul" else []
    names = dict.fromkeys(["</s>", "<unk>", *pieces, *tokens, "<pad>"])
    vocabulary = {piece: number for number, piece in enumerate(names)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    tokenizer = transformers.MarianTokenizer(
        *(str(folder / name) for name in ("source.spm", "target.spm", "vocab.json")),
        source_lang=pair[0],
        target_lang=pair[1],
    )
    tokenizer.save_pretrained(folder)
    pad = vocabulary["<pad>"]
    ids = {
        "pad_token_id": pad,
        "bos_token_id": 0,
        "eos_token_id": 0,
        "forced_eos_token_id": 0,
        "decoder_start_token_id": pad,
    }
    return _network(folder, "Marian", len(vocabulary), ids, seed)


def teach(folder: Path, source: str, target: str, pairs: Sequence[tuple[str, str]]) -> Path:
    """Trains the model to translate texts as `pairs` do; returns its folder."""
    from anaphora.models.seq2seq import Seq2SeqModel
    from anaphora.translate.seq2seq import Seq2SeqTranslator

    model = Seq2SeqModel(str(folder))
    prefix, decoding = Seq2SeqTranslator(str(folder))._languages(model, source, target)
    network, tokenizer = model.network, model.tokenizer
    inputs = [[ids] for ids in model.token_ids([prefix + text for text, _ in pairs], 256)]
    end = tokenizer.eos_token_id
    first = [] if decoding.first is None else [decoding.first]
    labels = []
    for _, text in pairs:
        tokens = tokenizer(text, add_special_tokens=False)["input_ids"]
        labels.append([*first, *tokens, end])
    tiny_seq2seq.fit(network, inputs, labels)
    network.save_pretrained(folder)
    return folder


def _letters(texts: Iterable[str]) -> list[str]:
    return sorted({char for text in texts for char in text} - {" "})


def _sentencepiece(path: Path, texts: Iterable[str]) -> list[str]:
    """Writes a model of single characters and returns its pieces."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="needs the extra anaphora[hf]")
    words = ["".join(text.split()) for text in texts]
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(words),
        model_writer=path.open("wb"),
        model_type="char",
        vocab_size=len(_letters(words)) + 4,
        character_coverage=1.0,
        minloglevel=2,
    )
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return [processor.IdToPiece(number) for number in range(3, processor.GetPieceSize())]


def _network(folder: Path, kind: str, size: int, ids: dict[str, int], seed: int) -> Path:
    torch = pytest.importorskip("torch", reason="needs the extra anaphora[hf]")
    transformers = pytest.importorskip("transformers", reason="needs the extra anaphora[hf]")
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    config = getattr(transformers, f"{kind}Config")(vocab_size=size, **_SIZES, **ids)
    name = "MarianMTModel" if kind == "Marian" else f"{kind}ForConditionalGeneration"
    getattr(transformers, name)(config).save_pretrained(folder)
    return folder
