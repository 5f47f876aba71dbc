"""Sequence-to-sequence models from Hugging Face: T5, mT5, BART, …"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anaphora.models.pretrained import load

WHAT, CLASS = "sequence-to-sequence model", "AutoModelForSeq2SeqLM"
_BATCH = 16


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated text.

    Attributes:
        text: the text.
        confidence: the geometric mean of the probabilities of its tokens.
        whole: whether the model ended it, rather than the limit.
    """

    text: str
    confidence: float
    whole: bool


class Seq2SeqModel:
    """A sequence-to-sequence model with greedy decoding.

    Args:
        name: a repository on the Hugging Face hub, or a folder.

    Raises:
        ModelUnavailable: transformers or torch is not installed, or the model cannot be loaded.
    """

    def __init__(self, name: str) -> None:
        model = load(WHAT, name, CLASS)
        self.tokenizer, self._model, self._device = model.tokenizer, model.network, model.device

    def count(self, text: str) -> int:
        """The number of tokens of a text."""
        return len(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def generate(
        self, texts: Sequence[str], input_tokens: int, output_tokens: int
    ) -> list[Generated]:
        """Generates one output for each text.

        Args:
            input_tokens: longer inputs are truncated.
            output_tokens: the maximum length of an output.
        """
        results: dict[int, Generated] = {}
        rows = sorted(range(len(texts)), key=lambda row: -len(texts[row]))
        for at in range(0, len(rows), _BATCH):
            batch = rows[at : at + _BATCH]
            outputs = self._generate([texts[row] for row in batch], input_tokens, output_tokens)
            results.update(zip(batch, outputs, strict=True))
        return [results[row] for row in range(len(texts))]

    def _generate(self, texts: list[str], input_tokens: int, output_tokens: int) -> list[Generated]:
        import torch

        inputs = self.tokenizer(
            texts, truncation=True, max_length=input_tokens, padding=True, return_tensors="pt"
        )
        with torch.inference_mode():
            generated = self._model.generate(
                input_ids=inputs["input_ids"].to(self._device),
                attention_mask=inputs["attention_mask"].to(self._device),
                max_new_tokens=output_tokens,
                num_beams=1,
                do_sample=False,
                return_dict_in_generate=True,
                output_scores=True,
            )
            scores = self._model.compute_transition_scores(
                generated.sequences, generated.scores, normalize_logits=True
            )
        written = generated.sequences[:, -scores.shape[1] :].cpu()
        mask = written != self.tokenizer.pad_token_id
        logs = (scores.cpu().float().nan_to_num(neginf=0.0) * mask).sum(1) / mask.sum(1).clamp(1)
        ends = (written == self.tokenizer.eos_token_id).any(1)
        decoded = self.tokenizer.batch_decode(written, skip_special_tokens=True)
        return [
            Generated(text, min(1.0, float(probability)), bool(whole))
            for text, probability, whole in zip(decoded, logs.exp(), ends, strict=True)
        ]
