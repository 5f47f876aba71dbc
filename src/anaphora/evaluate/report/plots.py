"""Inline SVG without a fixed size: positions are percentages, so that a plot fills its box at any
width while text and points keep theirs. Colours and textures are classes of style.css."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt

from anaphora.evaluate.correlation import Density
from anaphora.evaluate.report.markup import Markup, element, join

TEXTURES = {
    "rewriting": "M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2",
    "retrieval": "M0,3 h6",
    "reranking": "M-1,5 l2,2 M0,0 l6,6 M5,-1 l2,2",
    "reading": "M3,0 v6",
    "language": "M0,0 l6,6 M0,6 l6,-6",
    "data": "M1.5,1.5 h1.5 M4.5,4.5 h1.5",
}
"""Lines drawn over a colour, so that it is not colour alone that tells the culprits apart."""


def textures() -> Markup:
    """The patterns that every plot of the page refers to."""
    patterns = [
        element(
            "pattern",
            element("path", d=path, class_="texture"),
            id=f"texture-{name}",
            width=6,
            height=6,
            patternUnits="userSpaceOnUse",
        )
        for name, path in TEXTURES.items()
    ]
    return element("svg", element("defs", *patterns), class_="defs", width=0, height=0, **_HIDDEN)


_HIDDEN = {"aria-hidden": "true"}


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole: `share` in 0..1, `kind` the class that colours it."""

    kind: str
    label: str
    share: float
    count: int
    href: str | None = None


def bar(shares: Sequence[Share]) -> Markup:
    """One horizontal bar, cut in proportion; a part leads to the turns it counts."""
    parts: list[Markup] = []
    at = 0.0
    for share in shares:
        if share.count:
            parts.append(_part(share, at))
        at += share.share
    return element("svg", *parts, class_="bar", role="img", **{"aria-label": _told(shares)})


def _part(share: Share, at: float) -> Markup:
    place = {"x": percent(at), "width": percent(share.share), "height": "100%"}
    drawn = [
        element("title", f"{share.label}: {share.count} ({share.share:.1%})"),
        element(
            "rect", class_=f"share fill-{share.kind}", data_share=f"{share.share:.6f}", **place
        ),
    ]
    if share.kind in TEXTURES:
        drawn.append(element("rect", fill=f"url(#texture-{share.kind})", **place))
    if share.share >= 0.07:
        middle = percent(at + share.share / 2)
        slim = " slim" if share.share < 0.13 else ""
        look = f"on on-{share.kind}{slim}"
        drawn.append(element("text", f"{share.share:.0%}", x=middle, y="50%", class_=look))
    if share.href is None:
        return element("g", *drawn)
    return element("a", *drawn, href=share.href, tabindex=-1)


def _told(shares: Sequence[Share]) -> str:
    return ", ".join(f"{share.label} {share.share:.0%}" for share in shares if share.count)


def swatch(kind: str, texture: str | None = None, letter: str = "") -> Markup:
    """The look of a kind, for a legend."""
    drawn = [element("rect", width="100%", height="100%", class_=f"fill-{kind}")]
    texture = texture or (kind if kind in TEXTURES else None)
    if texture:
        drawn.append(element("rect", width="100%", height="100%", fill=f"url(#texture-{texture})"))
    if letter:
        drawn.append(element("text", letter, x="50%", y="50%", class_=f"on on-{kind}"))
    return element("svg", *drawn, class_="swatch", **_HIDDEN)


@dataclass(frozen=True, slots=True)
class Region:
    """One layer of a stacked area; `shares` in 0..1, one for each x; `letter` names it there."""

    kind: str
    letter: str
    label: str
    texture: str | None
    shares: Sequence[float]


