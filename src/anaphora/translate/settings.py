"""The settings of translators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from anaphora.protocols import Resources, Translator
from anaphora.validation import check_present, check_ranges, request_ranges


@dataclass(frozen=True, slots=True)
class NoTranslator:
    """Nothing is translated."""

    def build(self, resources: Resources) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Seq2SeqSettings:
    """The translation model `model`: a name on the Hugging Face hub, or a folder.

    "{source}" and "{target}" in it stand for the languages. `beams` is the number of hypotheses of
    the beam search. With the `engine` "ctranslate2" a model is converted once, into the cache
    folder.

    Raises:
        UsageError: `model` is empty, or `beams` is out of range.
    """

    model: str = ""
    beams: int = 4
    engine: Literal["transformers", "ctranslate2"] = "transformers"

    def __post_init__(self) -> None:
        check_present("translate", self, "the translator 'seq2seq'", ["model"])
        check_ranges("translate", self, beams=(1 <= self.beams <= 64, "from 1 to 64"))

    def build(self, resources: Resources) -> Translator:
        from anaphora.models.ctranslate import ConvertedSeq2Seq
        from anaphora.models.seq2seq import Seq2SeqModel
        from anaphora.translate.seq2seq import Seq2SeqTranslator

        load = ConvertedSeq2Seq if self.engine == "ctranslate2" else Seq2SeqModel
        return Seq2SeqTranslator(self.model, self.beams, load)


@dataclass(frozen=True, slots=True)
class LLMSettings:
    """The `model` behind an OpenAI-compatible `endpoint`, such as http://localhost:8000/v1.

    `timeout` is the number of seconds that a translation may take with all its retries, `parallel`
    the number of concurrent requests.

    Raises:
        UsageError: `endpoint` or `model` is empty, or a number is out of range.
    """

    endpoint: str = ""
    model: str = ""
    timeout: float = 20.0
    parallel: int = 4

    def __post_init__(self) -> None:
        check_ranges("translate", self, **request_ranges(self.timeout, self.parallel))
        check_present("translate", self, "the translator 'llm'", ["endpoint", "model"])

    def build(self, resources: Resources) -> Translator:
        """The translator.

        Raises:
            UsageError: the endpoint is not an address.
        """
        from anaphora.models.endpoint import ChatModel
        from anaphora.translate.llm import LLMTranslator

        return LLMTranslator(ChatModel(self.endpoint, self.model, self.timeout), self.parallel)
