"""The settings of readers that write with a checkpoint, by its name on the hub or its folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from anaphora.errors import UsageError
from anaphora.models.decoding import Decoding
from anaphora.protocols import Reader, Resources
from anaphora.read.inputs import Form
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
    `max_length` tokens. If the answer is `checked`, only sentences that the passages support are
    shown.

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
    checked: bool = True

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
        """The reader.

        Raises:
            ModelUnavailable: the model cannot be loaded.
            UsageError: nothing checks what it writes.
        """
        return reader_of(self._writer(), self._kind, self.passages, self.checked, resources)

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


def reader_of(
    writer: Writer, method: str, passages: int, checked: bool, resources: Resources
) -> Reader:
    """The reader around a model that writes.

    Raises:
        UsageError: it is to be checked, and there is no checker.
    """
    if not checked:
        return UncheckedReader(writer, passages)
    if resources.checker is None:
        raise UsageError(
            f"the reader {method!r} shows only what was checked: set 'check.method' to 'support', "
            "or 'read.checked' to false"
        )
    extractive = ExtractiveSettings().build(resources)
    return CheckedReader(writer, resources.checker, extractive, passages)
