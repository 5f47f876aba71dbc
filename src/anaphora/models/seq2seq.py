"""Sequence-to-sequence models from Hugging Face: T5, mT5, BART, PEGASUS, …"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from anaphora.models.decoding import Decoding, Generated
from anaphora.models.pretrained import by_length, load, padded

WHAT, CLASS = "sequence-to-sequence model", "AutoModelForSeq2SeqLM"
_BATCH = 16
_ENCODED_TOKENS = 8192
"""Input tokens, with padding, that are encoded at a time."""


class Seq2SeqModel:
    """A sequence-to-sequence model, by name or local folder.

    Args:
        name: a repository on the Hugging Face hub, or a folder.

    Raises:
        ModelUnavailable: transformers or torch is not installed, or the model cannot be loaded.
    """

    def __init__(self, name: str) -> None:
        self._loaded = load(WHAT, name, CLASS)
        self.place = self._loaded.place
        self.tokenizer, self.network = self._loaded.tokenizer, self._loaded.network

    @property
    def longest_input(self) -> int:
        """The maximum number of input tokens."""
        return self._loaded.longest_input

    def count(self, text: str) -> int:
        """The number of tokens of a text, without special tokens."""
        return len(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def size(self, text: str) -> int:
        """The number of input tokens of a text, with special tokens."""
        return len(self.tokenizer(text, verbose=False)["input_ids"])

    def generate(
        self, texts: Sequence[str], decoding: Decoding, input_tokens: int
    ) -> list[Generated]:
        """Generates one output for each text; longer inputs are truncated."""
        return self.fuse([[text] for text in texts], decoding, input_tokens)

    def fuse(
        self, groups: Sequence[Sequence[str]], decoding: Decoding, input_tokens: int
    ) -> list[Generated]:
        """Generates one output for each group of texts, as Fusion-in-Decoder does.

        Each text is encoded alone; the decoder attends to the encoder's states of all texts of the
        group. With one text this is ordinary generation. After Izacard and Grave (2021),
        "Leveraging Passage Retrieval with Generative Models for Open Domain Question Answering",
        section 3.

        Args:
            groups: none of them is empty.
            input_tokens: longer texts are truncated.
        """
        ids = [self.token_ids(group, input_tokens) for group in groups]
        results: dict[int, Generated] = {}
        rows = sorted(range(len(ids)), key=lambda row: -sum(map(len, ids[row])))
        for at in range(0, len(rows), _BATCH):
            batch = rows[at : at + _BATCH]
            outputs = self._generate([ids[row] for row in batch], decoding)
            results.update(zip(batch, outputs, strict=True))
        return [results[row] for row in range(len(ids))]

    def token_ids(self, texts: Sequence[str], input_tokens: int) -> list[list[int]]:
        """The input tokens of texts, with the special tokens of the model."""
        encoded = self.tokenizer(list(texts), truncation=True, max_length=input_tokens)
        ids: list[list[int]] = encoded["input_ids"]
        return ids

    def _generate(self, groups: Sequence[list[list[int]]], decoding: Decoding) -> list[Generated]:
        import torch
        from transformers.modeling_outputs import BaseModelOutput

        # A checkpoint may have a minimum of its own, which is the setting's business.
        least = (
            {"min_new_tokens": decoding.min_tokens} if decoding.min_tokens else {"min_length": 0}
        )
        # One that always begins with the same token has it in its own configuration.
        first = {} if decoding.first is None else {"forced_bos_token_id": decoding.first}
        with torch.inference_mode():
            states, mask = encoded(self.network, groups)
            generated = self.network.generate(
                encoder_outputs=BaseModelOutput(last_hidden_state=states),
                attention_mask=mask,
                max_new_tokens=decoding.max_tokens,
                num_beams=decoding.beams,
                early_stopping=decoding.early and decoding.beams > 1,
                no_repeat_ngram_size=decoding.no_repeat,
                do_sample=False,
                return_dict_in_generate=True,
                output_scores=True,
                **least,
                **first,
            )
            scores = self.network.compute_transition_scores(
                generated.sequences,
                generated.scores,
                generated.get("beam_indices"),
                normalize_logits=True,
            )
        # One token starts the decoder; what is given is not written either.
        given = len(first)
        scores = scores[:, given:]
        written = generated.sequences[:, 1 + given : 1 + given + scores.shape[1]].cpu()
        mask = written != self.tokenizer.pad_token_id
        logs = (scores.cpu().float().nan_to_num(neginf=0.0) * mask).sum(1) / mask.sum(1).clamp(1)
        # BART and PEGASUS put the end token into the last place whatever the model wants.
        forced = self.network.generation_config.forced_eos_token_id is not None
        own = written[:, : decoding.max_tokens - given - forced]
        ends = (own == self.tokenizer.eos_token_id).any(1)
        decoded = self.tokenizer.batch_decode(written, skip_special_tokens=True)
        return [
            Generated(text.strip(), min(1.0, float(probability)), bool(whole))
            for text, probability, whole in zip(decoded, logs.exp(), ends, strict=True)
        ]


def encoded(model: Any, groups: Sequence[Sequence[Sequence[int]]]) -> tuple[Any, Any]:
    """The encoder's states of the texts of each group, one text after the other.

    Args:
        model: an encoder-decoder of transformers.
        groups: the token ids of each group's texts.

    Returns:
        The states [g, t, d] and their mask [g, t], padded on the right.
    """
    import torch
    from torch.nn.utils.rnn import pad_sequence

    ids = [one for group in groups for one in group]
    states: list[Any] = [None] * len(ids)
    for batch in by_length(list(map(len, ids)), _ENCODED_TOKENS):
        tokens, mask = padded([ids[row] for row in batch], model.config.pad_token_id)
        tokens, mask = tokens.to(model.device), mask.to(model.device)
        hidden = model.get_encoder()(input_ids=tokens, attention_mask=mask).last_hidden_state
        for row, state in zip(batch, hidden, strict=True):
            states[row] = state[: len(ids[row])]
    ends = list(accumulate(map(len, groups)))
    joined = [
        torch.cat(states[end - len(group) : end]) for group, end in zip(groups, ends, strict=True)
    ]
    lengths = torch.tensor([len(one) for one in joined], device=model.device)
    together = pad_sequence(joined, batch_first=True)
    places = torch.arange(together.shape[1], device=model.device)
    return together, (places < lengths[:, None]).long()
