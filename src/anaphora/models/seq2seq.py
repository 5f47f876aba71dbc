"""Any Hugging Face sequence-to-sequence model: T5, mT5, BART, …"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anaphora.models.pretrained import load

WHAT, CLASS = "sequence-to-sequence model", "AutoModelForSeq2SeqLM"
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

    Raises:
        ModelUnavailable: transformers or torch is not installed, or the model cannot be loaded.
    """

    def __init__(self, name: str) -> None:
        model = load(WHAT, name, CLASS)
        self.tokenizer, self._model, self._device = model.tokenizer, model.network, model.device

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
