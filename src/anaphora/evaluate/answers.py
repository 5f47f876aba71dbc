"""Whether answers are useful: they show the facts that they should, from the right documents."""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from anaphora.assistant import Assistant
from anaphora.datasets.answer_turns import AnswerTurn
from anaphora.errors import AnaphoraError, UsageError
from anaphora.evaluate.answer_figures import Result, Shown, figures, nuggets_found
from anaphora.evaluate.formatting import counted
from anaphora.evaluate.llm_judge import Case, LLMJudge
from anaphora.evaluate.metrics import grounding
from anaphora.evaluate.systems import System, check_names
from anaphora.index import open_index
from anaphora.ingest.update import update
from anaphora.pipeline import Pipeline
from anaphora.protocols import Checker, Encoder, Progress, no_progress
from anaphora.records import Answer, Conversation, Hit, Turn
from anaphora.retrieve.encoders import load_encoder

logger = logging.getLogger(__name__)

BASELINES = {"best passage": 1, "best three": 3}
"""What would be shown without a reader: the text of so many of the first hits."""


@dataclass(frozen=True)
class AnswerEvaluation:
    """How answers are measured.

    Args:
        turns: the questions.
        folders: from the name of a collection to the folder of its documents. The questions on
            other collections are not asked.
        out: the folder of results and of the indexes, which are kept in `cache`.
        lexical: whether the indexes are built without vectors.
        limit: how many turns are asked, from the first; None for all.
        checker: measures whether the citations support the answers; None to leave it out.
        judge: says of each answer whether it is right, baselines included; None to leave it out.
    """

    turns: Sequence[AnswerTurn]
    folders: Mapping[str, Path]
    out: Path
    lexical: bool = False
    limit: int | None = None
    checker: Checker | None = None
    judge: LLMJudge | None = None

    def run(
        self, systems: Sequence[System], progress: Progress = no_progress
    ) -> dict[str, list[Result]]:
        """The results of every system and of its baselines, by name.

        The indexes are built, or brought up to date. Every turn is asked with its own history and
        without time limits.

        Raises:
            UsageError: two systems share a name, a folder does not exist, or no turn is left.
            AnaphoraError: an index or a result cannot be written.
        """
        check_names(systems)
        turns = self._asked()
        encoder = None if self.lexical else load_encoder()
        indexes = {
            name: self.index(name, encoder, progress)
            for name in dict.fromkeys(turn.collection for turn in turns)
        }
        found: dict[str, list[Result]] = {}
        for system in systems:
            logger.info(f"pipeline {system.name}: {counted(len(turns), 'turn', 'turns')}")
            prefix = f"{system.name}: " if len(systems) > 1 else ""
            results = self._judged(_ask(system, turns, indexes, self.checker, progress))
            self._write(system, results)
            found[system.name] = results
            for name, count in BASELINES.items():
                found[prefix + name] = self._judged([_baseline(one, count) for one in results])
        return found

    def _asked(self) -> list[AnswerTurn]:
        skipped = Counter(
            turn.collection for turn in self.turns if turn.collection not in self.folders
        )
        if skipped:
            names = ", ".join(f"{name} ({count:,})" for name, count in skipped.items())
            logger.info(f"turns on collections without --documents are skipped: {names}")
        turns = [turn for turn in self.turns if turn.collection in self.folders][: self.limit]
        if not turns:
            names = ", ".join(dict.fromkeys(turn.collection for turn in self.turns))
            raise UsageError(
                f"no turn is left: give --documents NAME=FOLDER for one of {names or 'none'}"
            )
        return turns

    def index(self, name: str, encoder: Encoder | None, progress: Progress = no_progress) -> Path:
        """The folder of the collection's index, up to date. Another folder or encoder has an index
        of its own."""
        documents = self.folders[name].resolve()
        key = f"{name}\n{documents}\n{encoder.name if encoder else ''}"
        digest = hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:8]
        readable = re.sub(r"[^-.=\w]+", "-", name)
        home = self.out / "cache" / "answers" / f"{readable}-{digest}"
        report = update(home, [documents], encoder, progress)
        if not report.held:
            raise AnaphoraError(f"{self.folders[name]} holds no document that can be read")
        return home

    def _judged(self, results: list[Result]) -> list[Result]:
        if self.judge is None:
            return results
        cases = [Case(one.rewrite, one.turn.nuggets, one.shown.text) for one in results]
        verdicts = self.judge.judge(cases)
        return [replace(one, verdict=said) for one, said in zip(results, verdicts, strict=True)]

    def _write(self, system: System, results: Sequence[Result]) -> None:
        path = self.out / "answers" / f"{system.slug}.json"
        form = {
            "name": system.name,
            "figures": figures(results),
            "turns": [result_to_dict(result) for result in results],
        }
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(form, ensure_ascii=False, indent=1) + "\n"
            path.write_text(text, "utf-8", errors="backslashreplace")
        except OSError as error:
            raise AnaphoraError(f"{path} cannot be written: {error.strerror}") from error
        logger.info(f"written: {path}")


