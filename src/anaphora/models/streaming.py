"""Chat completions as server-sent events (the `stream` parameter of OpenAI's API)."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from typing import Any

from anaphora.models.chat import Finish

_LARGEST = 1 << 20
"""Bytes of one event."""


class MalformedStream(Exception):
    """The reply is not a whole chat completion; the message completes "the endpoint …"."""


def deltas(lines: Iterable[bytes]) -> Generator[str, None, Finish]:
    """Yields the parts of a completion's text.

    A server that does not stream sends one JSON object instead, whose text is one part.

    Raises:
        MalformedStream: the reply is no completion, or ends before the completion does.
    """
    stream = iter(lines)
    reason: str | None = None
    prompt_tokens: int | None = None
    tools = False
    for line in stream:
        name, _, value = line.strip().partition(b":")
        if line.lstrip().startswith(b"{"):
            value = b"".join([line, *stream])
        elif name != b"data":
            if name and name not in (b"event", b"id", b"retry"):
                raise MalformedStream("answered with no chat completion")
            continue
        elif value.strip() == b"[DONE]":
            reason = reason or "stop"
            break
        chunk = _parsed(value)
        prompt_tokens = _prompt_tokens(chunk, prompt_tokens)
        for choice in _choices(chunk)[:1]:
            said = choice.get("delta") or choice.get("message") or {}
            if not isinstance(said, dict):
                raise MalformedStream("answered with no chat completion")
            tools = tools or bool(said.get("tool_calls") or said.get("function_call"))
            content = said.get("content")
            if content is not None and not isinstance(content, str):
                raise MalformedStream("answered without text")
            if content:
                yield content
            reason = choice.get("finish_reason") or reason
    if reason is None:
        raise MalformedStream("ended its answer in the middle")
    return Finish(reason != "length", prompt_tokens, tools)


def _parsed(value: bytes) -> dict[str, Any]:
    if len(value) > _LARGEST:
        raise MalformedStream("sent an event of more than a megabyte")
    try:
        chunk = json.loads(value.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise MalformedStream("sent text that is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise MalformedStream("sent an event that is not JSON") from error
    if not isinstance(chunk, dict):
        raise MalformedStream("answered with no chat completion")
    if chunk.get("error"):
        raise MalformedStream(f"reported an error ({explanation(chunk) or 'without a message'})")
    return chunk


def _choices(chunk: dict[str, Any]) -> list[dict[str, Any]]:
    choices = chunk.get("choices", [])
    if not isinstance(choices, list) or not all(isinstance(one, dict) for one in choices):
        raise MalformedStream("answered with no chat completion")
    if "choices" not in chunk and not chunk.get("usage"):
        raise MalformedStream("answered with no chat completion")
    return choices


def _prompt_tokens(chunk: dict[str, Any], before: int | None) -> int | None:
    usage = chunk.get("usage")
    count = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    return count if isinstance(count, int) and count > 0 else before


def explanation(body: Any) -> str:
    """The message in the JSON of an error, shortened to one line; empty where there is none."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    message = inner
    if isinstance(inner, dict):
        message = inner.get("message") or inner.get("detail")
    if isinstance(message, list):
        message = json.dumps(message)
    return " ".join(message.split())[:200] if isinstance(message, str) else ""
