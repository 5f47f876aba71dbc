"""The training text that was written for this project, in a folder outside the package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anaphora.errors import UsageError

DEFAULT = Path("training")


@dataclass(frozen=True)
class TrainingText:
    """The files of the folder `training` of the repository; its README.md describes them.

    Raises:
        UsageError: a file or folder is missing.
    """

    folder: Path = DEFAULT

    def __post_init__(self) -> None:
        folders = (self.conversations, self.follow_ups, self.passages)
        parts = (*folders, self.translations, self.templates)
        missing = [path.name for path in parts if not path.exists()]
        if missing:
            raise UsageError(
                f"{self.folder} lacks {', '.join(missing)}; pass the folder training of the "
                "project's repository with --text"
            )

    @property
    def conversations(self) -> Path:
        """A folder with a file for each language, read by `train.rewriter.conversations`."""
        return self.folder / "conversations"

    @property
    def follow_ups(self) -> Path:
        """A folder like `conversations`: conversations about manuals."""
        return self.folder / "follow-ups"

    @property
    def passages(self) -> Path:
        """A folder with a file for each language, read by `train.crossencoder.passages`."""
        return self.folder / "passages"

    @property
    def manuals(self) -> Path:
        """A folder with a file for each language, like `passages`: the pages of manuals."""
        return self.folder / "manuals"

    @property
    def questions(self) -> Path:
        """A folder with a file for each language, read by `train.crossencoder.real_manuals`."""
        return self.folder / "questions"

    @property
    def dialogues(self) -> Path:
        """A folder like `questions`: conversations about the same manuals."""
        return self.folder / "dialogues"

    @property
    def grades(self) -> Path:
        """A folder like `questions`: hits for such questions, each with a grade."""
        return self.folder / "grades"

    @property
    def real(self) -> list[Path]:
        """The files of `questions`, `dialogues` and `grades`."""
        return [
            path
            for part in (self.questions, self.dialogues, self.grades)
            for path in sorted(part.glob("*.jsonl"))
        ]

    @property
    def statements(self) -> Path:
        """A folder with a file for each language, read by `train.support.statements`."""
        return self.folder / "statements"

    @property
    def translations(self) -> Path:
        """Questions of public data sets in other languages, as JSON lines."""
        return self.folder / "translations.jsonl"

    @property
    def templates(self) -> Path:
        """Templates of follow-up questions, as TOML."""
        return self.folder / "templates.toml"
