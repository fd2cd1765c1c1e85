"""Instances: the JSON, R||Cmax and P||Cmax formats, exact ticks, and the digest that ties a certificate to one.

Times are decimals in files and integers (ticks) from then on. No float is involved.
"""

import decimal
import hashlib
import json
from decimal import Decimal

MAX_TICKS = 1 << 62
MAX_DECIMALS = 18

# A number that does not fit exactly is an error.
decimal.setcontext(decimal.Context(prec=60, traps=[decimal.Inexact, decimal.InvalidOperation]))


class Unreadable(Exception):
    """A file that is not a valid instance or certificate."""


class Instance:
    """times[t][h] in ticks, None where task t cannot run on host h; ready[h] in ticks."""

    def __init__(self, rows, ready=None, places=None):
        if not rows or not rows[0]:
            raise Unreadable("no tasks or no hosts")
        ready = [Decimal(0)] * len(rows[0]) if ready is None else ready
        if places is not None:
            rows, ready = [[rounded_up(x, places) for x in row] for row in rows], [rounded_up(x, places) for x in ready]
        if any(len(row) != len(ready) for row in rows):
            raise Unreadable("rows of different lengths")
        if any(all(time is None for time in row) for row in rows):
            raise Unreadable("a task that can run nowhere")
        exponents = [x.as_tuple().exponent for row in [ready, *rows] for x in row if x is not None]
        self.decimals = -min(0, *exponents)
        self.times = [[self._ticks(time) for time in row] for row in rows]
        self.ready = [self._ticks(time) for time in ready]
        self.tasks, self.hosts = range(len(rows)), range(len(ready))
        longest = (max(time for time in row if time is not None) for row in self.times)
        if self.decimals > MAX_DECIMALS or max(self.ready) + sum(longest) > MAX_TICKS:
            raise Unreadable("times too precise or too large")

    def _ticks(self, time):
        return None if time is None else int(time.scaleb(self.decimals))

    def digest(self):
        """SHA-256 of the canonical text."""
        lines = ["gridsat-instance 1", f"{len(self.tasks)} {len(self.hosts)} {self.decimals}"]
        for row in [self.ready, *self.times]:
            lines.append(" ".join("-" if time is None else str(time) for time in row))
        return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


def rounded_up(time, places):
    """The number rounded up to that many decimals."""
    if time is None:
        return None
    ticks = time.scaleb(places).to_integral_value(decimal.ROUND_CEILING)
    return ticks.scaleb(-places).normalize()


def time(value):
    """A time with the fewest possible decimals."""
    try:
        value = Decimal(value).normalize()
        if 0 <= value <= MAX_TICKS:
            return abs(value)
    except ArithmeticError:
        pass
    raise Unreadable("not a time, or too large or precise")


def cell(value):
    """A time, or None where the task cannot run."""
    return None if value is None or str(value).lower() == "inf" else time(value)


def load_json(text, parse_int, parse_float=None):
    """JSON without repeated keys; without `parse_float`, all numbers must be integers."""

    def pairs(items):
        if len(dict(items)) < len(items):
            raise Unreadable("a key occurs twice")
        return dict(items)

    def refuse(word):
        raise Unreadable(f"{word[:40]} is not allowed here")

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_constant=refuse,
                          parse_int=parse_int, parse_float=parse_float or refuse)
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise Unreadable(f"not JSON: {error}") from None


def read_json(text, places):
    data = load_json(text, Decimal, Decimal)
    known = {"etc", "name", "tasks", "hosts", "ready"}
    if type(data) is not dict or not {"etc"} <= data.keys() <= known:
        raise Unreadable("no object with 'etc' and known keys")
    rows, ready = data["etc"], data.get("ready")
    lists = [rows, *rows] if type(rows) is list else [None]
    if any(type(part) is not list for part in lists) or type(ready) not in (list, type(None)):
        raise Unreadable("'etc' is no list of lists, or 'ready' no list")
    others = [x for row in rows for x in row if type(x) is not Decimal and x is not None]
    if any(str(x).lower() != "inf" for x in others):
        raise Unreadable("something in 'etc' is no time")
    if any(type(x) is not Decimal for x in ready or []):
        raise Unreadable("something in 'ready' is no time")
    return Instance([[cell(x) for x in row] for row in rows], ready and [time(x) for x in ready], places)


def read_rcmax(text, places):
    lines = [line.split() for line in text.splitlines() if line.strip()]
    rows = [[cell(word) for word in line] for line in lines[2:]]
    if lines[:2] != [[str(len(rows))], [str(len(rows[0]) if rows else 0)]]:
        raise Unreadable("expected the number of jobs, the number of machines, and a line a job")
    return Instance(rows, None, places)


def read_pcmax(text, places):
    words = text.split()
    if words[:2] != ["p", "p_cmax"] or len(words) < 5 or words[-1] != "0":
        raise Unreadable("expected 'p p_cmax', two numbers, the times, and a 0")
    rows = [[cell(word)] * int(words[3]) for word in words[4:-1]]
    if len(rows) != int(words[2]):
        raise Unreadable("the number of times differs from the first line")
    return Instance(rows, None, places)


def text_of(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(str(error)) from None


def read(path, places):
    """The instance in a file, rounded up to `places` decimals unless that is None. P||Cmax text is known by its first
    words, `.txt` is R||Cmax text, all else JSON."""
    text = text_of(path)
    if text.split(None, 2)[:2] == ["p", "p_cmax"]:
        return read_pcmax(text, places)
    return (read_rcmax if path.endswith(".txt") else read_json)(text, places)
