"""The settings of readers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anaphora.models.chat import LanguageModel
from anaphora.protocols import Reader, Resources
from anaphora.read.prompts import Variant
from anaphora.validation import check_present, check_ranges, request_ranges


@dataclass(frozen=True, slots=True)
class ExtractiveSettings:
    """Extracts of two hits, of `length` characters together; the best `passages` are read.

    With `translate`, an answer in another language than the question's is translated, if there is
    a translator. `model` is a folder of weights; empty for the shipped ones.
    """

    model: str = ""
    passages: int = 5
    length: int = 700
    translate: bool = True

    def __post_init__(self) -> None:
        check_ranges(
            "read",
            self,
            passages=(self.passages >= 1, "1 or more"),
            length=(100 <= self.length <= 10_000, "from 100 to 10,000"),
        )

    def build(self, resources: Resources) -> Reader:
        """The reader.

        Raises:
            ModelUnavailable: the cross-encoder cannot be loaded.
        """
        from anaphora.crossencoder.model import SHIPPED, shared_crossencoder
        from anaphora.index import TermStatistics
        from anaphora.models.backbone import NAME
        from anaphora.read.extractive import ExtractiveReader
        from anaphora.read.translated import TranslatingReader

        encoder = resources.encoder
        reader = ExtractiveReader(
            shared_crossencoder(Path(self.model) if self.model else SHIPPED),
            self.passages,
            self.length,
            # Cosines are calibrated for the default encoder alone.
            encoder if encoder is not None and encoder.name == NAME else None,
            resources.index if isinstance(resources.index, TermStatistics) else None,
        )
        translator = resources.translator if self.translate else None
        return TranslatingReader(reader, translator) if translator else reader


@dataclass(frozen=True, slots=True)
class LLMSettings:
    """An answer that the `model` behind an OpenAI-compatible `endpoint` writes; without an
    endpoint, `model` is a GGUF file, which is loaded into this process.

    The model is shown the best `passages` as far as they fit into its `window` of tokens (0: what
    the endpoint says), and writes at most `tokens`. `timeout` is the seconds that an answer may
    take with all its requests. `prompt` is the variant of the prompt. With `schema`, it is asked
    for JSON by a schema.

    Raises:
        UsageError: `model` is empty, or a number is out of range.
    """

    endpoint: str = ""
    model: str = ""
    prompt: Variant = "translated-names"
    passages: int = 5
    tokens: int = 512
    window: int = 0
    schema: bool = True
    timeout: float = 60.0

    def __post_init__(self) -> None:
        check_ranges(
            "read",
            self,
            passages=(self.passages >= 1, "1 or more"),
            tokens=(1 <= self.tokens <= 100_000, "from 1 to 100,000"),
            window=(self.window == 0 or self.window > self.tokens, "0 or more than 'read.tokens'"),
            timeout=request_ranges(self.timeout, 1)["timeout"],
        )
        check_present("read", self, "the reader 'llm'", ["model"])

    def build(self, resources: Resources) -> Reader:
        """The reader, which falls back on the extractive one. Without a checker it is one that
        shows what the model writes as it is, for experiments.

        Raises:
            UsageError: the endpoint is not an address.
        """
        from anaphora.crossencoder.model import SHIPPED, shared_crossencoder
        from anaphora.read.llm import LLMReader
        from anaphora.read.llm_writer import LLMWriter
        from anaphora.read.writers import UncheckedReader

        model = self.language_model()
        if resources.checker is None:
            return UncheckedReader(LLMWriter(model, self.prompt, self.window), self.passages)
        return LLMReader(
            model,
            resources.checker,
            shared_crossencoder(SHIPPED),
            ExtractiveSettings().build(resources),
            self.passages,
            self.prompt,
            self.window,
            self.schema,
        )

    def language_model(self) -> LanguageModel:
        if self.endpoint:
            from anaphora.models.endpoint import ChatModel

            return ChatModel(self.endpoint, self.model, self.timeout, tokens=self.tokens)
        from anaphora.models.gguf import LocalModel

        return LocalModel(Path(self.model), self.window, self.tokens, self.timeout)
