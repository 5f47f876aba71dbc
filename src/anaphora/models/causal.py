"""Causal language models from Hugging Face, by name or local folder, with their chat templates."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias

from anaphora.errors import ModelUnavailable
from anaphora.models.chat import Finish, Message, PromptTooLong
from anaphora.models.pretrained import load

WHAT, CLASS = "causal language model", "AutoModelForCausalLM"
Quantization: TypeAlias = Literal["none", "int8", "int4"]
"""How the weights are kept in memory: as they are, or in 8 or 4 bits by bitsandbytes."""

_REPLACEMENT = "\ufffd"
"""What an incomplete character is decoded as."""


class CausalModel:
    """A chat model that runs in this process, as an `anaphora.models.chat.LanguageModel`.

    Decoding is greedy. A checkpoint without a chat template gets the messages as paragraphs.

    Args:
        name: a repository on the Hugging Face hub, or a folder.
        tokens: the maximum number of tokens of a completion.
        timeout: the limit for one streamed completion in seconds.

    Raises:
        ModelUnavailable: transformers, torch or bitsandbytes is not installed, or the model cannot
            be loaded.
    """

    def __init__(
        self,
        name: str,
        tokens: int = 128,
        timeout: float = 600.0,
        quantized: Quantization = "none",
    ) -> None:
        self.name = name
        self.tokens = tokens
        self.timeout = timeout
        loaded = load(WHAT, name, CLASS, **_options(name, quantized))
        self.tokenizer, self.network, self._device = loaded.tokenizer, loaded.network, loaded.device

    def window(self) -> int | None:
        """The number of tokens of prompt and completion together."""
        places: int | None = getattr(self.network.config, "max_position_embeddings", None)
        return places

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """The token ids of a prompt, by the model's chat template."""
        if not self.tokenizer.chat_template:
            text = "\n\n".join(one.content for one in messages)
            ids: list[int] = self.tokenizer(text, verbose=False)["input_ids"]
            return ids
        try:
            return self._templated(messages)
        except Exception as error:
            # The templates of some models refuse a system message.
            merged = _without_system(messages)
            if len(merged) == len(messages):
                raise ModelUnavailable(
                    f"the chat template of {self.name} fails ({error})"
                ) from error
            return self._templated(merged)

    def stream(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Generator[str, None, Finish]:
        """Yields the completion's text as it is generated; the schema is ignored.

        Raises:
            PromptTooLong: the prompt does not fit.
            ModelUnavailable: the completion took too long.
        """
        limit = self.timeout if seconds is None else seconds
        deadline = time.monotonic() + limit
        ids = self._fitting(messages)
        written: list[int] = []
        shown = ""
        token, cache = self._step(ids, None)
        while token not in self._ends and len(written) < self.tokens:
            written.append(token)
            text = self.tokenizer.decode(written, skip_special_tokens=True)
            if text.startswith(shown) and not text.endswith(_REPLACEMENT) and text != shown:
                yield text[len(shown) :]
                shown = text
            if time.monotonic() > deadline:
                raise ModelUnavailable(
                    f"the model {self.name} gave no whole answer within {round(limit, 1):g} seconds"
                )
            token, cache = self._step([token], cache)
        text = self.tokenizer.decode(written, skip_special_tokens=True)
        if text != shown:
            yield text[len(shown) :]
        return Finish(complete=token in self._ends, prompt_tokens=len(ids))

    @property
    def _ends(self) -> frozenset[int]:
        """The tokens that end a completion."""
        ends = self.network.generation_config.eos_token_id
        if ends is None:
            ends = self.tokenizer.eos_token_id
        return frozenset(ends if isinstance(ends, list) else [ends])

    def _templated(self, messages: Sequence[Message]) -> list[int]:
        chat = [{"role": one.role, "content": one.content} for one in messages]
        text = self.tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
        # The template writes the special tokens itself.
        ids: list[int] = self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        return ids

    def _fitting(self, messages: Sequence[Message]) -> list[int]:
        ids, window = self.prompt(messages), self.window()
        if window is not None and len(ids) + self.tokens > window:
            raise PromptTooLong(
                f"a prompt of {len(ids)} tokens and {self.tokens} of the answer do not fit into "
                f"the window of {window} tokens of the model {self.name}",
                window,
            )
        return ids

    def _step(self, ids: Sequence[int], cache: Any) -> tuple[int, Any]:
        """The most probable next token, and the state after the tokens so far."""
        import torch

        with torch.inference_mode():
            tokens = torch.tensor([list(ids)], device=self._device)
            output = self.network(input_ids=tokens, past_key_values=cache, use_cache=True)
        return int(output.logits[0, -1].argmax()), output.past_key_values


def _without_system(messages: Sequence[Message]) -> list[Message]:
    """The messages with the system's at the beginning of the user's first."""
    system = "\n\n".join(one.content for one in messages if one.role == "system")
    others = [one for one in messages if one.role != "system"]
    if not system or not others:
        return others
    first = Message(others[0].role, f"{system}\n\n{others[0].content}")
    return [first, *others[1:]]


def _options(name: str, quantized: Quantization) -> dict[str, Any]:
    """What `from_pretrained` needs to quantize the weights."""
    if quantized == "none":
        return {}
    if not all(map(find_spec, ("bitsandbytes", "accelerate", "transformers"))):
        raise ModelUnavailable(
            f"the {WHAT} {name} in {quantized} needs bitsandbytes: "
            '`pip install "anaphora[quantized]"`'
        )
    from transformers import BitsAndBytesConfig

    bits = {"load_in_8bit": True} if quantized == "int8" else {"load_in_4bit": True}
    return {"quantization_config": BitsAndBytesConfig(**bits)}
