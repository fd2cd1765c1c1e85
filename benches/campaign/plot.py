"""An SVG of proven instances over time: one step curve per solver or class, logarithmic time axis.

Colours are those of Okabe and Ito, which colour-blind readers can distinguish; if there are more
curves than colours, the others are dashed. The legend gives the final value of each curve, because
their ends are often too close.
"""

import math
from html import escape

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
DASHES = ("none", "6 3", "2 3")
WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 58, 200, 40, 48  # margins; the legend is in the right margin


class Axes:
    def __init__(self, curves, limit):
        first = min((times[0] for _, times, _ in curves if times), default=limit / 10)
        self.begin = 10 ** math.floor(math.log10(min(first, limit / 10)))
        self.end = max([limit, *(times[-1] for _, times, _ in curves if times)])
        self.top = max(number for _, _, number in curves)

    def x(self, seconds):
        share = math.log(max(seconds, self.begin) / self.begin) / math.log(self.end / self.begin)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, count):
        return HEIGHT - BOTTOM - count / self.top * (HEIGHT - TOP - BOTTOM)

    def seconds(self):
        """Ticks of the time axis: powers of ten, and the end unless it is close to one."""
        powers = [10.0**e for e in range(round(math.log10(self.begin)), 9) if 10.0**e <= self.end]
        return powers + ([self.end] if self.end / powers[-1] > 1.6 else [])

    def counts(self):
        """Ticks of the other axis: about five round numbers."""
        rough = self.top / 5
        power = 10 ** math.floor(math.log10(max(rough, 1)))
        step = next(power * f for f in (1, 2, 5, 10) if power * f >= rough)
        return range(0, self.top + 1, step)


def svg(curves, limit, title):
    """The plot of `curves`: name, sorted times of proven instances, number of instances."""
    axes = Axes(curves, limit)
    styles = [(COLOURS[i % len(COLOURS)], DASHES[i // len(COLOURS) % 3]) for i in range(len(curves))]
    # Styles follow the given order, so that a class looks the same in all plots; the legend is by rank.
    ranked = sorted(zip(curves, styles), key=lambda pair: -len(pair[0][1]) / pair[0][2])
    parts = [*frame(axes, title)]
    for i, (curve, style) in enumerate(ranked):
        parts += [*line(axes, curve[1], style), *legend(i, curve, style)]
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">'
    return "\n".join([head, *parts, "</svg>", ""])


def frame(axes, title):
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    yield text(LEFT, 24, title, "start", 'font-size="14" font-weight="bold"')
    for seconds in axes.seconds():
        x = axes.x(seconds)
        yield grid(x, TOP, x, bottom)
        yield text(x, bottom + 17, f"{seconds:g}", "middle")
    for count in axes.counts():
        y = axes.y(count)
        yield grid(LEFT, y, right, y)
        yield text(LEFT - 7, y + 4, count, "end")
    yield f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#333333"/>'
    yield text((LEFT + right) / 2, HEIGHT - 12, "seconds", "middle")
    middle = (TOP + bottom) / 2
    yield text(16, middle, "instances proven optimal", "middle", f'transform="rotate(-90 16 {middle:g})"')


def grid(x1, y1, x2, y2):
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="#e4e4e4"/>'


def text(x, y, words, anchor, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#222222" {more}>{escape(str(words))}</text>'


def line(axes, times, style):
    if times:
        steps = "".join(f"H{axes.x(t):.1f}V{axes.y(i):.1f}" for i, t in enumerate(times, 1))
        path = f"M{axes.x(times[0]):.1f} {axes.y(0):.1f}{steps}H{axes.x(axes.end):.1f}"
        yield f'<path d="{path}" fill="none" {stroke(style)} stroke-linejoin="round"/>'


def legend(i, curve, style):
    name, times, number = curve
    x, y = WIDTH - RIGHT + 14, TOP + 10 + 20 * i
    yield f'<path d="M{x} {y}h22" fill="none" {stroke(style)}/>'
    yield text(x + 29, y + 4, f"{name}  {len(times)}/{number}", "start")


def stroke(style):
    return f'stroke="{style[0]}" stroke-dasharray="{style[1]}" stroke-width="2"'
