"""The command that checks statements from standard input; it needs no index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anaphora.cli.common import ConfigOption, JsonOption, parse_input, print_json, read_config

if TYPE_CHECKING:
    from anaphora.config import Config
    from anaphora.protocols import Checker


def check(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Check statements: statements with their passages in (JSON lines), their support out.

    Without a configured checker the default one is used. Each line is answered before the next one
    is read.
    """
    from anaphora.cli.terminal import Screen
    from anaphora.serialization import parse_claim, support_to_dict

    screen = Screen()
    checker = _checker(read_config(config))
    for id, passages, claim in parse_input(parse_claim):
        (support,) = checker.check([claim])
        if as_json:
            print_json(support_to_dict(id, passages, support))
        else:
            screen.support(claim, passages, support)


def _checker(settings: Config) -> Checker:
    from anaphora import registry
    from anaphora.check.settings import NoChecker, SupportSettings
    from anaphora.cli.filters import WithoutIndex

    chosen = settings.check
    if isinstance(chosen, NoChecker):
        chosen = SupportSettings()
    checker: Checker = registry.build(chosen, WithoutIndex(settings))
    return checker
