"""The settings of readers that write with a checkpoint, by its name on the hub or its folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from anaphora.models.causal import Quantization
from anaphora.models.decoding import Decoding
from anaphora.protocols import Reader, Resources
from anaphora.read.inputs import Form
from anaphora.read.prompts import Variant
from anaphora.read.seq2seq import Kind
from anaphora.read.settings import ExtractiveSettings
from anaphora.read.writers import CheckedReader, UncheckedReader, Writer
from anaphora.validation import check_present, check_ranges


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """Fusion-in-Decoder by the checkpoint `model`: a name on the Hugging Face hub, or a folder.

    The best `passages` are encoded one by one. `input` is "question", "history" (the question as
    asked and the turns before it) or "passages" (without a question); empty for what the checkpoint
    was trained on by `anaphora train reader`, and "question" for any other. Decoding keeps `beams`
    hypotheses, repeats no sequence of `no_repeat` tokens, and writes from `min_length` to
    `max_length` tokens.

    Raises:
        UsageError: `model` is empty, or a number is out of range.
    """

    model: str = ""
    passages: int = 5
    input: Literal["", "question", "history", "passages"] = ""
    beams: int = 4
    no_repeat: int = 3
    min_length: int = 0
    max_length: int = 120

    def __post_init__(self) -> None:
        check_present("read", self, f"the reader {self._kind!r}", ["model"])
        check_ranges(
            "read",
            self,
            passages=(self.passages >= 1, "1 or more"),
            beams=(1 <= self.beams <= 64, "from 1 to 64"),
            no_repeat=(self.no_repeat >= 0, "0 or more"),
            min_length=(0 <= self.min_length <= self.max_length, "from 0 to 'read.max_length'"),
            max_length=(1 <= self.max_length <= 4096, "from 1 to 4,096"),
        )

    @property
    def _kind(self) -> Kind:
        return "fid"

    def build(self, resources: Resources) -> Reader:
        """The reader; without a checker it shows what the model writes as it is, for experiments.

        Raises:
            ModelUnavailable: the model cannot be loaded.
        """
        writer = self._writer()
        if resources.checker is None:
            return UncheckedReader(writer, self.passages)
        extractive = ExtractiveSettings().build(resources)
        return CheckedReader(writer, resources.checker, extractive, self.passages)

    def _writer(self) -> Writer:
        from anaphora.models.seq2seq import Seq2SeqModel
        from anaphora.read.seq2seq import FusionWriter

        return FusionWriter(Seq2SeqModel(self.model), self._form, self._decoding)

    @property
    def _form(self) -> Form:
        from anaphora.read.seq2seq import described_form

        return self.input or described_form(self.model) or "question"

    @property
    def _decoding(self) -> Decoding:
        return Decoding(
            self.max_length, self.min_length, self.beams, early=True, no_repeat=self.no_repeat
        )


@dataclass(frozen=True, slots=True)
class Seq2SeqSettings(FusionSettings):
    """A sequence-to-sequence model that reads the best `passages` in one text.

    The defaults are the decoding of Ferreira et al. (2021), section 4.2. With the `engine`
    "ctranslate2" the model is converted once, into the cache folder.
    """

    min_length: int = 20
    engine: Literal["transformers", "ctranslate2"] = "transformers"

    @property
    def _kind(self) -> Kind:
        return "seq2seq"

    def _writer(self) -> Writer:
        from anaphora.models.ctranslate import ConvertedSeq2Seq
        from anaphora.models.seq2seq import Seq2SeqModel
        from anaphora.read.seq2seq import Seq2SeqWriter

        model = (ConvertedSeq2Seq if self.engine == "ctranslate2" else Seq2SeqModel)(self.model)
        return Seq2SeqWriter(model, self._form, self._decoding)


@dataclass(frozen=True, slots=True)
class CausalSettings:
    """A causal model `model` that writes an answer of at most `tokens` tokens, greedily.

    The best `passages` are read as far as they fit into the model's window. `prompt` is the variant
    of the prompt, `quantized` how its weights are kept in memory.

    Raises:
        UsageError: `model` is empty, or a number is out of range.
    """

    model: str = ""
    passages: int = 5
    prompt: Variant = "translated-names"
    tokens: int = 128
    quantized: Quantization = "none"

    def __post_init__(self) -> None:
        check_present("read", self, "the reader 'causal'", ["model"])
        check_ranges(
            "read",
            self,
            passages=(self.passages >= 1, "1 or more"),
            tokens=(1 <= self.tokens <= 100_000, "from 1 to 100,000"),
        )

    def build(self, resources: Resources) -> Reader:
        """The reader; without a checker it shows what the model writes as it is, for experiments.

        Raises:
            ModelUnavailable: the model cannot be loaded.
        """
        from anaphora.crossencoder.model import SHIPPED, shared_crossencoder
        from anaphora.models.causal import CausalModel
        from anaphora.read.llm import LLMReader
        from anaphora.read.llm_writer import LLMWriter

        model = CausalModel(self.model, self.tokens, quantized=self.quantized)
        if resources.checker is None:
            return UncheckedReader(LLMWriter(model, self.prompt), self.passages)
        return LLMReader(
            model,
            resources.checker,
            shared_crossencoder(SHIPPED),
            ExtractiveSettings().build(resources),
            self.passages,
            self.prompt,
            with_schema=False,
        )
