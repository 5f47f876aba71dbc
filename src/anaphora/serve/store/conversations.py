"""Conversations as trees of turns."""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from anaphora.errors import AnaphoraError
from anaphora.records import Turn
from anaphora.serialization import parse_turn
from anaphora.serve.store.database import Database, Row
from anaphora.serve.store.folding import folded

HISTORY: Final = 30
"""Turns before a question that the pipeline is given, from the newest back."""
TITLE: Final = 80
"""Characters of a title that is made from a question."""
BATCH: Final = 200
"""Turns that are read in one transaction of an export."""

Form = dict[str, Any]


class NotFound(AnaphoraError):
    """There is no such thing, or it belongs to somebody else; the caller does not learn which."""

    def __init__(self, what: str) -> None:
        super().__init__(f"there is no such {what}")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question stands.

    Attributes:
        conversation: its id.
        index: the name of the index that the conversation was begun with.
        parent: the id of the turn before; None at the beginning.
        history: the turns on the path from the beginning, the newest `HISTORY` of them, with their
            languages and citations.
    """

    conversation: str
    index: str
    parent: str | None
    history: tuple[Turn, ...]


class Conversations:
    """The conversations of all owners. Every method takes the owner, and sees no other's.

    Args:
        clock: seconds since 1970. It is shown, and decides nothing: turns and conversations are in
            the order in which they were stored.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def create(self, owner: str, index: str, title: str = "") -> Form:
        """A conversation without turns; without a title it gets that of its first question."""
        with self._database.writing() as connection:
            number = self._create(connection, owner, index, title)
            return _listed(_one(connection, _LISTED + " WHERE c.number = ?", number))

    def _create(self, connection: sqlite3.Connection, owner: str, index: str, title: str) -> int:
        now = self._clock()
        title = clean(title)
        (number,) = _one(
            connection,
            "INSERT INTO conversations (id, owner, title, searched, index_name, created, changed,"
            f" place) VALUES (?, ?, ?, ?, ?, ?, ?, {_NEXT_PLACE}) RETURNING number",
            *(new_id(), owner, title, folded(title), index, now, now),
        )
        return int(number)

    def place(self, owner: str, conversation: str, parent: str | None, newest: bool) -> Place:
        """Where a question that is asked now stands.

        Args:
            parent: the turn after which it is asked; None for the beginning.
            newest: asked after the newest turn, whatever `parent` is.

        Raises:
            NotFound: there is no such conversation or turn.
        """
        with self._database.reading() as connection:
            number, _ = find_conversation(connection, owner, conversation)
            (index,) = _one(
                connection, "SELECT index_name FROM conversations WHERE number = ?", number
            )
            at = None
            if newest:
                found = connection.execute(
                    "SELECT number FROM turns WHERE conversation = ? ORDER BY number DESC LIMIT 1",
                    (number,),
                ).fetchone()
                at = found[0] if found else None
            elif parent is not None:
                at = find_turn(connection, number, parent)
            history = path_to(connection, at)
            row = connection.execute("SELECT id FROM turns WHERE number = ?", (at,)).fetchone()
        return Place(conversation, index, row[0] if row else None, history)

    def keep(
        self,
        owner: str,
        place: Place | None,
        index: str,
        answer: Mapping[str, Any],
        trace: Mapping[str, Any] | None = None,
    ) -> tuple[str, str]:
        """Stores a finished turn in one transaction. When this returns, it is on the disk.

        Args:
            place: where the question stood; None for a new conversation.
            answer: the form of `ask --json`.
            trace: the form of a trace.

        Returns:
            The ids of the conversation and of the turn.

        Raises:
            NotFound: the conversation has been deleted meanwhile.
        """
        question = clean(str(answer["question"]))
        id = new_id()
        with self._database.writing() as connection:
            if place is None:
                number = self._create(connection, owner, index, "")
                parent = None
            else:
                number, _ = find_conversation(connection, owner, place.conversation)
                parent = find_turn(connection, number, place.parent) if place.parent else None
            now = self._clock()
            (turn,) = _one(
                connection,
                "INSERT INTO turns (id, conversation, parent, created, searched, question, answer)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number",
                *(id, number, parent, now, folded(f"{question}\n{clean(str(answer['answer']))}")),
                *(question, _json(answer)),
            )
            if trace is not None:
                connection.execute("INSERT INTO traces VALUES (?, ?)", (turn, _json(trace)))
            title = title_of(question)
            connection.execute(
                "UPDATE conversations SET title = ?, searched = ? WHERE number = ? AND title = ''",
                (title, folded(title), number),
            )
            connection.execute(
                f"UPDATE conversations SET changed = ?, place = {_NEXT_PLACE} WHERE number = ?",
                (now, number),
            )
            (conversation,) = _one(
                connection, "SELECT id FROM conversations WHERE number = ?", number
            )
        return str(conversation), id

    def listed(
        self, owner: str, query: str = "", after: int | None = None, limit: int = 50
    ) -> tuple[list[Form], int | None]:
        """A page of the conversations, the one that was changed last first, and the `after` of the
        next page.

        Args:
            query: words that all occur in the title, the questions or the answers, as `folded`
                compares them; also in the middle of other words, as Chinese needs it.
        """
        words = folded(clean(query)).split()
        held = (
            " AND (instr(c.searched, ?) OR EXISTS (SELECT 1 FROM turns t WHERE"
            " t.conversation = c.number AND instr(t.searched, ?)))"
        )
        where = " WHERE c.owner = ? AND (? IS NULL OR c.place < ?)" + held * len(words)
        with self._database.reading() as connection:
            rows = connection.execute(
                _LISTED + where + " ORDER BY c.place DESC LIMIT ?",
                (owner, after, after, *(word for word in words for _ in range(2)), limit + 1),
            ).fetchall()
        return [_listed(row) for row in rows[:limit]], rows[limit - 1][-1] if rows[limit:] else None

    def get(
        self, owner: str, conversation: str, after: int = 0, limit: int = 500
    ) -> tuple[Form, int | None]:
        """A conversation with a page of its turns, the oldest first, and the `after` of the next.

        Raises:
            NotFound: there is no such conversation.
        """
        with self._database.reading() as connection:
            number, share = find_conversation(connection, owner, conversation)
            form = _listed(_one(connection, _LISTED + " WHERE c.number = ?", number))
            turns, following = _page(connection, number, after, limit)
        return {**form, "turns": turns, "shared": share}, following

    def shared(self, share: str, after: int = 0, limit: int = 500) -> tuple[Form, int | None]:
        """As `get`, of a conversation that its owner shares, without their feedback.

        Raises:
            NotFound: nothing is shared under this name.
        """
        with self._database.reading() as connection:
            row = connection.execute(_LISTED + " WHERE c.share = ?", (clean(share),)).fetchone()
            if row is None:
                raise NotFound("shared conversation")
            number = row[0]
            turns, following = _page(connection, number, after, limit)
        for turn in turns:
            turn["feedback"] = None
        return {**_listed(row), "turns": turns}, following

    def turns(self, owner: str, conversation: str) -> Iterator[Form]:
        """All turns of a conversation, the oldest first, in batches of `BATCH`.

        Raises:
            NotFound: there is no such conversation, or not any more.
        """
        after: int | None = 0
        while after is not None:
            form, after = self.get(owner, conversation, after, BATCH)
            yield from form["turns"]

    def rename(self, owner: str, conversation: str, title: str) -> Form:
        """Gives a conversation another title; its place in the list stays.

        Raises:
            NotFound: there is no such conversation.
        """
        title = clean(title)
        with self._database.writing() as connection:
            number, _ = find_conversation(connection, owner, conversation)
            connection.execute(
                "UPDATE conversations SET title = ?, searched = ? WHERE number = ?",
                (title, folded(title), number),
            )
            return _listed(_one(connection, _LISTED + " WHERE c.number = ?", number))

    def delete(self, owner: str, conversation: str) -> None:
        """Deletes a conversation with its turns, traces and feedback, from all files.

        Raises:
            NotFound: there is no such conversation.
        """
        with self._database.writing() as connection:
            number, _ = find_conversation(connection, owner, conversation)
            connection.execute("DELETE FROM conversations WHERE number = ?", (number,))
        self._database.purge()

    def delete_all(self, owner: str) -> int:
        """Deletes all conversations of an owner, from all files. Returns their number."""
        with self._database.writing() as connection:
            deleted = connection.execute("DELETE FROM conversations WHERE owner = ?", (owner,))
            count = deleted.rowcount
        self._database.purge()
        return count

    def share(self, owner: str, conversation: str) -> str:
        """The name under which others may read the conversation, the same one every time.

        Raises:
            NotFound: there is no such conversation.
        """
        with self._database.writing() as connection:
            number, share = find_conversation(connection, owner, conversation)
            if share is None:
                share = secrets.token_urlsafe(24)
                connection.execute(
                    "UPDATE conversations SET share = ? WHERE number = ?", (share, number)
                )
        return share

    def unshare(self, owner: str, conversation: str) -> None:
        """Ends the sharing; the name is never used again.

        Raises:
            NotFound: there is no such conversation.
        """
        with self._database.writing() as connection:
            number, _ = find_conversation(connection, owner, conversation)
            connection.execute("UPDATE conversations SET share = NULL WHERE number = ?", (number,))

    def trace(self, owner: str, conversation: str, turn: str) -> Form:
        """The trace of a turn.

        Raises:
            NotFound: there is no such turn, or it was stored without a trace.
        """
        with self._database.reading() as connection:
            number, _ = find_conversation(connection, owner, conversation)
            row = connection.execute(
                "SELECT trace FROM traces WHERE turn = ?", (find_turn(connection, number, turn),)
            ).fetchone()
        if row is None:
            raise NotFound("trace")
        found: Form = json.loads(row[0])
        return found


