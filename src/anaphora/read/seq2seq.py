"""Reading by sequence-to-sequence models: all passages in one input, or Fusion-in-Decoder.

Ferreira et al. (2021), "Open-Domain Conversational Search Assistant with Transformers", section
3.3, give T5, BART and PEGASUS the best passages one after the other. Gowriraj et al. (2023),
"Assessing ChatGPT-Based Query Rewriting and Language-Agnostic Transformers for Multilingual
Document-Grounded QA", section 4.3, compare this with Fusion-in-Decoder, for mT5.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, get_args

from anaphora.errors import ModelUnavailable
from anaphora.models.decoding import Decoding, Generated
from anaphora.models.seq2seq import Seq2SeqModel
from anaphora.read.inputs import Form, Input, alone, together
from anaphora.read.writers import RawAnswer
from anaphora.records import Hit, Query

Kind: TypeAlias = Literal["seq2seq", "fid"]
DESCRIPTION = "reader.json"
"""The file of a checkpoint that says which form of input it was trained on."""


class Generator(Protocol):
    """A sequence-to-sequence model of any engine."""

    @property
    def place(self) -> str: ...

    @property
    def longest_input(self) -> int: ...

    def size(self, text: str) -> int: ...

    def generate(
        self, texts: Sequence[str], decoding: Decoding, input_tokens: int
    ) -> list[Generated]: ...


@dataclass(frozen=True)
class Seq2SeqWriter:
    """Writes from one text with all passages.

    Args:
        form: what the text contains.
    """

    model: Generator
    form: Form
    decoding: Decoding

    @property
    def name(self) -> str:
        return self.model.place

    def write(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[RawAnswer]:
        room = self.model.longest_input
        inputs = [
            together(query, found, self.form, room, self.model.size)
            for query, found in zip(queries, hits, strict=True)
        ]
        texts = [text for one in inputs for text in one.texts]
        return _answers(inputs, self.model.generate(texts, self.decoding, room))


@dataclass(frozen=True)
class FusionWriter:
    """Writes by Fusion-in-Decoder, from a text for each passage.

    Args:
        form: what the texts contain.
    """

    model: Seq2SeqModel
    form: Form
    decoding: Decoding

    @property
    def name(self) -> str:
        return self.model.place

    def write(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[RawAnswer]:
        room = self.model.longest_input
        inputs = [
            alone(query, found, self.form, room, self.model.size)
            for query, found in zip(queries, hits, strict=True)
        ]
        groups = [one.texts for one in inputs if one.texts]
        return _answers(inputs, self.model.fuse(groups, self.decoding, room))


def _answers(inputs: Sequence[Input], generated: Sequence[Generated]) -> list[RawAnswer]:
    """The answers of inputs; the generated texts are those of the inputs that have a text."""
    made = iter(generated)
    answers = []
    for one in inputs:
        text = next(made) if one.texts else Generated("", 0.0, whole=False)
        answers.append(RawAnswer(text.text, text.confidence, one.hits, one.note))
    return answers


def described_form(place: str) -> Form | None:
    """The form of input that a checkpoint of `anaphora train reader` was trained on.

    Args:
        place: the folder of the checkpoint, or a name on the hub.

    Raises:
        ModelUnavailable: its description is damaged.
    """
    path = Path(place) / DESCRIPTION
    if not path.is_file():
        return None
    try:
        form: Form = json.loads(path.read_text("utf-8"))["input"]
    except (ValueError, LookupError, TypeError) as error:
        raise ModelUnavailable(f"{path} is damaged ({error})") from error
    if form not in get_args(Form):
        raise ModelUnavailable(f"{path} names an unknown form of input, {form!r}")
    return form


def describe(folder: Path, kind: Kind, form: Form) -> None:
    """Writes what `described_form` reads."""
    text = json.dumps({"kind": kind, "input": form})
    (folder / DESCRIPTION).write_text(f"{text}\n", "utf-8")
