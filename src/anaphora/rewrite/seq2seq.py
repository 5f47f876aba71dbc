"""Rewriting by a sequence-to-sequence model (abstractive-conversational-search §3.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from anaphora.language import identify_question
from anaphora.models.seq2seq import Generated, Seq2SeqModel
from anaphora.records import Conversation, Rewrite
from anaphora.rewrite.edits import Said, aligned_edits
from anaphora.rewrite.guard import objection

CONTEXT, TURN = "[CTX]", "[TURN]"
"""The special tokens before the context and between its turns."""
INPUT_TOKENS, OUTPUT_TOKENS = 512, 64
"""Its §4.2."""

_TITLE_TOKENS = 64
_FEWEST = 8
_LETTERS_PER_TOKEN = 16

Count = Callable[[str], int]


class Seq2SeqRewriter:
    """Has the question rewritten by any Hugging Face checkpoint trained on equation 1's format, as
    `anaphora.train.seq2seq` trains them.

    What the model writes is not taken, and the question left as it is with confidence 0, where it
    comes to no end or is no rewrite: in another language, too long, or about what nobody mentioned.
    The question as asked is searched too, as a variant. A question without anything before it, or
    too long to be written again, is left as it is.

    Args:
        name: of a repository on the Hugging Face hub, or a folder; loaded on first use.

    Raises:
        ModelUnavailable: on first use, where the model cannot be loaded.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def _model(self) -> Seq2SeqModel:
        return Seq2SeqModel(self.name)

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        rewrites = [Rewrite(talk.question.text, identify_question(talk)) for talk in conversations]
        asked: list[tuple[int, str, list[Said]]] = []
        for row, talk in enumerate(conversations):
            if _has_context(talk) and talk.question.text.strip():
                told = model_input(talk, self._model.count)
                if told:
                    asked.append((row, *told))
        if asked:
            texts = [text for _, text, _ in asked]
            made = self._model.generate(texts, INPUT_TOKENS, OUTPUT_TOKENS)
            for (row, _, said), one in zip(asked, made, strict=True):
                rewrites[row] = _checked(rewrites[row], one, said)
        return rewrites


def model_input(
    talk: Conversation, count: Count, limit: int = INPUT_TOKENS
) -> tuple[str, list[Said]] | None:
    """What the model reads, `q_i [CTX] q_1 p_1 [TURN] q_2 p_2 …` (equation 1), and its texts, the
    newest first; None where the question alone is longer than an output.

    The title stands for a turn before the first, as in the paper's Table 3. Of what does not fit
    the newest turns stay, and of the last of these its beginning.

    Args:
        count: how many tokens a text has.
    """
    question = _line(talk.question.text)
    if count(_fit(question, OUTPUT_TOKENS + 1, count)) >= OUTPUT_TOKENS:
        return None
    head = f"{question} {CONTEXT}"
    between = count(TURN) + 1
    room = limit - count(head) - 2
    title = _fit(_line(talk.title or ""), min(_TITLE_TOKENS, room), count)
    room -= count(title) + between if title else 0
    rounds: list[str] = []
    said: list[Said] = []
    for turns in reversed(_rounds(talk)):
        if room < _FEWEST:
            break
        text = _fit(" ".join(one.text for one in turns), room, count)
        rounds.append(text)
        room -= count(text) + between
        said += reversed(turns)
    if title:
        rounds.append(title)
        said.append(Said(title, None))
    return f"{head} {f' {TURN} '.join(reversed(rounds))}", said


def _rounds(talk: Conversation) -> list[list[Said]]:
    """The turns with words before the question, from one of the user's to the next."""
    rounds: list[list[Said]] = []
    for number, turn in enumerate(talk.history):
        text = _line(turn.text)
        if not text:
            continue
        if turn.role == "user" or not rounds:
            rounds.append([])
        rounds[-1].append(Said(text, number))
    return rounds


def _fit(text: str, tokens: int, count: Count) -> str:
    """The beginning of a text that has at most so many tokens."""
    text = text[: max(0, tokens) * _LETTERS_PER_TOKEN]
    while text and (size := count(text)) > tokens:
        text = text[: min(len(text) - 1, len(text) * tokens // size)].rstrip()
    return text


def _line(text: str) -> str:
    return " ".join(text.split())


def _has_context(talk: Conversation) -> bool:
    return bool((talk.title or "").strip()) or any(turn.text.strip() for turn in talk.history)


def _checked(asked: Rewrite, made: Generated, said: Sequence[Said]) -> Rewrite:
    text = _line(made.text)
    if not made.whole or objection(text, asked.text, asked.lang, said):
        return Rewrite(asked.text, asked.lang, confidence=0.0)
    if text == _line(asked.text):
        return Rewrite(asked.text, asked.lang, confidence=made.confidence)
    edits = aligned_edits(asked.text, text, asked.lang, said)
    return Rewrite(text, asked.lang, edits, (asked.text,), made.confidence)