def stacked_area(
    id: str, xs: Sequence[float], regions: Sequence[Region], mark: float | None, title: str
) -> Markup:
    """Layers whose shares sum to 1 at each x in 0..1, the first on top (the paper's Figure 1).

    A dashed line stands at `mark`.
    """
    tops = [0.0] * len(xs)
    drawn: list[Markup] = []
    for number, region in enumerate(regions):
        bottoms = [top + share for top, share in zip(tops, region.shares, strict=True)]
        upper = [f"{x:.4f},{y:.5f}" for x, y in zip(xs, tops, strict=True)]
        lower = [f"{x:.4f},{y:.5f}" for x, y in zip(xs, bottoms, strict=True)]
        outline = element("polygon", points=" ".join([*upper, *reversed(lower)]))
        name = f"{id}-{number}"
        drawn.append(element("clipPath", outline, id=name, clipPathUnits="objectBoundingBox"))
        drawn.append(_layer(region, name))
        tops = bottoms
    drawn += [_boundary(xs, regions, number) for number in range(1, len(regions))]
    letters = (_region_letter(xs, regions, number) for number in range(len(regions)))
    drawn += [letter for letter in letters if letter]
    if mark is not None:
        at = percent(mark)
        drawn.append(element("line", x1=at, x2=at, y1="0%", y2="100%", class_="mark"))
    drawn += [_x_tick(value, f"{value:g}") for value in (0, 0.2, 0.4, 0.6, 0.8, 1)]
    drawn += [_y_tick(value, f"{1 - value:.0%}") for value in (0, 0.25, 0.5, 0.75, 1)]
    return element("svg", *drawn, class_="plot", role="img", **{"aria-label": title})


def _layer(region: Region, clip: str) -> Markup:
    whole = {"width": "100%", "height": "100%"}
    drawn = [element("rect", class_=f"fill-{region.kind}", **whole)]
    if region.texture:
        drawn.append(element("rect", fill=f"url(#texture-{region.texture})", **whole))
    return element(
        "g",
        element("title", region.label),
        *drawn,
        clip_path=f"url(#{clip})",
        class_="region",
        data_kind=region.kind,
        data_shares=" ".join(f"{share:.6f}" for share in region.shares),
    )


def _boundary(xs: Sequence[float], regions: Sequence[Region], number: int) -> Markup:
    above = [sum(region.shares[at] for region in regions[:number]) for at in range(len(xs))]
    lines = [
        element("line", x1=percent(x), y1=percent(y), x2=percent(next_x), y2=percent(next_y))
        for x, y, next_x, next_y in zip(xs, above, xs[1:], above[1:], strict=False)
    ]
    return element("g", *lines, class_="boundary")


def _region_letter(xs: Sequence[float], regions: Sequence[Region], number: int) -> Markup | None:
    """The letter where its region is thickest, if it is thick enough to hold one."""
    region = regions[number]
    inner = [at for at, x in enumerate(xs) if 0.05 <= x <= 0.95]
    at = max(inner, key=lambda at: region.shares[at], default=0)
    if region.shares[at] < 0.07:
        return None
    above = sum(other.shares[at] for other in regions[:number])
    middle = percent(above + region.shares[at] / 2)
    look = f"on letter on-{region.kind}"
    return element("text", region.letter, x=percent(xs[at]), y=middle, class_=look)


@dataclass(frozen=True, slots=True)
class Point:
    """A mean over `count` turns and its confidence interval."""

    x: str
    y: float
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Line:
    kind: str
    label: str
    points: Sequence[Point]


def lines(xs: Sequence[str], series: Sequence[Line], title: str) -> Markup:
    """Means over xs in their order, a line and a mark a series, their intervals as whiskers.

    Under each x stands how many turns the series with the most has there.
    """
    highest = max((point.high for line in series for point in line.points), default=1.0)
    step = next(step for step in _STEPS if highest <= 5.5 * step)
    top = step * max(1, ceil(highest / step - 1e-9))
    place = {x: (at + 0.5) / len(xs) for at, x in enumerate(xs)}
    values = [step * number for number in range(round(top / step) + 1)]
    drawn = [_grid(1 - value / top) for value in values]
    drawn += [_y_tick(1 - value / top, f"{value:.2g}") for value in values]
    drawn += [_x_tick(place[x], x) for x in xs]
    drawn += [_below(place[x], f"{count:,}") for x, count in _most(series).items()]
    drawn.append(element("text", "n", x="0%", dx=-8, y="100%", dy=34, class_="tick y n"))
    for number, line in enumerate(series):
        drawn.append(_line(line, place, top, shift=5 * (number - (len(series) - 1) / 2)))
    return element("svg", *drawn, class_="plot", role="img", **{"aria-label": title})


_STEPS = (0.02, 0.05, 0.1, 0.2)
"""Between the lines of a grid for scores."""


