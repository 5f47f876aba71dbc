"""The geometry of the report's plots; templates/plots.html draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import Final

from anaphora.evaluate.report.figures import Estimate, Groups, Means, phrasings
from anaphora.evaluate.report.labels import REGIONS
from anaphora.evaluate.results import Phrasing, Run
from anaphora.evaluate.sweep import Region, Sweep

_REGION_LOOKS: Final[Mapping[Region, tuple[str, str | None]]] = {
    "qa_errors": ("qa", "retrieval"),
    "errors": ("qa", "retrieval"),
    "rewriting_errors": ("rewriting", "rewriting"),
    "right_with_rewriting": ("gained", None),
    "right_without_rewriting": ("right", None),
    "right": ("right", None),
}
"""The class that colours a region, and its texture."""

_STEPS: Final = (0.02, 0.05, 0.1, 0.2)
"""Between the lines of a grid for scores."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of a stacked area.

    Attributes:
        shares: its height at each x, in 0..1.
        tops: the sum of the layers above it at each x.
    """

    kind: str
    texture: str | None
    letter: str
    label: str
    shares: Sequence[float]
    tops: Sequence[float]

    def outline(self, xs: Sequence[float]) -> str:
        """The corners of its polygon, in 0..1."""
        bottoms = [top + share for top, share in zip(self.tops, self.shares, strict=True)]
        upper = [f"{x:.4f},{y:.5f}" for x, y in zip(xs, self.tops, strict=True)]
        lower = [f"{x:.4f},{y:.5f}" for x, y in zip(xs, bottoms, strict=True)]
        return " ".join([*upper, *reversed(lower)])

    def thickest(self, xs: Sequence[float]) -> int:
        """Where its letter fits best: the index of an x away from the edges."""
        inner = [at for at, x in enumerate(xs) if 0.05 <= x <= 0.95]
        return max(inner, key=self.shares.__getitem__, default=0)


def layers(swept: Sweep) -> list[Layer]:
    """The regions of a sweep, the first on top (Figure 1 of Vakulenko et al. 2020)."""
    shares = list(swept.regions.values())
    tops = accumulate(
        shares,
        lambda above, share: tuple(a + s for a, s in zip(above, share, strict=True)),
        initial=(0.0,) * len(swept.thresholds),
    )
    return [
        Layer(*_REGION_LOOKS[name], letter, REGIONS[name], share, top)
        for letter, (name, share), top in zip("ABCD", swept.regions.items(), tops, strict=False)
    ]


@dataclass(frozen=True, slots=True)
class Line:
    """One series: its phrasing, and the x in 0..1, the group and the estimate of each point."""

    form: Phrasing
    points: Sequence[tuple[float, str, Estimate]]


@dataclass(frozen=True, slots=True)
class LinePlot:
    """Estimates over groups.

    Attributes:
        top: the score at the upper edge.
        ticks: the scores at the lines of the grid.
        places: x in 0..1 and name of each group, and the turns of its largest series.
    """

    series: Sequence[Line]
    top: float
    ticks: Sequence[float]
    places: Sequence[tuple[float, str, int]]


def line_plot(run: Run, groups: Groups, means: Means, metric: str) -> LinePlot:
    """A line a phrasing over the groups, in their order."""
    xs = {name: (at + 0.5) / len(groups) for at, name in enumerate(groups)}
    series = [
        Line(
            form,
            [(xs[name], name, means[metric, name, form]) for name in groups
             if (metric, name, form) in means],
        )
        for form in phrasings(run)
    ]  # fmt: skip
    series = [line for line in series if line.points]
    points = [point for line in series for point in line.points]
    highest = max((found.high for _, _, found in points), default=1.0)
    step = next(step for step in _STEPS if highest <= 5.5 * step)
    top = step * max(1, ceil(highest / step - 1e-9))
    places = [
        (x, name, max((found.count for _, group, found in points if group == name), default=0))
        for name, x in xs.items()
    ]
    ticks = [step * number for number in range(round(top / step) + 1)]
    return LinePlot(series, top, ticks, places)


def percent(fraction: float) -> str:
    """A fraction as a percentage of SVG, fine enough that the parts of a whole still fill it."""
    return f"{100 * fraction:.4f}%".replace(".0000%", "%")
