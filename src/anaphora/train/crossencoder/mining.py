"""Hard negatives: passages that hybrid retrieval ranks high and that do not answer the question."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from anaphora.assistant import Assistant
from anaphora.evaluate.collection import index_documents
from anaphora.index import BM25, open_index
from anaphora.protocols import Progress, no_progress
from anaphora.records import Document, Query
from anaphora.retrieve.encoders import load_encoder
from anaphora.retrieve.lexical import LexicalRetriever
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
    *,
    lexical: bool = False,
) -> list[Question]:
    """The questions with the best passages of the pool that do not contain their answers.

    A question that has negatives keeps them. One in another language than its passage gets
    negatives in the language of the passage. The pool is indexed in `folder`, once.

    Args:
        lexical: search for words alone, which takes a small part of the time.
    """
    encoder = None if lexical else load_encoder()
    documents = [
        Document(one.doc_id, one.title, one.text, one.lang, whole=True) for one in pool.passages
    ]
    home = index_documents(folder, documents, encoder, progress)
    if home is None:
        return list(questions)
    index = open_index(home)
    retriever = LexicalRetriever(index, BM25()) if lexical else Assistant(index).retriever
    found = list(questions)
    rows = [row for row, one in enumerate(questions) if not one.negatives]
    for start in range(0, len(rows), _AT_ONCE):
        part = rows[start : start + _AT_ONCE]
        queries = [Query(questions[row].text, questions[row].lang) for row in part]
        for row, hits in zip(part, retriever.retrieve(queries, _DEPTH), strict=True):
            numbers = [int(hit.passage.doc_id) for hit in hits]
            near = without_answer(numbers, questions[row], pool)[:KEPT]
            found[row] = replace(questions[row], negatives=near)
        progress("mining", start + len(part), len(rows))
    known = {(found[row].passages, found[row].text): found[row].negatives for row in rows}
    rng = random.Random(0)
    for row in rows:
        one = found[row]
        if one.original:
            near = known.get((one.passages, one.original), ())
            found[row] = _in_passage_language(one, near, pool, rng)
    return found


def _in_passage_language(
    one: Question, original: Sequence[int], pool: Pool, rng: random.Random
) -> Question:
    (number, *_) = one.passages
    same = pool.of_language(pool.passages[number].lang)
    drawn = without_answer(rng.sample(same, min(KEPT, len(same))), one, pool)
    return replace(one, negatives=tuple(dict.fromkeys((*original[:_OF_ORIGINAL], *drawn)))[:KEPT])
