"""A client for endpoints of OpenAI's chat completions API: a hosted service or a local server
(llama.cpp, vLLM, Ollama, …)."""

from __future__ import annotations

import http.client
import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email.message import Message as Headers
from functools import partial
from typing import IO, Any, NamedTuple
from urllib.parse import urlsplit

from anaphora.errors import ModelUnavailable, UsageError
from anaphora.models.background import items_within, within
from anaphora.models.chat import Finish, Message, PromptTooLong
from anaphora.models.streaming import MalformedStream, deltas, explanation

KEY_VARIABLE = "ANAPHORA_API_KEY"
"""The environment variable that holds the endpoint's key."""

_LARGEST_REPLY = 1 << 20
_FIRST_WAIT = 0.5
_TRANSIENT = frozenset({408, 409, 425, 429})
_OPTIONAL = ("temperature", "max_tokens", "stream_options", "response_format")
"""Parameters that some endpoints reject."""
_WINDOW_KEYS = ("max_model_len", "context_length", "context_window", "max_context_length")
"""What servers call the size of a model's window in the list of their models."""
_ASKING = 5.0
"""Seconds in which an endpoint says what it is."""
_TOO_LONG = re.compile(
    r"(?i)(?:context (?:length|size|window)|prompt is too long|too many tokens|maximum context)"
)
_WINDOW = re.compile(r"(?i)(?:length (?:is|of)|size \(?|window of|>)\s*(\d{3,8})")


