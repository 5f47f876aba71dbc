"""Checks that settings dataclasses share."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.errors import UsageError

MAX_SECONDS = 3600.0
_MAX_REQUESTS = 64


def check_ranges(table: str, settings: object, **ranges: tuple[bool, str]) -> None:
    """Checks the values of settings.

    Args:
        ranges: by the name of a setting, whether its value is valid, and what is.

    Raises:
        UsageError: a value is not valid.
    """
    for name, (valid, wanted) in ranges.items():
        if not valid:
            value = getattr(settings, name)
            raise UsageError(f"the setting '{table}.{name}' must be {wanted}, not {value!r}")


def check_present(table: str, settings: object, part: str, names: Sequence[str]) -> None:
    """Checks that settings without a default are given.

    Raises:
        UsageError: one is empty.
    """
    missing = [f"'{table}.{name}'" for name in names if not getattr(settings, name).strip()]
    if missing:
        raise UsageError(f"{part} needs {' and '.join(missing)} to be set")


def request_ranges(timeout: float, parallel: int) -> dict[str, tuple[bool, str]]:
    """The valid settings of requests to an endpoint."""
    return {
        "timeout": (0 < timeout <= MAX_SECONDS, f"more than 0, up to {MAX_SECONDS:.0f}"),
        "parallel": (1 <= parallel <= _MAX_REQUESTS, f"from 1 to {_MAX_REQUESTS}"),
    }
