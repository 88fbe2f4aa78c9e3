"""Charts as SVG, without dependencies: lines, points, linear and logarithmic axes, a legend."""
import math
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f", "#bcbd22", "#000000"]
DASHES = ["", "6 3", "2 3", "8 3 2 3"]


@dataclass
class Axis:
    label: str
    log: bool = False
    low: float | None = None  # None: from the data
    high: float | None = None


@dataclass
class Series:
    name: str
    points: list  # of (x, y)
    line: bool = True
    marks: bool = True
    colour: str | None = None
    dash: str = ""


@dataclass
class Chart:
    title: str
    x: Axis
    y: Axis
    series: list = field(default_factory=list)
    guides: list = field(default_factory=list)  # Series without a place in the legend's colours: ideals, diagonals
    width: int = 720
    height: int = 460
    legend_beside: int = 0  # pixels for it to the right of the frame, where curves would be under it

    LEFT, TOP, BOTTOM = 74, 44, 58

    @property
    def right(self):
        return 28 + self.legend_beside

    def add(self, name, points, **style):
        self.series.append(Series(name, list(points), **style))

    def guide(self, name, points):
        self.guides.append(Series(name, list(points), marks=False, colour="#999999", dash="4 4"))

    def write(self, path):
        Path(path).write_text(self.svg())

    def svg(self):
        everything = self.series + self.guides
        x = Scale(self.x, [p[0] for s in everything for p in s.points], self.LEFT, self.width - self.right)
        y = Scale(self.y, [p[1] for s in everything for p in s.points], self.height - self.BOTTOM, self.TOP)
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                 f'viewBox="0 0 {self.width} {self.height}" font-family="sans-serif" font-size="12">',
                 f'<rect width="{self.width}" height="{self.height}" fill="white"/>',
                 text(self.width / 2, 24, self.title, anchor="middle", size=15)]
        parts += self.frame(x, y)
        for s in self.guides:
            parts += draw(s, s.colour, x, y)
        for i, s in enumerate(self.series):
            parts += draw(s, s.colour or COLOURS[i % len(COLOURS)], x, y)
        parts += self.legend()
        return "\n".join(parts + ["</svg>"]) + "\n"

    def frame(self, x, y):
        left, right, top, bottom = self.LEFT, self.width - self.right, self.TOP, self.height - self.BOTTOM
        parts = []
        for value in x.ticks():
            at = x(value)
            parts.append(line(at, top, at, bottom, "#e4e4e4"))
            parts.append(text(at, bottom + 18, number(value), anchor="middle"))
        for value in y.ticks():
            at = y(value)
            parts.append(line(left, at, right, at, "#e4e4e4"))
            parts.append(text(left - 8, at + 4, number(value), anchor="end"))
        parts.append(f'<rect x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" fill="none" stroke="#444"/>')
        parts.append(text((left + right) / 2, self.height - 14, self.x.label, anchor="middle", size=13))
        middle = (top + bottom) / 2
        parts.append(f'<g transform="rotate(-90 18 {middle})">{text(18, middle, self.y.label, anchor="middle", size=13)}</g>')
        return parts

    def legend(self):
        entries = [(s, s.colour or COLOURS[i % len(COLOURS)]) for i, s in enumerate(self.series)]
        entries += [(s, s.colour) for s in self.guides if s.name]
        if not entries:
            return []
        wide = 44 + 7 * max(len(s.name) for s, _ in entries)
        left, top = (self.width - self.right if self.legend_beside else self.LEFT) + 10, self.TOP + 8
        parts = [f'<rect x="{left}" y="{top}" width="{wide}" height="{18 * len(entries) + 8}" fill="white" '
                 'fill-opacity="0.85" stroke="#bbb"/>']
        for row, (s, colour) in enumerate(entries):
            at = top + 16 + 18 * row
            if s.line:
                parts.append(line(left + 8, at - 4, left + 30, at - 4, colour, s.dash, 2))
            if s.marks:
                parts.append(f'<circle cx="{left + 19}" cy="{at - 4}" r="3" fill="{colour}"/>')
            parts.append(text(left + 36, at, s.name))
        return parts


class Scale:
    """From values to pixels."""

    def __init__(self, axis, values, start, end):
        self.log, self.start, self.end = axis.log, start, end
        values = [v for v in values if not axis.log or v > 0] or [1]
        self.low = axis.low if axis.low is not None else (min(values) if axis.log else min(0, *values, 0))
        self.high = axis.high if axis.high is not None else max(values)
        if self.log:
            self.low = 10 ** math.floor(math.log10(self.low))
            self.high = max(10 ** math.ceil(math.log10(self.high)), self.low * 10)
        elif self.high <= self.low:
            self.high = self.low + 1

    def __call__(self, value):
        if self.log:
            value = max(value, self.low)
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        if self.log:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            return [10.0 ** e for e in range(first, last + 1, max(1, (last - first) // 8))]
        step = 10 ** math.floor(math.log10((self.high - self.low) / 4))
        for factor in (1, 2, 2.5, 5, 10):
            if (self.high - self.low) / (step * factor) <= 8:
                step *= factor
                break
        return [self.low + i * step for i in range(int((self.high - self.low) / step + 1e-9) + 1)]


def draw(series, colour, x, y):
    at = [(x(px), y(py)) for px, py in series.points]
    parts = []
    if series.line and len(at) > 1:
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in at)
        dash = f' stroke-dasharray="{series.dash}"' if series.dash else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>')
    if series.marks:
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.6" fill="{colour}"/>' for px, py in at]
    return parts


def line(x1, y1, x2, y2, colour, dash="", width=1):
    style = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"{style}/>'


def text(x, y, words, anchor="start", size=12):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def number(value):
    return f"{value:g}" if abs(value) < 1e5 else f"{value:.0e}".replace("e+0", "e").replace("e+", "e")
