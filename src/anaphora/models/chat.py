"""What chat models have in common, behind an endpoint or in this process."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from anaphora.errors import ModelUnavailable


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Finish:
    """How a completion ended.

    Attributes:
        complete: the model ended it; False where the limit on its tokens did.
        prompt_tokens: the length of the prompt by the model's own count, where it is reported.
        tool_calls: the model also asked for tools, which it does not get.
    """

    complete: bool = True
    prompt_tokens: int | None = None
    tool_calls: bool = False


class PromptTooLong(ModelUnavailable):
    """The prompt does not fit into the model's window.

    Attributes:
        window: the size of the window in tokens; None where the model did not say it.
    """

    def __init__(self, message: str, window: int | None) -> None:
        super().__init__(message)
        self.window = window


class LanguageModel(Protocol):
    """Completes a chat in parts, at temperature 0."""

    @property
    def name(self) -> str: ...

    @property
    def tokens(self) -> int:
        """The maximum number of tokens of a completion."""
        ...

    @property
    def timeout(self) -> float:
        """The limit for one completion in seconds."""
        ...

    def window(self) -> int | None:
        """The number of tokens of prompt and completion together; None where nobody knows."""
        ...

    def stream(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Generator[str, None, Finish]:
        """Yields the completion's text as it is generated.

        Closing the generator ends the generation.

        Args:
            schema: the JSON schema of the completion. A model that cannot keep to a schema ignores
                it.
            seconds: the limit for the whole completion; None for the model's own.

        Raises:
            PromptTooLong: the prompt does not fit.
            ModelUnavailable: the completion did not come to its end. The message says why.
        """
        ...
