"""Causal language models from Hugging Face, by name or local folder, with their chat templates."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias

from anaphora.errors import ModelUnavailable
from anaphora.models.chat import Finish, Message, PromptTooLong
from anaphora.models.decoding import Generated
from anaphora.models.pretrained import by_length, load

WHAT, CLASS = "causal language model", "AutoModelForCausalLM"
Quantization: TypeAlias = Literal["none", "int8", "int4"]
"""How the weights are kept in memory: as they are, or in 8 or 4 bits by bitsandbytes."""

_PROMPT_TOKENS = 16_384
"""Tokens of prompts that are read at a time, with padding."""
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
        if self.tokenizer.pad_token is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token
        # Padding on the left, so that every prompt ends where its completion begins.
        self.tokenizer.padding_side = "left"

    def window(self) -> int | None:
        """The number of tokens of prompt and completion together."""
        places: int | None = getattr(self.network.config, "max_position_embeddings", None)
        return places

    def size(self, messages: Sequence[Message]) -> int:
        """The number of tokens of a prompt."""
        return len(self.prompt(messages))

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

    def generate(self, chats: Sequence[Sequence[Message]]) -> list[Generated]:
        """The completions of chats; each is the one that the chat has alone.

        Raises:
            PromptTooLong: a prompt does not fit.
        """
        prompts = [self._fitting(chat) for chat in chats]
        results: dict[int, Generated] = {}
        for batch in by_length(list(map(len, prompts)), _PROMPT_TOKENS):
            made = self._generate([prompts[row] for row in batch])
            results.update(zip(batch, made, strict=True))
        return [results[row] for row in range(len(chats))]

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

    def _generate(self, prompts: Sequence[list[int]]) -> list[Generated]:
        import torch

        inputs = self.tokenizer.pad({"input_ids": list(prompts)}, return_tensors="pt").to(
            self._device
        )
        with torch.inference_mode():
            generated = self.network.generate(
                input_ids=inputs["input_ids"],
                attention_mask=inputs["attention_mask"],
                max_new_tokens=self.tokens,
                num_beams=1,
                do_sample=False,
                temperature=None,
                top_p=None,
                top_k=None,
                repetition_penalty=1.0,
                pad_token_id=self.tokenizer.pad_token_id,
                return_dict_in_generate=True,
                output_scores=True,
            )
            scores = self.network.compute_transition_scores(
                generated.sequences, generated.scores, normalize_logits=True
            )
        results = []
        rows = generated.sequences[:, inputs["input_ids"].shape[1] :].tolist()
        for row, logs in zip(rows, scores.cpu().float(), strict=True):
            end = next((at for at, token in enumerate(row) if token in self._ends), len(row))
            text = self.tokenizer.decode(row[:end], skip_special_tokens=True)
            confidence = float(logs[: max(1, end)].mean().exp())
            results.append(Generated(text.strip(), min(1.0, confidence), end < len(row)))
        return results


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
