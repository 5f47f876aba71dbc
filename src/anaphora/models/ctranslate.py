"""Sequence-to-sequence models run by CTranslate2, which is faster on a CPU than torch."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from anaphora.errors import ModelUnavailable
from anaphora.models.cache import cached_folder
from anaphora.models.decoding import Decoding, Generated

_BATCH_TOKENS = 4096
_WEIGHTS = "int8"


class ConvertedSeq2Seq:
    """A model of Hugging Face, converted once into the cache folder with weights in 8 bits.

    It generates what `anaphora.models.seq2seq.Seq2SeqModel` does, up to rounding. It has no
    Fusion-in-Decoder, because CTranslate2 takes texts and not the states of an encoder. Its beam
    search always ends when as many hypotheses are complete as there are beams.

    Args:
        name: a repository on the Hugging Face hub, or a folder.

    Raises:
        ModelUnavailable: CTranslate2, transformers or torch is not installed, or the model cannot
            be loaded or converted.
    """

    def __init__(self, name: str) -> None:
        try:
            import ctranslate2
            import transformers
        except ImportError as error:
            raise ModelUnavailable(
                f"{name} with the engine 'ctranslate2' needs CTranslate2: "
                '`pip install "anaphora[ctranslate2]"`'
            ) from error
        folder = Path(name).expanduser()
        self.place = str(folder.resolve()) if folder.is_dir() else name
        try:
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(self.place)
            config = transformers.AutoConfig.from_pretrained(self.place)
        except (OSError, ValueError, ImportError, KeyError) as error:
            reason = str(error).strip().split("\n")[0]
            raise ModelUnavailable(f"the model {name} cannot be loaded ({reason})") from error
        converted = cached_folder(_key(self.place, config), self._convert)
        device = "cuda" if ctranslate2.get_cuda_device_count() else "cpu"
        self._model = ctranslate2.Translator(str(converted), device=device, inter_threads=1)
        places = getattr(config, "max_position_embeddings", None) or 512
        self.longest_input = min(places, self.tokenizer.model_max_length)

    def size(self, text: str) -> int:
        """The number of input tokens of a text, with special tokens."""
        return len(self.tokenizer(text, verbose=False)["input_ids"])

    def generate(
        self, texts: Sequence[str], decoding: Decoding, input_tokens: int
    ) -> list[Generated]:
        """Generates one output for each text; longer inputs are truncated."""
        if not texts:
            return []
        tokenizer = self.tokenizer
        ids = tokenizer(list(texts), truncation=True, max_length=input_tokens)["input_ids"]
        first = [] if decoding.first is None else tokenizer.convert_ids_to_tokens([decoding.first])
        found = self._model.translate_batch(
            [tokenizer.convert_ids_to_tokens(one) for one in ids],
            target_prefix=[first] * len(texts) if first else None,
            beam_size=decoding.beams,
            no_repeat_ngram_size=decoding.no_repeat,
            min_decoding_length=decoding.min_tokens,
            max_decoding_length=decoding.max_tokens,
            max_input_length=0,
            max_batch_size=_BATCH_TOKENS,
            batch_type="tokens",
            return_scores=True,
            return_end_token=True,
        )
        return [self._generated(one, len(first)) for one in found]

    def _generated(self, result: Any, given: int) -> Generated:
        tokens = result.hypotheses[0][given:]
        ids = self.tokenizer.convert_tokens_to_ids(tokens)
        text = self.tokenizer.decode(ids, skip_special_tokens=True).strip()
        whole = self.tokenizer.eos_token_id in ids
        return Generated(text, min(1.0, math.exp(result.scores[0])), whole)

    def _convert(self, folder: Path) -> None:
        from ctranslate2.converters import TransformersConverter

        try:
            TransformersConverter(self.place).convert(
                str(folder), quantization=_WEIGHTS, force=True
            )
        except (ValueError, KeyError, AttributeError, NotImplementedError) as error:
            reason = str(error).strip().split("\n")[0]
            raise ModelUnavailable(
                f"CTranslate2 cannot convert the model {self.place} ({reason})"
            ) from error


def _key(place: str, config: Any) -> str:
    """The name of the converted model in the cache; another one once the model has changed."""
    import ctranslate2

    folder = Path(place)
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    state = [(one.name, one.stat().st_size, one.stat().st_mtime_ns) for one in files]
    about = (place, getattr(config, "_commit_hash", None), state, ctranslate2.__version__)
    digest = hashlib.sha256(repr((*about, _WEIGHTS)).encode()).hexdigest()
    return f"ctranslate2-{digest[:16]}"
