"""A client for endpoints of OpenAI's chat completions API: a hosted service or a local server
(llama.cpp, vLLM, Ollama, …)."""

from __future__ import annotations

import http.client
import json
import os
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.message import Message as Headers
from functools import partial
from queue import Empty, SimpleQueue
from typing import IO, Any, Literal, TypeVar
from urllib.parse import urlsplit

from anaphora.errors import ModelUnavailable, UsageError

KEY_VARIABLE = "ANAPHORA_API_KEY"
"""The environment variable that holds the endpoint's key."""

_LARGEST_REPLY = 1 << 20
_FIRST_WAIT = 0.5
_TRANSIENT = frozenset({408, 409, 425, 429})

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class ChatModel:
    """A model behind an endpoint. It keeps no connection and no state, and is thread-safe.

    Args:
        base_url: the address before `/chat/completions`, such as `http://localhost:8000/v1`.
        model: the endpoint's name of the model.
        timeout: the limit for one completion in seconds, all attempts together.
        retries: the number of further attempts when the endpoint is busy or does not reply. The
            first follows after half a second, each other after twice the time before it, and none
            before the time that the endpoint asks for.
        tokens: the maximum number of tokens of a completion.
        key: the bearer token; None for the value of ANAPHORA_API_KEY, if it is set.

    Raises:
        UsageError: `base_url` is not an http or https address.
    """

    base_url: str
    model: str
    timeout: float = 20.0
    retries: int = 2
    tokens: int = 512
    key: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.base_url)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname)
            usable = usable and parts.port != 0 and self.base_url.isprintable()
        except ValueError:
            usable = False
        if not usable or not self.base_url.isascii() or " " in self.base_url:
            raise UsageError(
                f"the endpoint {self.base_url!r} must be an address such as http://localhost:8000/v1"
            )

    def complete(self, messages: Sequence[Message]) -> str:
        """Returns the model's completion, at temperature 0.

        Raises:
            ModelUnavailable: there was no complete reply in time. The message says why.
        """
        deadline = time.monotonic() + self.timeout
        attempts = 0
        while True:
            try:
                left = deadline - time.monotonic()
                return _within(left, partial(self._request, messages, left))
            except TimeoutError:
                raise self._failed(f"gave no answer within {self.timeout:g} seconds") from None
            except _Busy as busy:
                wait = max(_FIRST_WAIT * 2**attempts, busy.wait)
                attempts += 1
                if attempts > self.retries or time.monotonic() + wait >= deadline:
                    raise self._failed(str(busy)) from busy
                time.sleep(wait)

    def _request(self, messages: Sequence[Message], seconds: float) -> str:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": one.role, "content": one.content} for one in messages],
            "temperature": 0,
            "max_tokens": self.tokens,
        }
        while True:
            try:
                return self._content(self._post(body, seconds))
            except _UnsupportedParameter as unsupported:
                del body[unsupported.name]

    def _post(self, body: dict[str, Any], seconds: float) -> bytes:
        headers = {"Content-Type": "application/json", "User-Agent": "anaphora"}
        key = (os.environ.get(KEY_VARIABLE, "") if self.key is None else self.key).strip()
        if not (key.isascii() and key.isprintable()):
            raise ModelUnavailable(f"{KEY_VARIABLE} holds characters that no key has: set it again")
        if key:
            headers["Authorization"] = f"Bearer {key}"
        address = f"{self.base_url.rstrip('/')}/chat/completions"
        request = urllib.request.Request(address, json.dumps(body).encode(), headers)
        try:
            opener = urllib.request.build_opener(_NoRedirect)
            with opener.open(request, timeout=seconds) as reply:
                content: bytes = reply.read(_LARGEST_REPLY)
                return content
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error, body) from error
        except TimeoutError:
            raise
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, TimeoutError):
                raise reason from error
            raise _Busy(f"cannot be reached ({reason or type(error).__name__})") from error

    def _content(self, reply: bytes) -> str:
        """The completion in a JSON reply."""
        try:
            choice = json.loads(reply)["choices"][0]
            content: Any = choice["message"]["content"]
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise _Busy("answered with no whole chat completion") from error
        if not isinstance(content, str):
            raise self._failed("answered without text")
        if choice.get("finish_reason") == "length":
            raise self._failed(f"did not come to an end within {self.tokens} tokens")
        return content

    def _refused(self, error: urllib.error.HTTPError, body: dict[str, Any]) -> Exception:
        explanation = _explanation(error)
        for name in ("temperature", "max_tokens"):
            if error.code == 400 and name in explanation and name in body:
                return _UnsupportedParameter(name)
        what = f"answered {error.code} ({explanation})" if explanation else f"answered {error.code}"
        if error.code in _TRANSIENT or error.code >= 500:
            return _Busy(what, _seconds(error.headers.get("Retry-After")))
        if error.code in (401, 403):
            return self._failed(f"{what}: put its key into {KEY_VARIABLE}")
        return self._failed(what)

    def _failed(self, what: str) -> ModelUnavailable:
        return ModelUnavailable(f"the endpoint {self.base_url} {what}")


class _Busy(Exception):
    """A transient failure; `wait` is the number of seconds the endpoint asks to wait."""

    def __init__(self, what: str, wait: float = 0.0) -> None:
        super().__init__(what)
        self.wait = wait


class _UnsupportedParameter(Exception):
    """The endpoint rejects a parameter, as some do for reasoning models."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, so that the key is sent to no other address."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Headers,
        newurl: str,
    ) -> None:
        return None


def _within(seconds: float, work: Callable[[], T]) -> T:
    """Returns or raises what `work` does, or raises TimeoutError.

    A socket's own time-out restarts with every byte that arrives, so an endpoint that sends a byte
    now and then would never time out. The thread that is left behind is a daemon.
    """
    done: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            done.put((work(), None))
        except BaseException as error:  # raised in the waiting thread
            done.put((None, error))

    if seconds <= 0:
        raise TimeoutError
    threading.Thread(target=run, daemon=True).start()
    try:
        result, error = done.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]


def _explanation(error: urllib.error.HTTPError) -> str:
    """The message in an error's JSON body, shortened to one line."""
    try:
        body = json.loads(error.read(_LARGEST_REPLY))
        inner = body.get("error", body)
        message = inner if isinstance(inner, str) else inner.get("message") or inner.get("detail")
    except (OSError, http.client.HTTPException, ValueError, AttributeError, RecursionError):
        return ""
    return " ".join(message.split())[:200] if isinstance(message, str) else ""


def _seconds(header: str | None) -> float:
    return float(header) if header and header.isascii() and header.isdigit() else 0.0
