"""Trains a sequence-to-sequence rewriter.

The defaults are those of Ferreira et al. (2021), "Open-Domain Conversational Search Assistant with
Transformers", section 4.2: T5-base on CANARD, 4,000 steps of 256 examples, a learning rate of 1e-4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from anaphora.datasets.example import Example
from anaphora.errors import AnaphoraError
from anaphora.models.pretrained import load
from anaphora.models.seq2seq import CLASS, WHAT
from anaphora.protocols import Progress, no_progress
from anaphora.rewrite.seq2seq import CONTEXT, INPUT_TOKENS, OUTPUT_TOKENS, TURN, model_input
from anaphora.train import generation, loop
from anaphora.train.generation import MAY_CHANGE, Pair


@dataclass(frozen=True, kw_only=True)
class Recipe(generation.Recipe):
    """How a sequence-to-sequence rewriter is trained."""

    steps: int = 4000
    batch: int = 256
    input_tokens: int = INPUT_TOKENS
    output_tokens: int = OUTPUT_TOKENS


def train_seq2seq(
    examples: Sequence[Example],
    base_model: str,
    out: Path,
    recipe: Recipe | None = None,
    progress: Progress = no_progress,
) -> Path:
    """Trains `base_model` to turn each example's question into its first rewrite.

    An interrupted run that is continued by the same call ends with the weights that it would have
    had without the interruption. A finished run can be continued with more steps.

    Args:
        base_model: the name of a model on the Hugging Face hub, or a folder.
        out: becomes the folder of a model, for `Seq2SeqRewriter`.

    Returns:
        `out`.

    Raises:
        AnaphoraError: no example can be learned from.
        UsageError: `out` holds a run with another recipe.
        ModelUnavailable: the base model cannot be loaded.
    """
    recipe = recipe or Recipe()
    base = load(WHAT, base_model, CLASS)
    tokenizer, model = base.tokenizer, base.network
    added = tokenizer.add_special_tokens({"additional_special_tokens": [CONTEXT, TURN]})
    if added:
        torch.manual_seed(recipe.seed)
        model.resize_token_embeddings(max(len(tokenizer), model.config.vocab_size))
    pairs = _pairs(examples, tokenizer)
    run = loop.Run(out, recipe, generation.digest(pairs), MAY_CHANGE, base_model=base_model)
    generation.train(run, recipe, model, tokenizer, pairs, progress)
    return out


def _pairs(examples: Sequence[Example], tokenizer: Any) -> list[Pair]:
    """Inputs and targets, without the questions that are too long to be rewritten."""

    def count(text: str) -> int:
        return len(tokenizer(text, add_special_tokens=False)["input_ids"])

    pairs = []
    for example in examples:
        source = model_input(example.conversation, count) if example.rewrites else None
        if source and example.rewrites[0].strip():
            pairs.append(Pair((source[0],), " ".join(example.rewrites[0].split())))
    if not pairs:
        raise AnaphoraError("none of the examples has a question and a rewrite to learn from")
    return pairs