def _most(series: Sequence[Line]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for line in series:
        for point in line.points:
            counts[point.x] = max(point.count, counts.get(point.x, 0))
    return counts


def _below(x: float, label: str) -> Markup:
    return element("text", label, x=percent(x), y="100%", dy=34, class_="tick x n")


def _line(line: Line, place: Mapping[str, float], top: float, shift: float) -> Markup:
    """`shift` in pixels keeps the whiskers of several series apart."""
    at = [(percent(place[p.x]), percent(1 - p.y / top), p) for p in line.points]
    strokes = [
        element("line", x1=x, y1=y, x2=next_x, y2=next_y, class_="stroke")
        for (x, y, _), (next_x, next_y, _) in pairwise(at)
    ]
    whiskers = [
        element(
            "line",
            x1=x,
            x2=x,
            y1=percent(1 - p.low / top),
            y2=percent(1 - min(p.high, top) / top),
            class_="whisker",
        )
        for x, _, p in at
    ]
    marks = [
        element(
            "svg",
            element(
                "title",
                f"{line.label}, {p.x}: {p.y:.3f} [{p.low:.3f}, {p.high:.3f}], n = {p.count}",
            ),
            marker(line.kind),
            x=x,
            y=y,
            class_="point",
        )
        for x, y, p in at
    ]
    return element(
        "g",
        *strokes,
        *whiskers,
        *marks,
        class_=f"series line-{line.kind}",
        transform=f"translate({shift:g} 0)",
    )


def marker(kind: str) -> Markup:
    """The mark of a series: a ring, a disc or a square, by the form of the question."""
    if kind == "human":
        return element("rect", x=-4, y=-4, width=8, height=8, class_="marker")
    return element("circle", r=4.5, class_="marker")


def key(kind: str) -> Markup:
    """Line and mark of a series, for a legend."""
    drawn = element("line", x1=0, x2=28, y1=7, y2=7, class_="stroke")
    mark = element("svg", marker(kind), x=14, y=7, class_="point")
    return element("svg", drawn, mark, class_=f"key line-{kind}", width=28, height=14, **_HIDDEN)


def discs(grid: Density, x: str, y: str, title: str) -> Markup:
    """A grid of counts, each as the area of its disc (the paper's Figures 2 and 3)."""
    bins = len(grid.counts)
    most = max(map(max, grid.counts))
    drawn = [
        element(
            "circle",
            element(
                "title",
                f"{x} {_span(column, bins, grid.x_range)}, "
                f"{y} {_span(row, bins, grid.y_range)}: {count}",
            ),
            cx=percent((column + 0.5) / bins),
            cy=percent(1 - (row + 0.5) / bins),
            r=percent(max(0.15, sqrt(count / most)) * 0.6 / bins),
            data_count=count,
        )
        for row, counts in enumerate(grid.counts)
        for column, count in enumerate(counts)
        if count
    ]
    quarters = [value / 4 for value in range(5)]
    axes = [_grid(value) for value in quarters]
    axes += [_x_tick(value, f"{_at(value, grid.x_range):g}") for value in quarters]
    axes += [_y_tick(value, f"{_at(1 - value, grid.y_range):g}") for value in quarters]
    labels = {"aria-label": title}
    return element(
        "svg",
        *axes,
        element("g", *drawn, class_="discs"),
        class_="plot square",
        role="img",
        **labels,
    )


def _at(share: float, ends: tuple[float, float]) -> float:
    return ends[0] + share * (ends[1] - ends[0])


def _span(cell: int, bins: int, ends: tuple[float, float]) -> str:
    return f"{_at(cell / bins, ends):.2g}–{_at((cell + 1) / bins, ends):.2g}"


def interval(mean: float, low: float, high: float) -> Markup:
    """A mean in 0..1 and its interval on a line as long as the cell."""
    return element(
        "svg",
        element("line", x1="0%", x2="100%", y1="50%", y2="50%", class_="rail"),
        element("line", x1=percent(low), x2=percent(high), y1="50%", y2="50%", class_="range"),
        element("circle", cx=percent(mean), cy="50%", r=2.5),
        class_="interval",
        **_HIDDEN,
    )


def _grid(y: float) -> Markup:
    return element("line", x1="0%", x2="100%", y1=percent(y), y2=percent(y), class_="grid")


def _x_tick(x: float, label: str) -> Markup:
    return element("text", label, x=percent(x), y="100%", dy=18, class_="tick x")


def _y_tick(y: float, label: str) -> Markup:
    return element("text", label, x="0%", dx=-8, y=percent(y), class_="tick y")


def percent(share: float) -> str:
    """A share as SVG's percentage, fine enough that the parts of a whole still fill it."""
    return f"{100 * share:.4f}%".replace(".0000%", "%")


def plot(drawing: Markup, legend: Markup, x: str, y: str) -> Markup:
    """A drawing under its legend, with the names of its axes."""
    return join(
        legend,
        element("p", y, class_="axis y"),
        drawing,
        element("p", x, class_="axis x"),
    )
