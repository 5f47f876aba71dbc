"""The commands that do a stage's work on passages from standard input; they need no index."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from anaphora.cli.common import ConfigOption, JsonOption, print_json, read_config
from anaphora.errors import UsageError

if TYPE_CHECKING:
    from anaphora.config import RerankConfig
    from anaphora.protocols import Reranker
    from anaphora.records import Hit, Query


def rerank(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Put passages in order: questions with their passages in (JSON lines), rankings out.

    The judge orders them where the settings name no other reranker. All are judged that the time in
    rerank.rerank_ms allows; the others follow in the order in which they came.
    """
    from anaphora.cli.terminal import Screen
    from anaphora.serialization import ranking_form

    screen = Screen()
    reranker = _reranker(read_config(config).rerank)
    for query, hits in _asked():
        ranked = reranker.rerank([query], [hits], len(hits))[0]
        if as_json:
            print_json(ranking_form(query.id, ranked))
        else:
            screen.out.print(query.text, markup=False)
            screen.hits(ranked)
            screen.out.print()


def read(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Answer from passages: questions with their passages in (JSON lines), answers out.

    Of more passages than the reader takes, it is given those that rerank would put first. Small
    talk is replied to, as `ask` does.
    """
    from anaphora.cli.terminal import Screen
    from anaphora.language import is_small_talk
    from anaphora.pipeline import small_talk_answer
    from anaphora.read.methods import make_reader
    from anaphora.retrieve.encoders import load_encoder
    from anaphora.serialization import reading_form

    screen = Screen()
    given = read_config(config)
    reranker = _reranker(given.rerank)
    settings = given.read
    reader = make_reader(settings, encoder=load_encoder())
    for query, hits in _asked():
        if is_small_talk(query.text):
            answer = small_talk_answer(query.text, query.lang)
        else:
            if len(hits) > settings.passages:
                hits = reranker.rerank([query], [hits], len(hits))[0]
            answer = reader.read([query], [hits])[0]
        if as_json:
            print_json(reading_form(query.id, answer))
        else:
            screen.out.print(query.text, markup=False)
            screen.answer(answer)
            screen.out.print()


def _reranker(settings: RerankConfig) -> Reranker:
    """The configured one, else the judge, for any number of passages."""
    from anaphora.rerank.methods import make_reranker

    if settings.method == "none":
        settings = replace(settings, method="judge")
    # Passages come without scores of a search that could be weighed.
    reranker = make_reranker(replace(settings, top=sys.maxsize, weight=1.0))
    assert reranker
    return reranker


def _asked() -> Iterator[tuple[Query, list[Hit]]]:
    from anaphora.serialization import parse_asked, read_lines

    for number, record in read_lines(sys.stdin, "standard input"):
        try:
            yield parse_asked(record)
        except ValueError as error:
            raise UsageError(f"standard input, line {number}: {error}") from error
