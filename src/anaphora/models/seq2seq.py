"""Any Hugging Face sequence-to-sequence model: T5, mT5, BART, …"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anaphora.errors import ModelUnavailable

_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Generated:
    """A text that a model wrote.

    `confidence` is the geometric mean of its tokens' probabilities; `whole` says that the model
    came to an end by itself.
    """

    text: str
    confidence: float
    whole: bool


class Seq2SeqModel:
    """A model by name or local folder, for greedy generation.

    Args:
        name: of a repository on the Hugging Face hub, or a folder.
        notify: is told in one line that a model is being loaded.

    Raises:
        ModelUnavailable: transformers or torch is not installed, or the model cannot be loaded.
    """

    def __init__(self, name: str, notify: Callable[[str], None] = lambda _: None) -> None:
        self.tokenizer, model = load_seq2seq(name, notify)
        import torch

        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = model.eval().to(self._device)

    def count(self, text: str) -> int:
        """How many tokens a text has."""
        return len(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def generate(
        self, texts: Sequence[str], input_tokens: int, output_tokens: int
    ) -> list[Generated]:
        """What the model makes of each text: inputs are cut to `input_tokens`, outputs have at most
        `output_tokens`."""
        found: dict[int, Generated] = {}
        rows = sorted(range(len(texts)), key=lambda row: -len(texts[row]))
        for at in range(0, len(rows), _AT_ONCE):
            batch = rows[at : at + _AT_ONCE]
            made = self._generate([texts[row] for row in batch], input_tokens, output_tokens)
            found.update(zip(batch, made, strict=True))
        return [found[row] for row in range(len(texts))]

    def _generate(self, texts: list[str], input_tokens: int, output_tokens: int) -> list[Generated]:
        import torch

        given = self.tokenizer(
            texts, truncation=True, max_length=input_tokens, padding=True, return_tensors="pt"
        )
        with torch.inference_mode():
            made = self._model.generate(
                input_ids=given["input_ids"].to(self._device),
                attention_mask=given["attention_mask"].to(self._device),
                max_new_tokens=output_tokens,
                num_beams=1,
                do_sample=False,
                return_dict_in_generate=True,
                output_scores=True,
            )
            chances = self._model.compute_transition_scores(
                made.sequences, made.scores, normalize_logits=True
            )
        written = made.sequences[:, -chances.shape[1] :].cpu()
        mask = written != self.tokenizer.pad_token_id
        logs = (chances.cpu().float().nan_to_num(neginf=0.0) * mask).sum(1) / mask.sum(1).clamp(1)
        ends = (written == self.tokenizer.eos_token_id).any(1)
        decoded = self.tokenizer.batch_decode(written, skip_special_tokens=True)
        return [
            Generated(text, min(1.0, float(chance)), bool(whole))
            for text, chance, whole in zip(decoded, logs.exp(), ends, strict=True)
        ]


def load_seq2seq(name: str, notify: Callable[[str], None] = lambda _: None) -> tuple[Any, Any]:
    """Tokenizer and model by name or local folder.

    Raises:
        ModelUnavailable: as for `Seq2SeqModel`.
    """
    try:
        import torch  # noqa: F401  transformers loads without it and fails later
        import transformers
    except ImportError as error:
        raise ModelUnavailable(
            f'the model {name} needs transformers and torch: `pip install "anaphora[hf]"`'
        ) from error
    notify(f"loading {name}")
    folder = Path(name).expanduser()
    place = str(folder.resolve()) if folder.is_dir() else name
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(place)
        model = transformers.AutoModelForSeq2SeqLM.from_pretrained(place)
    except (OSError, ValueError, ImportError, KeyError) as error:
        reason = str(error).strip().split("\n")[0]
        raise ModelUnavailable(
            f"the sequence-to-sequence model {name} cannot be loaded ({reason})"
        ) from error
    return tokenizer, model
