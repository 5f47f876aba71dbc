"""Hard negatives: passages that hybrid retrieval ranks high and that do not answer the question."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from anaphora.assistant import Assistant
from anaphora.evaluate.collection import index_documents
from anaphora.index import open_index
from anaphora.protocols import Progress, no_progress
from anaphora.records import Document, Query
from anaphora.retrieve.encoders import load_encoder
from anaphora.train.crossencoder.questions import Pool, Question, without_answer

_DEPTH = 30
KEPT = 12
_OF_ORIGINAL = 4
"""A question in another language than its passage has this many negatives of the original question,
and random passages in the passage's language. Retrieval for the question itself finds mostly
passages in its own language, from which the model would learn to trust any other language."""
_AT_ONCE = 256


def mined(
    pool: Pool,
    questions: Sequence[Question],
    folder: Path,
    progress: Progress = no_progress,
) -> list[Question]:
    """The questions with the best passages of the pool that do not contain their answers.

    A question that no passage answers keeps its negatives. One in another language than its
    passage gets negatives in the language of the passage. The pool is indexed in `folder`, once.
    """
    encoder = load_encoder()
    documents = [
        Document(one.doc_id, one.title, one.text, one.lang, whole=True) for one in pool.passages
    ]
    home = index_documents(folder, documents, encoder, progress)
    if home is None:
        return list(questions)
    retriever = Assistant(open_index(home)).retriever
    found: list[Question] = []
    for start in range(0, len(questions), _AT_ONCE):
        part = questions[start : start + _AT_ONCE]
        queries = [Query(one.text, one.lang) for one in part]
        for one, hits in zip(part, retriever.retrieve(queries, _DEPTH), strict=True):
            numbers = [int(hit.passage.doc_id) for hit in hits]
            near = without_answer(numbers, one, pool)[:KEPT] if one.passages else one.negatives
            found.append(replace(one, negatives=near))
        progress("mining", len(found), len(questions))
    known = {(one.passages, one.text): one.negatives for one in found if one.passages}
    rng = random.Random(0)
    return [
        _in_passage_language(one, known.get((one.passages, one.original), ()), pool, rng)
        if one.original and one.passages
        else one
        for one in found
    ]


def _in_passage_language(
    one: Question, original: Sequence[int], pool: Pool, rng: random.Random
) -> Question:
    (number, *_) = one.passages
    same = pool.of_language(pool.passages[number].lang)
    drawn = without_answer(rng.sample(same, min(KEPT, len(same))), one, pool)
    return replace(one, negatives=tuple(dict.fromkeys((*original[:_OF_ORIGINAL], *drawn)))[:KEPT])
