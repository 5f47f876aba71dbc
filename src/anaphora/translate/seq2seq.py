"""Translation by sequence-to-sequence models: NLLB, M2M-100, mBART-50, Marian (OPUS-MT), …

Chirkova et al. (2024), "Retrieval-augmented generation in multilingual settings", section 3,
translate questions with NLLB.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from anaphora.errors import ModelUnavailable
from anaphora.models.decoding import Decoding, Generated
from anaphora.models.seq2seq import Seq2SeqModel
from anaphora.translate.faults import fault
from anaphora.translate.languages import language_token
from anaphora.translate.segments import joined, segments

_LONGEST = 256
"""Tokens of a sentence: translation models learned from single sentences."""
_LONGER, _ROOM = 3, 16
"""A translation has at most `_LONGER` times the tokens of its sentence, and `_ROOM` more."""


class Model(Protocol):
    """A sequence-to-sequence model of any engine."""

    @property
    def place(self) -> str: ...

    @property
    def tokenizer(self) -> Any: ...

    @property
    def longest_input(self) -> int: ...

    def size(self, text: str) -> int: ...

    def generate(
        self, texts: Sequence[str], decoding: Decoding, input_tokens: int
    ) -> list[Generated]: ...


class Seq2SeqTranslator:
    """Translates sentence by sentence with any Hugging Face checkpoint.

    The vocabulary says how the model is given the languages: by a token that begins the output
    and one of the input (NLLB, M2M-100, mBART-50), by a token before the input (multilingual
    Marian), or not at all (Marian of one pair of languages).

    Args:
        name: of a repository on the Hugging Face hub, or a folder; `{source}` and `{target}` in it
            stand for the languages, such as in `Helsinki-NLP/opus-mt-{source}-{target}`. Models are
            loaded on first use.
        beams: hypotheses of the beam search.
        load: makes a model from its name.
    """

    def __init__(
        self, name: str, beams: int = 4, load: Callable[[str], Model] = Seq2SeqModel
    ) -> None:
        self.name = name
        self._load = load
        self._decoding = Decoding(_LONGEST, beams=beams)
        self._models: dict[str, Model] = {}

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """The translations; an empty text where one failed the checks of `faults`.

        Raises:
            ModelUnavailable: the model cannot be loaded, or does not know a language.
        """
        model = self._model(source, target)
        prefix, decoding = self._languages(model, source, target)
        room = min(_LONGEST, model.longest_input) - model.size(prefix)
        ranges = [segments(text, source, model.size, room) for text in texts]
        parts = [
            text[start:end]
            for text, found in zip(texts, ranges, strict=True)
            for start, end in found
        ]
        longest = max((model.size(part) for part in parts), default=0)
        decoding = replace(decoding, max_tokens=_LONGER * longest + _ROOM)
        made = iter(model.generate([prefix + part for part in parts], decoding, _LONGEST))
        translations = []
        for text, found in zip(texts, ranges, strict=True):
            outputs = [next(made) for _ in found]
            translation = joined(text, found, [one.text for one in outputs], target)
            whole = all(one.whole and one.text for one in outputs)
            right = whole and not fault(text, translation, source, target)
            translations.append(translation if right else "")
        return translations

    def _model(self, source: str, target: str) -> Model:
        name = self.name.replace("{source}", source).replace("{target}", target)
        if name not in self._models:
            self._models[name] = self._load(name)
        return self._models[name]

    def _languages(self, model: Model, source: str, target: str) -> tuple[str, Decoding]:
        """The text before the input, and the decoding with the language of the output."""
        tokenizer = model.tokenizer

        def known(token: str) -> bool:
            return tokenizer.convert_tokens_to_ids(token) not in (None, tokenizer.unk_token_id)

        into, out_of = (language_token(lang, known) for lang in (target, source))
        if into and into.startswith(">>"):
            return f"{into} ", self._decoding
        if into and out_of:
            tokenizer.src_lang = _own(out_of, tokenizer)
            first = tokenizer.convert_tokens_to_ids(into)
            return "", replace(self._decoding, first=first)
        pair = [getattr(tokenizer, name, None) for name in ("source_lang", "target_lang")]
        if hasattr(tokenizer, "src_lang") or (all(pair) and pair != [source, target]):
            raise ModelUnavailable(
                f"the model {model.place} does not translate from {source} into {target}"
            )
        return "", self._decoding


def _own(token: str, tokenizer: object) -> str:
    """The language as the tokenizer's `src_lang` takes it: M2M-100 has codes there."""
    codes = getattr(tokenizer, "lang_code_to_token", {})
    return next((code for code, name in codes.items() if name == token), token)
