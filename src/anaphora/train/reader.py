"""Trains a sequence-to-sequence reader, or one with Fusion-in-Decoder.

The defaults are those of Izacard and Grave (2021), "Leveraging Passage Retrieval with Generative
Models for Open Domain Question Answering", section 4: 10,000 steps of 64 examples and a constant
learning rate of 1e-4. Gowriraj et al. (2023), "Assessing ChatGPT-Based Query Rewriting and
Language-Agnostic Transformers for Multilingual Document-Grounded QA", train mT5 in both ways on
DialDoc 2023 (section 4.3, Table 3).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.datasets.example import Example
from anaphora.errors import AnaphoraError
from anaphora.evaluate.collection import index_documents
from anaphora.index import BM25, open_index
from anaphora.models.seq2seq import Seq2SeqModel
from anaphora.protocols import Progress, no_progress
from anaphora.read.inputs import Form, alone, together
from anaphora.read.seq2seq import Kind, describe
from anaphora.records import Document, Hit, Passage, Query
from anaphora.retrieve.lexical import LexicalRetriever
from anaphora.train import generation, loop
from anaphora.train.generation import MAY_CHANGE, Pair


@dataclass(frozen=True, kw_only=True)
class Recipe(generation.Recipe):
    """How a reader is trained.

    Attributes:
        passages: how many passages an example has.
        form: what its input contains.
    """

    steps: int = 10_000
    batch: int = 64
    at_once: int = 4
    passages: int = 5
    form: Form = "history"
    output_tokens: int = 128


def train_reader(
    examples: Iterable[Example],
    documents: Iterable[Document],
    kind: Kind,
    base_model: str,
    out: Path,
    recipe: Recipe | None = None,
    progress: Progress = no_progress,
) -> Path:
    """Trains `base_model` to write each example's first answer.

    An example's passages are the best by BM25 for its question with the turns before it, in their
    order. A passage that answers and was not found replaces one of them: any, so that nothing can
    be learned from its place. A run is interrupted and
    continued as one of `train_seq2seq`.

    Args:
        documents: the passages of the data set.
        base_model: the name of a model on the Hugging Face hub, or a folder.
        out: becomes the folder of a model, for the reader of the same kind.

    Returns:
        `out`.

    Raises:
        AnaphoraError: no example can be learned from.
        UsageError: `out` holds a run with another recipe or other data.
        ModelUnavailable: the base model cannot be loaded.
    """
    recipe = recipe or Recipe()
    usable = [one for one in examples if one.answers and one.answers[0].strip() and _gold(one)]
    found = _passages(usable, documents, recipe.passages, out, progress) if usable else []
    model = Seq2SeqModel(base_model)
    pairs = _pairs(usable, found, kind, model, recipe)
    if not pairs:
        raise AnaphoraError(
            "none of the examples has an answer and a relevant passage to learn from"
        )
    data = generation.digest(pairs)
    run = loop.Run(out, recipe, data, MAY_CHANGE, kind=kind, base_model=base_model)
    generation.train(run, recipe, model.network, model.tokenizer, pairs, progress)
    describe(out, kind, recipe.form)
    return out


def _pairs(
    examples: Sequence[Example],
    found: Sequence[Sequence[Hit]],
    kind: Kind,
    model: Seq2SeqModel,
    recipe: Recipe,
) -> list[Pair]:
    room, build = (
        min(recipe.input_tokens, model.longest_input),
        alone if kind == "fid" else together,
    )
    pairs = []
    for example, hits in zip(examples, found, strict=True):
        made = build(_query(example), hits, recipe.form, room, model.size)
        if made.texts:
            pairs.append(Pair(made.texts, " ".join(example.answers[0].split())))
    return pairs


def _passages(
    examples: Sequence[Example],
    documents: Iterable[Document],
    count: int,
    folder: Path,
    progress: Progress,
) -> list[list[Hit]]:
    """The passages of each example, the best first; without one that answers, none."""
    home = index_documents(folder / "passages", documents, None, progress)
    if home is None:
        return [[] for _ in examples]
    index = open_index(home)
    try:
        searched = [_searched(one) for one in examples]
        ranked = LexicalRetriever(index, BM25()).retrieve(searched, count)
        known = index.passages(list(dict.fromkeys(id for one in examples for id in _gold(one))))
        results = []
        for example, hits in zip(examples, ranked, strict=True):
            gold = [known[id] for id in _gold(example) if id in known]
            if gold and not any(hit.passage in gold for hit in hits):
                hits = _replaced(hits, gold[0], count, random.Random(example.id))
            results.append(hits if gold else [])
        return results
    finally:
        index.close()


def _replaced(hits: Sequence[Hit], passage: Passage, count: int, rng: random.Random) -> list[Hit]:
    """At most `count` hits with the passage at a random place."""
    kept = list(hits[: count - 1])
    place = rng.randint(0, len(kept))
    return [*kept[:place], Hit(passage, 0.0, place + 1), *kept[place:]]


def _gold(example: Example) -> list[str]:
    """The ids of the passages that answer, the best first."""
    grades = example.relevant
    return sorted((id for id in grades if grades[id] > 0), key=lambda id: (-grades[id], id))


def _query(example: Example) -> Query:
    """The query as a reader gets it: with the reference rewrite where there is one."""
    text = example.rewrites[0] if example.rewrites else example.question
    return Query(text, example.conversation.lang, conversation=example.conversation)


def _searched(example: Example) -> Query:
    """The question with the turns before it, or its rewrite alone."""
    turns = example.conversation.turns
    text = example.rewrites[0] if example.rewrites else " ".join(turn.text for turn in turns)
    return Query(text, example.conversation.lang)
