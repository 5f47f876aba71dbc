"""Hard negatives: what hybrid retrieval takes for an answer and is none."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from anaphora.assistant import Assistant
from anaphora.evaluate.cache import Progress
from anaphora.evaluate.collection import index_documents
from anaphora.index import open_index
from anaphora.records import Document, Query
from anaphora.retrieve.encoders import load_encoder
from anaphora.train.judge.questions import Asked, Pool, without

_DEPTH = 30
KEPT = 12
_OF_ORIGINAL = 4
"""Of a question in another language than its passage as many are its original's, and the others any
passages in the passage's language. What is found for the question itself is mostly in its own, and
the judge would learn to trust whatever is in another language."""
_AT_ONCE = 256


def mined(
    pool: Pool,
    asked: Sequence[Asked],
    folder: Path,
    progress: Progress = lambda *_: None,
) -> list[Asked]:
    """The questions with the best passages of the pool that do not hold their answers.

    A question that no passage answers keeps the passages it has, and one in another language than
    its passage gets wrong ones in the passage's. The pool is indexed in `folder`, once.
    """
    encoder = load_encoder()
    documents = [
        Document(one.doc_id, one.title, one.text, one.lang, whole=True) for one in pool.passages
    ]
    home = index_documents(folder, documents, encoder, progress)
    if home is None:
        return list(asked)
    retriever = Assistant(open_index(home)).retriever
    found: list[Asked] = []
    for start in range(0, len(asked), _AT_ONCE):
        part = asked[start : start + _AT_ONCE]
        queries = [Query(one.question, one.lang) for one in part]
        for one, hits in zip(part, retriever.retrieve(queries, _DEPTH), strict=True):
            numbers = [int(hit.passage.doc_id) for hit in hits]
            near = without(numbers, one, pool)[:KEPT] if one.passages else one.negatives
            found.append(replace(one, negatives=near))
        progress("mining", len(found), len(asked))
    known = {(one.passages, one.question): one.negatives for one in found if one.passages}
    rng = random.Random(0)
    return [
        _across(one, known.get((one.passages, one.original), ()), pool, rng)
        if one.original and one.passages
        else one
        for one in found
    ]


def _across(one: Asked, original: Sequence[int], pool: Pool, rng: random.Random) -> Asked:
    (number, *_) = one.passages
    same = pool.of_language(pool.passages[number].lang)
    any_of = without(rng.sample(same, min(KEPT, len(same))), one, pool)
    return replace(one, negatives=tuple(dict.fromkeys((*original[:_OF_ORIGINAL], *any_of)))[:KEPT])
