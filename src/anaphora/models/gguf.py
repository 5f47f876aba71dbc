"""A chat model in a GGUF file, run in this process by llama.cpp."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from anaphora.errors import ModelUnavailable
from anaphora.models.background import items_within
from anaphora.models.chat import Finish, Message, PromptTooLong

DEFAULT_WINDOW = 4096
_MAGIC = b"GGUF"


@dataclass(frozen=True)
class LocalModel:
    """The model of a GGUF file, which is loaded on first use. It completes one chat at a time.

    Args:
        path: of the file.
        context: the size of its window in tokens; 0 for 4096, or less if it was trained with less.
        tokens: the maximum number of tokens of a completion.
        timeout: the limit for one completion in seconds.
    """

    path: Path
    context: int = 0
    tokens: int = 512
    timeout: float = 60.0

    @property
    def name(self) -> str:
        return self.path.name

    def window(self) -> int | None:
        size: int = self._loaded.n_ctx()
        return size

    def stream(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Generator[str, None, Finish]:
        """Yields the completion's text as it is generated, at temperature 0.

        See `anaphora.models.chat.LanguageModel`.

        Raises:
            PromptTooLong: the prompt does not fit into the window.
            ModelUnavailable: the model cannot be loaded, or was not done in time.
        """
        limit = self.timeout if seconds is None else seconds
        try:
            return (yield from items_within(limit, self._parts(messages, schema)))
        except TimeoutError:
            raise ModelUnavailable(
                f"the model {self.path} gave no whole answer within {round(limit, 1):g} seconds"
            ) from None

    def _parts(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None
    ) -> Generator[str, None, Finish]:
        model = self._loaded
        form = None if schema is None else {"type": "json_object", "schema": schema}
        reason = None
        with self._lock:
            # The cache of an earlier prompt would change the rounding, and with it the answer.
            model.reset()
            try:
                for chunk in model.create_chat_completion(
                    messages=[{"role": one.role, "content": one.content} for one in messages],
                    temperature=0.0,
                    max_tokens=self.tokens,
                    response_format=form,
                    stream=True,
                ):
                    choice = chunk["choices"][0]
                    reason = choice.get("finish_reason") or reason
                    content = choice["delta"].get("content")
                    if content:
                        yield content
            except ValueError as error:
                if "context window" in str(error):
                    said = f"the model {self.path}: {error}"
                    raise PromptTooLong(said, model.n_ctx()) from error
                raise ModelUnavailable(f"the model {self.path} failed: {error}") from error
        return Finish(reason != "length")

    @cached_property
    def _lock(self) -> Lock:
        return Lock()

    @cached_property
    def _loaded(self) -> Any:
        try:
            from llama_cpp import Llama
        except ImportError as error:
            raise ModelUnavailable(
                "a GGUF file needs llama-cpp-python: pip install 'anaphora[llama]'"
            ) from error
        try:
            with self.path.open("rb") as file:
                magic = file.read(len(_MAGIC))
        except OSError as error:
            raise ModelUnavailable(
                f"the model {self.path} cannot be read: {error.strerror}"
            ) from error
        if magic != _MAGIC:
            raise ModelUnavailable(f"the model {self.path} is not a GGUF file")
        try:
            return Llama(
                str(self.path), n_ctx=self.context or DEFAULT_WINDOW, seed=0, verbose=False
            )
        except (ValueError, RuntimeError, OSError) as error:
            raise ModelUnavailable(
                f"the model {self.path} cannot be loaded: it is damaged or cut short, or of an "
                "architecture that this llama.cpp does not know"
            ) from error