class Offered(NamedTuple):
    """A model that an endpoint lists, and the size of its window in tokens where it says so."""

    name: str
    window: int | None


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

    @property
    def name(self) -> str:
        return self.model

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
                return within(left, partial(self._request, messages, left))
            except TimeoutError:
                raise self._failed(f"gave no answer within {self.timeout:g} seconds") from None
            except _Busy as busy:
                wait = max(_FIRST_WAIT * 2**attempts, busy.wait)
                attempts += 1
                if attempts > self.retries or time.monotonic() + wait >= deadline:
                    raise self._failed(str(busy)) from busy
                time.sleep(wait)

    def stream(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Generator[str, None, Finish]:
        """Yields the completion's text as it arrives, at temperature 0.

        A request is repeated only before its first text. An endpoint that rejects the schema is
        asked without it. See `anaphora.models.chat.LanguageModel`.

        Raises:
            PromptTooLong: the prompt does not fit into the model's window.
            ModelUnavailable: the completion did not come to its end in time.
        """
        limit = self.timeout if seconds is None else seconds
        deadline = time.monotonic() + limit
        attempts = 0
        begun = False
        while True:
            left = deadline - time.monotonic()
            parts = items_within(left, self._parts(messages, schema, max(0.1, left)))
            try:
                while True:
                    try:
                        part = next(parts)
                    except StopIteration as end:
                        finish: Finish = end.value
                        return finish
                    begun = True
                    yield part
            except TimeoutError:
                raise self._failed(
                    f"gave no whole answer within {round(limit, 1):g} seconds"
                ) from None
            except _Busy as busy:
                wait = max(_FIRST_WAIT * 2**attempts, busy.wait)
                attempts += 1
                if begun or attempts > self.retries or time.monotonic() + wait >= deadline:
                    raise self._failed(str(busy)) from busy
                time.sleep(wait)
            finally:
                parts.close()

    def models(self) -> list[Offered]:
        """The models that the endpoint lists.

        Raises:
            ModelUnavailable: it lists none in time.
        """
        try:
            listed = within(self.timeout, lambda: self._get(f"{self._base}/models", self.timeout))
            return [
                Offered(str(one["id"]), _window_of(one))
                for one in listed["data"]
                if isinstance(one, dict)
            ]
        except TimeoutError:
            raise self._failed(f"gave no answer within {self.timeout:g} seconds") from None
        except _Busy as busy:
            raise self._failed(str(busy)) from busy
        except (LookupError, TypeError) as error:
            raise self._failed("lists no models") from error

    def window(self) -> int | None:
        """The size of the model's window in tokens, from the endpoint's list of models or, where
        the server is llama.cpp's, from its properties; None where neither says it."""
        asked = replace(self, timeout=min(_ASKING, self.timeout))
        try:
            found = {one.name: one.window for one in asked.models()}
            if found.get(self.model):
                return found[self.model]
            root = self._base.removesuffix("/v1")
            known = within(_ASKING, lambda: asked._get(f"{root}/props", _ASKING))
            return _positive(known["default_generation_settings"]["n_ctx"])
        except (ModelUnavailable, _Busy, TimeoutError, LookupError, TypeError):
            return None

    @property
    def _base(self) -> str:
        return self.base_url.rstrip("/")

    def _get(self, address: str, seconds: float) -> Any:
        with self._open(address, None, seconds) as reply:
            try:
                return json.loads(reply.read(_LARGEST_REPLY))
            except (ValueError, RecursionError) as error:
                raise _Busy("answered with no JSON") from error

    def _parts(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, seconds: float
    ) -> Generator[str, None, Finish]:
        body = {
            **self._body(messages),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        formats = _formats(schema)
        if formats:
            body["response_format"] = formats.pop(0)
        while True:
            try:
                with self._open(f"{self._base}/chat/completions", body, seconds) as reply:
                    lines = iter(partial(reply.readline, _LARGEST_REPLY), b"")
                    return (yield from deltas(lines))
            except MalformedStream as error:
                raise _Busy(str(error)) from error
            except _UnsupportedParameter as unsupported:
                del body[unsupported.name]
                if unsupported.name == "response_format" and formats:
                    body["response_format"] = formats.pop(0)

    def _request(self, messages: Sequence[Message], seconds: float) -> str:
        body = self._body(messages)
        while True:
            try:
                with self._open(f"{self._base}/chat/completions", body, seconds) as reply:
                    return self._content(reply.read(_LARGEST_REPLY))
            except _UnsupportedParameter as unsupported:
                del body[unsupported.name]

    def _body(self, messages: Sequence[Message]) -> dict[str, Any]:
        return {
            "model": self.model,
            "messages": [{"role": one.role, "content": one.content} for one in messages],
            "temperature": 0,
            "max_tokens": self.tokens,
        }

    @contextmanager
    def _open(
        self, address: str, body: dict[str, Any] | None, seconds: float
    ) -> Iterator[http.client.HTTPResponse]:
        """The reply to a request, whose errors become those of this module."""
        headers = {"Content-Type": "application/json", "User-Agent": "anaphora"}
        key = (os.environ.get(KEY_VARIABLE, "") if self.key is None else self.key).strip()
        if not (key.isascii() and key.isprintable()):
            raise ModelUnavailable(f"{KEY_VARIABLE} holds characters that no key has: set it again")
        if key:
            headers["Authorization"] = f"Bearer {key}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address, data, headers)
        try:
            opener = urllib.request.build_opener(_NoRedirect)
            with opener.open(request, timeout=seconds) as reply:
                yield reply
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(error, body or {}) from error
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
        said = _json(error)
        reason = explanation(said)
        what = f"answered {error.code} ({reason})" if reason else f"answered {error.code}"
        if error.code in (400, 413, 422, 500) and _TOO_LONG.search(reason):
            return PromptTooLong(f"the endpoint {self.base_url} {what}", _stated_window(said))
        for name in _OPTIONAL:
            if error.code in (400, 422) and name in reason and name in body:
                return _UnsupportedParameter(name)
        if error.code in (400, 422, 500) and "response_format" in body:
            # Not every server says which of the parameters it does not know, and that of
            # llama-cpp-python says it with the code 500.
            return _UnsupportedParameter("response_format")
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


def _formats(schema: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The forms in which servers take a schema: OpenAI's, and that of llama-cpp-python."""
    if schema is None:
        return []
    named = {"name": "answer", "strict": True, "schema": schema}
    return [
        {"type": "json_schema", "json_schema": named},
        {"type": "json_object", "schema": schema},
    ]


def _json(error: urllib.error.HTTPError) -> Any:
    """The JSON body of an error; None where it has none."""
    try:
        return json.loads(error.read(_LARGEST_REPLY))
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return None


def _stated_window(said: Any) -> int | None:
    """The size of the window in an error about too long a prompt."""
    inner = said.get("error", said) if isinstance(said, dict) else {}
    stated = _positive(inner.get("n_ctx")) if isinstance(inner, dict) else None
    found = _WINDOW.search(explanation(said))
    return stated or (int(found[1]) if found else None)


def _window_of(listed: Mapping[str, Any]) -> int | None:
    meta = listed.get("meta")
    loaded = meta.get("n_ctx") if isinstance(meta, dict) else None
    stated = (_positive(value) for value in (loaded, *map(listed.get, _WINDOW_KEYS)))
    return next(filter(None, stated), None)


def _positive(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _seconds(header: str | None) -> float:
    return float(header) if header and header.isascii() and header.isdigit() else 0.0
