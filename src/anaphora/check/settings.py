"""The settings of checkers."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.protocols import Checker, Resources


@dataclass(frozen=True, slots=True)
class NoChecker:
    """Statements are not checked."""

    def build(self, resources: Resources) -> None:
        return None


@dataclass(frozen=True, slots=True)
class SupportSettings:
    """A rule for numbers, dates and names, and the words that statement and evidence share."""

    def build(self, resources: Resources) -> Checker:
        """The checker."""
        from anaphora.check.overlap import OverlapChecker

        return OverlapChecker()
