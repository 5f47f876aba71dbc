"""The settings of checkers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anaphora.protocols import Checker, Resources
from anaphora.validation import check_present


@dataclass(frozen=True, slots=True)
class NoChecker:
    """Statements are not checked."""

    def build(self, resources: Resources) -> None:
        return None


@dataclass(frozen=True, slots=True)
class SupportSettings:
    """A network, and a rule for numbers, dates and names.

    `model` is a folder of weights; empty for the shipped ones.
    """

    model: str = ""

    def build(self, resources: Resources) -> Checker:
        """The checker.

        Raises:
            ModelUnavailable: the network cannot be loaded.
        """
        from anaphora.check.model import SHIPPED, shared_model
        from anaphora.check.support import SupportChecker

        return SupportChecker(shared_model(Path(self.model) if self.model else SHIPPED))


@dataclass(frozen=True, slots=True)
class NliSettings:
    """The Hugging Face model `model` for natural language inference: a name on the hub, or a
    folder. The rule for numbers, dates and names applies too.

    Raises:
        UsageError: `model` is empty.
    """

    model: str = ""

    def __post_init__(self) -> None:
        check_present("check", self, "the checker 'nli'", ["model"])

    def build(self, resources: Resources) -> Checker:
        """The checker.

        Raises:
            ModelUnavailable: the model cannot be loaded.
        """
        from anaphora.check.nli import NliChecker

        return NliChecker(self.model)
