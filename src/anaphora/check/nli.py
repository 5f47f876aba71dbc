"""Checking by any Hugging Face model for natural language inference: XNLI, mDeBERTa, TRUE, …"""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.check.facts import unsupported_facts
from anaphora.errors import ModelUnavailable
from anaphora.models.pretrained import by_length, cut, load
from anaphora.records import Claim, Support

_TOKENS_PER_BATCH = 8192
_LONGEST = 512
"""Tokens of evidence and statement: more is cut off at the end of the longer one."""
_ENTAILS = 0.5


class NliChecker:
    """A sequence classifier with a class "entailment", by name or local folder.

    The premise is a text of the evidence, or all of them together; the hypothesis is the question
    and the statement. The probability is the best one of entailment. A number, date or name that no
    evidence holds makes a statement unsupported, as with the default checker.

    Args:
        model: a name on the Hugging Face hub, or a folder.

    Raises:
        ModelUnavailable: transformers or torch is not installed, or the model cannot be loaded, has
            no trained head, or no class of that name.
    """

    def __init__(self, model: str) -> None:
        self._model = load("NLI model", model, "AutoModelForSequenceClassification")
        config = self._model.network.config
        classes = [
            int(number)
            for number, name in config.id2label.items()
            if str(name).lower() in ("entailment", "entails")
        ]
        if self._model.missing or len(classes) != 1:
            raise ModelUnavailable(
                f"the model {model} is not an NLI model: it has no trained class 'entailment'"
            )
        self._entailment = classes[0]
        self._longest = min(_LONGEST, self._model.longest_input)

    def check(self, claims: Sequence[Claim]) -> list[Support]:
        """The support of each claim, in their order."""
        pairs: list[tuple[str, str]] = []
        places: list[tuple[int, int]] = []
        for number, claim in enumerate(claims):
            said = f"{claim.question} {claim.statement}".strip()
            texts = [text for text in claim.evidence if text.strip()]
            for position, text in enumerate(claim.evidence):
                if text.strip() and claim.statement.strip():
                    pairs.append((text, said))
                    places.append((number, position))
            if len(texts) > 1 and claim.statement.strip():
                pairs.append(("\n".join(texts), said))
                places.append((number, -1))
        found: list[dict[int, float]] = [{} for _ in claims]
        for (number, position), probability in zip(places, self.entailment(pairs), strict=True):
            found[number][position] = probability
        return [_support(claim, one) for claim, one in zip(claims, found, strict=True)]

    def entailment(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The probability that each premise entails its hypothesis."""
        import torch

        if not pairs:
            return []
        encoded = self._model.tokenizer(
            cut([premise for premise, _ in pairs], self._longest),
            cut([hypothesis for _, hypothesis in pairs], self._longest),
            truncation="longest_first",
            max_length=self._longest,
        )
        probabilities = [0.0] * len(pairs)
        for batch in by_length([len(ids) for ids in encoded["input_ids"]], _TOKENS_PER_BATCH):
            padded = self._model.tokenizer.pad(
                {name: [values[row] for row in batch] for name, values in encoded.items()},
                return_tensors="pt",
            ).to(self._model.device)
            with torch.inference_mode():
                logits = self._model.network(**padded).logits.float().softmax(-1)
            for row, probability in zip(batch, logits[:, self._entailment].tolist(), strict=True):
                probabilities[row] = probability
        return probabilities


def _support(claim: Claim, found: dict[int, float]) -> Support:
    facts = unsupported_facts(claim)
    probability = max(found.values(), default=0.0)
    if probability < _ENTAILS or facts:
        whole = ((0, len(claim.statement)),) if claim.statement else ()
        return Support(False, min(probability, 0.1) if facts else probability, (), facts or whole)
    alone = tuple(at for at, one in sorted(found.items()) if at >= 0 and one >= _ENTAILS)
    every = tuple(at for at, text in enumerate(claim.evidence) if text.strip())
    return Support(True, probability, alone or every)
