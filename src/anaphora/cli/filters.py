"""The commands that rerank and read passages from standard input; they need no index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from anaphora.cli.common import ConfigOption, JsonOption, parse_input, print_json, read_config

if TYPE_CHECKING:
    from anaphora.config import Config
    from anaphora.protocols import Checker, Encoder, Reranker, Translator


def rerank(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Rerank passages: questions with their passages in (JSON lines), rankings out.

    Without a configured reranker the default one is used. It scores all passages, or as many as
    the time limit rerank.rerank_ms allows; the others follow in their order.
    """
    from anaphora.cli.terminal import Screen
    from anaphora.pipeline import rerank as reranked
    from anaphora.serialization import parse_candidates, ranking_to_dict

    screen = Screen()
    reranker = _reranker(read_config(config))
    for query, hits in parse_input(parse_candidates):
        (ranked,), cut = reranked(reranker, [query], [hits], len(hits))
        screen.cut(cut)
        if as_json:
            print_json(ranking_to_dict(query.id, ranked))
        else:
            screen.out.print(query.text, markup=False)
            screen.hits(ranked)
            screen.out.print()


def read(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Answer from passages: questions with their passages in (JSON lines), answers out.

    The reader gets the passages that rerank puts first, if there are more than it takes. A courtesy
    is replied to, as `ask` does.
    """
    from anaphora import registry
    from anaphora.cli.terminal import Screen
    from anaphora.pipeline import rerank as reranked
    from anaphora.records import Answer, Conversation, Turn
    from anaphora.serialization import parse_candidates, reading_to_dict
    from anaphora.understand import LanguageAndIntent

    screen = Screen()
    settings = read_config(config)
    reranker = _reranker(settings)
    reader = registry.build(settings.read, WithoutIndex(settings))
    understander = LanguageAndIntent()
    for query, hits in parse_input(parse_candidates):
        conversation = Conversation((Turn("user", query.text, query.lang),))
        (understanding,) = understander.understand([conversation])
        if understanding.intent != "question":
            answer = Answer(understanding.reply, query.lang, 1.0)
        else:
            if len(hits) > getattr(settings.read, "passages", len(hits)):
                (hits,), cut = reranked(reranker, [query], [hits], len(hits))
                screen.cut(cut)
            answer = reader.read([query], [hits])[0]
        if as_json:
            print_json(reading_to_dict(query.id, answer))
        else:
            screen.out.print(query.text, markup=False)
            screen.answer(answer)
            screen.writing(answer.writing)
            screen.out.print()


@dataclass(frozen=True)
class WithoutIndex:
    """The resources of a stage without an index."""

    settings: Config
    index = None
    sparse_encoder = None

    @property
    def checker(self) -> Checker | None:
        from anaphora import registry

        checker: Checker | None = registry.build(self.settings.check, self)
        return checker

    @property
    def translator(self) -> Translator | None:
        from anaphora import registry

        translator: Translator | None = registry.build(self.settings.translate, self)
        return translator

    @property
    def encoder(self) -> Encoder:
        from anaphora.retrieve.encoders import load_encoder

        return load_encoder()


def _reranker(settings: Config) -> Reranker:
    from anaphora import registry
    from anaphora.rerank.settings import for_given_passages

    chosen = for_given_passages(settings.rerank)
    reranker: Reranker = registry.build(chosen, WithoutIndex(settings))
    return reranker
