"""Rewriting by a sequence-to-sequence model: Ferreira et al. (2021), "Open-Domain Conversational
Search Assistant with Transformers", section 3.1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from anaphora.models.decoding import Decoding, Generated
from anaphora.models.seq2seq import Seq2SeqModel
from anaphora.records import Conversation, Rewrite
from anaphora.rewrite.context_turns import plain_text
from anaphora.rewrite.edits import ContextText, aligned_edits
from anaphora.rewrite.validation import rejection

CONTEXT, TURN = "[CTX]", "[TURN]"
"""The special tokens before the context and between its turns."""
INPUT_TOKENS, OUTPUT_TOKENS = 512, 64
"""As in section 4.2."""

_TITLE_TOKENS = 64
_MIN_TURN_TOKENS = 8
_MAX_CHARACTERS_PER_TOKEN = 16

Count = Callable[[str], int]


class Seq2SeqRewriter:
    """Rewrites questions with any Hugging Face checkpoint that was trained on the input format of
    equation 1, such as `anaphora.train.seq2seq` trains.

    The question stays as it is, with confidence 0, where the model's output does not end or fails
    `anaphora.rewrite.validation`. The question as asked is searched too, as a variant. A question
    without context, or too long for the output, is left as it is.

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
        rewrites = [Rewrite(one.question.text, one.lang) for one in conversations]
        inputs: list[tuple[int, str, list[ContextText]]] = []
        for row, conversation in enumerate(conversations):
            if _has_context(conversation) and conversation.question.text.strip():
                built = model_input(conversation, self._model.count)
                if built:
                    inputs.append((row, *built))
        if inputs:
            outputs = self._model.generate(
                [text for _, text, _ in inputs], Decoding(OUTPUT_TOKENS), INPUT_TOKENS
            )
            for (row, _, context), output in zip(inputs, outputs, strict=True):
                rewrites[row] = _validated(rewrites[row], output, context)
        return rewrites


def model_input(
    conversation: Conversation, count: Count, limit: int = INPUT_TOKENS
) -> tuple[str, list[ContextText]] | None:
    """The model's input, `q_i [CTX] q_1 p_1 [TURN] q_2 p_2 …` (equation 1), and its texts, the
    newest first; None where the question alone is longer than an output.

    The title takes the place of a turn before the first, as in Table 3. When there is more than
    fits, the newest turns are kept, and of the oldest of those its beginning.

    Args:
        count: counts the tokens of a text.
    """
    question = _line(conversation.question.text)
    if count(_fit(question, OUTPUT_TOKENS + 1, count)) >= OUTPUT_TOKENS:
        return None
    head = f"{question} {CONTEXT}"
    separator = count(TURN) + 1
    room = limit - count(head) - 2
    title = _fit(_line(conversation.title or ""), min(_TITLE_TOKENS, room), count)
    room -= count(title) + separator if title else 0
    rounds: list[str] = []
    context: list[ContextText] = []
    for turns in reversed(_rounds(conversation)):
        if room < _MIN_TURN_TOKENS:
            break
        text = _fit(" ".join(one.text for one in turns), room, count)
        rounds.append(text)
        room -= count(text) + separator
        context += reversed(turns)
    if title:
        rounds.append(title)
        context.append(ContextText(title, None))
    return f"{head} {f' {TURN} '.join(reversed(rounds))}", context


def _rounds(conversation: Conversation) -> list[list[ContextText]]:
    """The turns before the question that are not blank: each of the user's with its answers."""
    rounds: list[list[ContextText]] = []
    for number, turn in enumerate(conversation.history):
        text = _line(plain_text(turn))
        if not text:
            continue
        if turn.role == "user" or not rounds:
            rounds.append([])
        rounds[-1].append(ContextText(text, number))
    return rounds


def _fit(text: str, tokens: int, count: Count) -> str:
    """The beginning of a text that has at most so many tokens."""
    text = text[: max(0, tokens) * _MAX_CHARACTERS_PER_TOKEN]
    while text and (size := count(text)) > tokens:
        text = text[: min(len(text) - 1, len(text) * tokens // size)].rstrip()
    return text


def _line(text: str) -> str:
    return " ".join(text.split())


def _has_context(conversation: Conversation) -> bool:
    texts = (conversation.title or "", *(turn.text for turn in conversation.history))
    return any(text.strip() for text in texts)


def _validated(original: Rewrite, output: Generated, context: Sequence[ContextText]) -> Rewrite:
    text, question, lang = _line(output.text), original.text, original.lang
    if not output.whole or rejection(text, question, lang, context):
        return Rewrite(question, lang, confidence=0.0)
    if text == _line(question):
        return Rewrite(question, lang, confidence=output.confidence)
    edits = aligned_edits(question, text, lang, context)
    return Rewrite(text, lang, edits, (question,), output.confidence)