def _ask(
    system: System,
    turns: Sequence[AnswerTurn],
    indexes: Mapping[str, Path],
    checker: Checker | None,
    progress: Progress,
) -> list[Result]:
    results: dict[str, Result] = {}
    for name, folder in indexes.items():
        with Assistant(open_index(folder), system.config.without_time_limits()) as assistant:
            own = system.pipeline
            pipeline = own if isinstance(own, Pipeline) else assistant.pipeline
            for turn in turns:
                if turn.collection == name:
                    progress("asking", len(results), len(turns))
                    question = Turn("user", turn.question)
                    answer = pipeline.answer(Conversation((*turn.history, question)))
                    results[turn.id] = _result(turn, answer, checker)
    progress("asking", len(turns), len(turns))
    return [results[turn.id] for turn in turns]


def _result(turn: AnswerTurn, answer: Answer, checker: Checker | None) -> Result:
    rewrite = answer.trace.rewrite if answer.trace else None
    searched = rewrite.text if rewrite else turn.question
    seen = Shown(
        answer.text,
        tuple(citation.doc_id for citation in answer.citations),
        answer.confidence,
        answer.abstained,
        turn.lang,
        grounding(answer, checker, searched) if checker else None,
    )
    return _measured(turn, seen, answer.trace.hits if answer.trace else (), searched)


def _baseline(result: Result, count: int) -> Result:
    """The text of the first hits as an answer that never abstains."""
    passages = [hit.passage for hit in result.hits[:count]]
    seen = Shown(
        "\n\n".join(passage.text for passage in passages),
        tuple(passage.doc_id for passage in passages),
        lang=result.turn.lang,
    )
    return _measured(result.turn, seen, result.hits, result.rewrite)


def _measured(turn: AnswerTurn, seen: Shown, hits: tuple[Hit, ...], rewrite: str) -> Result:
    """An abstention shows no nugget, also where it quotes what is near."""
    text = "" if seen.abstained else seen.text
    return Result(turn, seen, hits, rewrite, nuggets_found(turn.nuggets, text))


def result_to_dict(result: Result) -> dict[str, Any]:
    """One turn, for a person to read."""
    turn = result.turn
    return {
        "id": turn.id,
        "collection": turn.collection,
        "kind": turn.kind,
        "lang": turn.lang,
        "history": [{"role": one.role, "text": one.text} for one in turn.history],
        "question": turn.question,
        "rewrite": result.rewrite,
        "answer": result.shown.text,
        "confidence": result.shown.confidence,
        "abstained": result.shown.abstained,
        "answerable": turn.answerable,
        "right": result.right,
        "verdict": result.verdict,
        "nuggets": [
            {"alternatives": list(nugget), "found": found}
            for nugget, found in zip(turn.nuggets, result.found, strict=True)
        ],
        "sources": list(turn.sources),
        "cited": list(result.shown.documents),
        "right_source": result.right_source,
        "length": len(result.shown.text),
        "hits": [hit.passage.passage_id for hit in result.hits],
        "answering_rank": result.answering_rank,
    }
