"""The chat in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from anaphora.assistant import Assistant, Chat
from anaphora.cli.common import number
from anaphora.cli.terminal import Screen
from anaphora.errors import AnaphoraError, UsageError
from anaphora.language import language_code
from anaphora.models.cache import cache_folder
from anaphora.records import Answer
from anaphora.serialization import is_utf8

COMMANDS = {
    "/why": "how the last answer came about: the rewrite, the hits, the scores",
    "/sources": "the cited passages of the last answer in full",
    "/new": "begin a new conversation",
    "/lang": "/lang CODE sets the language of your questions, /lang auto identifies it",
    "/help": "this list",
    "/quit": "leave, as Ctrl-D and Ctrl-C do; while an answer is made, Ctrl-C stops it",
}


class ChatSession:
    """Reads questions until /quit or the end of input."""

    def __init__(self, assistant: Assistant, screen: Screen, lang: str | None) -> None:
        self._assistant = assistant
        self._screen = screen
        self._chat = Chat(assistant, lang)
        self._last: Answer | None = None

    def run(self) -> None:
        index = self._assistant.index
        assert index
        documents, passages = index.counts()
        self._screen.notify(
            f"{number(documents, 'document')}, {number(passages, 'passage')} "
            f"in {', '.join(index.languages)}. /help lists the commands."
        )
        self._screen.completeness(index)
        for line in self._lines():
            text = line.strip()
            if not text:
                continue
            if text.startswith("/"):
                if text.split()[0] in ("/quit", "/exit"):
                    return
                self._command(*text.split(maxsplit=1))
            else:
                self._ask(text)

    def _lines(self) -> Iterator[str]:
        if not sys.stdin.isatty():
            for number, line in enumerate(sys.stdin, 1):
                if is_utf8(line):
                    yield line
                else:
                    self._screen.notify(f"line {number} is not UTF-8, and was skipped")
            return
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import WordCompleter
        from prompt_toolkit.history import FileHistory

        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        session: PromptSession[str] = PromptSession(
            history=FileHistory(str(folder / "chat-history")),
            completer=WordCompleter(list(COMMANDS), sentence=True),
            complete_while_typing=False,
        )
        while True:
            try:
                yield session.prompt("> ")
            except KeyboardInterrupt:
                # The first one discards what has been typed.
                if not session.default_buffer.text:
                    return
            except EOFError:
                return

    def _ask(self, text: str) -> None:
        try:
            self._last = self._screen.stream(self._chat.stream(text))
            self._screen.out.print()
        except AnaphoraError as error:
            self._screen.notify(str(error))
        except KeyboardInterrupt:
            if not sys.stdin.isatty():
                raise
            self._screen.notify("Stopped.")

    def _command(self, name: str, argument: str = "") -> None:
        screen = self._screen
        if name == "/help":
            for command, meaning in COMMANDS.items():
                screen.out.print(f"{command:10} {meaning}")
        elif name == "/new":
            self._chat, self._last = Chat(self._assistant, self._chat.lang), None
            screen.out.print("A new conversation.")
        elif name == "/lang":
            self._set_language(argument.strip())
        elif name in ("/why", "/sources"):
            if self._last is None:
                screen.out.print("Nothing has been asked yet.")
            elif name == "/why":
                screen.why(self._last)
            else:
                screen.sources(self._last)
        else:
            screen.out.print(f"There is no command {name}; /help lists them.", markup=False)

    def _set_language(self, code: str) -> None:
        if code == "auto":
            self._chat.lang = None
        elif code:
            try:
                self._chat.lang = language_code(code)
            except UsageError as error:
                self._screen.notify(str(error))
                return
        self._screen.out.print(
            f"The language of your questions: {self._chat.lang or 'identified from them'}."
        )
