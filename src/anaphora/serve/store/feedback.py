"""What people say about answers, and the data set that it becomes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from anaphora.datasets.answer_turns import normalized
from anaphora.serve.store.conversations import (
    Form,
    NotFound,
    clean,
    find_conversation,
    find_turn,
    path_to,
)
from anaphora.serve.store.database import Database

Verdict: TypeAlias = Literal["right", "wrong", "wrong source", "should have abstained"]
Stage: TypeAlias = Literal["rewriting", "retrieval", "reranking", "reading", "language"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
BATCH: Final = 100


@dataclass(frozen=True, slots=True)
class Said:
    """A judgement of an answer.

    Attributes:
        stage: the one that was wrong, as the person thinks.
        expected: what a right answer says.
    """

    verdict: Verdict
    stage: Stage | None = None
    expected: str = ""
    comment: str = ""


class Feedback:
    """One judgement of each turn, the last one. It belongs to the owner of the conversation, and is
    deleted with it."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def give(self, owner: str, conversation: str, turn: str, said: Said) -> None:
        """Stores a judgement in place of an earlier one.

        Raises:
            NotFound: there is no such turn.
        """
        with self._database.writing() as connection:
            number, _ = find_conversation(connection, owner, conversation)
            connection.execute(
                "INSERT OR REPLACE INTO feedback"
                " (turn, owner, created, verdict, stage, expected, comment)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    find_turn(connection, number, turn),
                    *(owner, self._clock(), said.verdict, said.stage),
                    *(clean(said.expected), clean(said.comment)),
                ),
            )

    def withdraw(self, owner: str, conversation: str, turn: str) -> None:
        """Deletes a judgement, from all files.

        Raises:
            NotFound: there is no such turn, or nothing was said about it.
        """
        with self._database.writing() as connection:
            number, _ = find_conversation(connection, owner, conversation)
            removed = connection.execute(
                "DELETE FROM feedback WHERE turn = ?", (find_turn(connection, number, turn),)
            )
            if not removed.rowcount:
                raise NotFound("feedback")
        self._database.purge()

    def listed(
        self, owner: str, everybody: bool = False, after: int | None = None, limit: int = 50
    ) -> tuple[list[Form], int | None]:
        """A page of the judgements, the newest first, and the `after` of the next page.

        Args:
            everybody: also those of other owners, but not their conversations: ids and questions of
                these are None.
        """
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT f.number, f.owner, c.id, t.id, t.question, f.verdict, f.stage, f.expected,"
                " f.comment, f.created FROM feedback f JOIN turns t ON t.number = f.turn"
                " JOIN conversations c ON c.number = t.conversation"
                " WHERE (f.owner = ? OR ?) AND (? IS NULL OR f.number < ?)"
                " ORDER BY f.number DESC LIMIT ?",
                (owner, everybody, after, after, limit + 1),
            ).fetchall()
        names = "conversation", "turn", "question"
        found = [
            {
                **dict(zip(names, about if other == owner else (None,) * 3, strict=True)),
                "verdict": verdict,
                "stage": stage,
                "expected": expected,
                "comment": comment,
                "created": created,
            }
            for _, other, *about, verdict, stage, expected, comment, created in rows[:limit]
        ]
        return found, rows[limit - 1][0] if rows[limit:] else None

    def examples(self, owner: str) -> Iterator[Form]:
        """The questions of an owner that were judged, as `anaphora eval answers` reads them, the
        oldest first."""
        after = 0
        while True:
            with self._database.reading() as connection:
                rows = connection.execute(
                    "SELECT f.number, t.number, t.parent, t.id, t.answer, f.verdict, f.stage,"
                    " f.expected"
                    " FROM feedback f JOIN turns t ON t.number = f.turn"
                    " WHERE f.owner = ? AND f.number > ? ORDER BY f.number LIMIT ?",
                    (owner, after, BATCH),
                ).fetchall()
                paths = [path_to(connection, parent) for _, _, parent, *_ in rows]
            for row, path in zip(rows, paths, strict=True):
                _, _, _, id, answer, verdict, stage, expected = row
                found = example(id, json.loads(answer), verdict, expected)
                if found:
                    history = [
                        {"role": turn.role, "text": turn.text} for turn in path if turn.text.strip()
                    ]
                    yield {**found, **({"stage": stage} if stage else {}), "history": history}
            if len(rows) < BATCH:
                return
            after = rows[-1][0]


def example(id: str, answer: Mapping[str, Any], verdict: Verdict, expected: str) -> Form | None:
    """A judged answer as a question of docs/json.md, "Input: answers", without its history.

    A right answer must still show the shortest answer of its first citation, or else its quote, and
    from the same document. A wrong one must show what was expected; nothing can be asked of it if
    nobody said what that is.
    """
    sources: list[str] = []
    nuggets: list[list[str]] = []
    if verdict == "right" and not answer.get("abstained"):
        cited = answer.get("citations") or ()
        if not cited:
            return None
        nuggets = [[literal(cited[0]["span"] or cited[0]["quote"])]]
        sources = list(dict.fromkeys(one["doc_id"] for one in cited if one["doc_id"].strip("/ ")))
    elif verdict in ("wrong", "wrong source"):
        nuggets = [[literal(expected)]]
    if not all(normalized(text) for nugget in nuggets for text in nugget):
        return None
    return {
        "id": id,
        "collection": answer.get("index") or "documents",
        "question": answer["question"],
        "nuggets": nuggets,
        "sources": sources,
        "kind": verdict,
        "lang": answer.get("lang") or "unknown",
        "answerable": bool(nuggets),
    }


def literal(text: str) -> str:
    """The text as a nugget that is no pattern."""
    return text.strip() if not text.strip().startswith("re:") else f" {text.strip()}"