_LISTED: Final = (
    "SELECT c.number, c.id, c.title, c.index_name, c.created, c.changed,"
    " (SELECT count(*) FROM turns t WHERE t.conversation = c.number), c.place"
    " FROM conversations c"
)
_NEXT_PLACE: Final = "(SELECT coalesce(max(place), 0) + 1 FROM conversations)"
_PATH: Final = """
    WITH RECURSIVE path (number, parent, depth) AS (
        SELECT number, parent, 1 FROM turns WHERE number = ?
        UNION ALL
        SELECT t.number, t.parent, depth + 1 FROM path JOIN turns t ON t.number = path.parent
        LIMIT ?
    )
    SELECT t.question, t.answer FROM path JOIN turns t USING (number) ORDER BY depth
"""


def new_id() -> str:
    """An id that cannot be guessed; ownership is checked all the same."""
    return secrets.token_urlsafe(12)


def title_of(question: str) -> str:
    """The question on one line, shortened at a space where there is one.

    >>> title_of("How do I  change\\nthe filter?"), len(title_of("水" * 100))
    ('How do I change the filter?', 80)
    """
    text = " ".join(question.split())
    if len(text) <= TITLE:
        return text
    head, _, _ = text[:TITLE].rpartition(" ")
    return (head if len(head) > TITLE // 2 else text[: TITLE - 1]) + "…"


def find_conversation(
    connection: sqlite3.Connection, owner: str, conversation: str
) -> tuple[int, str | None]:
    """The number and the share of an owner's conversation.

    Raises:
        NotFound: there is none.
    """
    row = connection.execute(
        "SELECT number, share FROM conversations WHERE id = ? AND owner = ?",
        (clean(conversation), owner),
    ).fetchone()
    if row is None:
        raise NotFound("conversation")
    return row[0], row[1]


def find_turn(connection: sqlite3.Connection, conversation: int, id: str) -> int:
    row = connection.execute(
        "SELECT number FROM turns WHERE id = ? AND conversation = ?", (clean(id), conversation)
    ).fetchone()
    if row is None:
        raise NotFound("turn")
    return int(row[0])


def path_to(connection: sqlite3.Connection, turn: int | None) -> tuple[Turn, ...]:
    """The newest `HISTORY` turns from the beginning to a turn; none for None."""
    rows = connection.execute(_PATH, (turn, HISTORY)).fetchall()
    return tuple(turn for said in reversed(rows) for turn in _said(*said))


def _page(
    connection: sqlite3.Connection, conversation: int, after: int, limit: int
) -> tuple[list[Form], int | None]:
    (id,) = _one(connection, "SELECT id FROM conversations WHERE number = ?", conversation)
    rows = connection.execute(
        "SELECT t.number, t.id, p.id, t.question, t.answer, t.created,"
        " f.verdict, f.stage, f.expected, f.comment"
        " FROM turns t LEFT JOIN turns p ON p.number = t.parent"
        " LEFT JOIN feedback f ON f.turn = t.number"
        " WHERE t.conversation = ? AND t.number > ? ORDER BY t.number LIMIT ?",
        (conversation, after, limit + 1),
    ).fetchall()
    turns = [
        {
            "id": turn,
            "parent": parent,
            "question": question,
            "answer": {**json.loads(answer), "conversation": id, "turn": turn},
            "created": created,
            "feedback": dict(zip(("verdict", "stage", "expected", "comment"), said, strict=True))
            if said[0]
            else None,
        }
        for _, turn, parent, question, answer, created, *said in rows[:limit]
    ]
    return turns, rows[limit - 1][0] if rows[limit:] else None


def _said(question: str, answer: str) -> tuple[Turn, Turn]:
    """The two turns of the conversation that a stored turn is."""
    form = json.loads(answer)
    reply = parse_turn(
        {"role": "assistant", "text": form["answer"], "citations": form.get("citations")}
    )
    return Turn("user", question, form.get("lang")), replace(reply, lang=form.get("answer_lang"))


def _listed(row: Row) -> Form:
    names = "id", "title", "index", "created", "changed", "turns"
    return dict(zip(names, row[1:-1], strict=True))


def _one(connection: sqlite3.Connection, statement: str, *values: object) -> Row:
    row: Row = connection.execute(statement, values).fetchone()
    return row


def _json(form: Mapping[str, Any]) -> str:
    return clean(json.dumps(form, ensure_ascii=False))


def clean(text: str) -> str:
    """The text without halves of characters, which UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
