"""Instances: the JSON and R||Cmax formats, exact ticks, and the digest that ties a certificate to one.

Times are decimals in files and integers (ticks) from then on. No float is involved.
"""

import decimal
import hashlib
import json

MAX_TICKS = 1 << 62
MAX_DECIMALS = 18


class Unreadable(Exception):
    """A file that says nothing that could be true or false."""


class Instance:
    """times[t][h] in ticks, None where task t cannot run on host h; ready[h] in ticks."""

    def __init__(self, rows, ready):
        if not rows or not rows[0]:
            raise Unreadable("no tasks or no hosts")
        if any(len(row) != len(rows[0]) for row in rows) or len(ready) != len(rows[0]):
            raise Unreadable("rows of different lengths")
        if any(all(time is None for time in row) for row in rows):
            raise Unreadable("a task that can run nowhere")
        numbers = [x for row in rows + [ready] for x in row if x is not None]
        self.decimals = max(-exponent for _, exponent in numbers + [(0, 0)])
        self.times = [[self._ticks(time) for time in row] for row in rows]
        self.ready = [self._ticks(time) for time in ready]
        self.tasks, self.hosts = range(len(rows)), range(len(ready))
        longest = (max(time for time in row if time is not None) for row in self.times)
        if max(self.ready) + sum(longest) > MAX_TICKS:
            raise Unreadable("times too large")

    def _ticks(self, number):
        return None if number is None else number[0] * 10 ** (number[1] + self.decimals)

    def digest(self):
        """SHA-256 of the canonical text."""
        lines = ["gridsat-instance 1", f"{len(self.tasks)} {len(self.hosts)} {self.decimals}"]
        for row in [self.ready] + self.times:
            lines.append(" ".join("-" if time is None else str(time) for time in row))
        return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


def number(text):
    """(mantissa, exponent) with the exponent at most 0 and as near to it as can be."""
    try:
        sign, digits, exponent = decimal.Decimal(text).as_tuple()
    except decimal.InvalidOperation:
        raise Unreadable(f"{text[:40]!r} is no number") from None
    digits = list(digits)
    while exponent in range(-1 << 40, 0) and len(digits) > 1 and digits[-1] == 0:
        digits.pop()
        exponent += 1
    if not any(digits):
        digits, exponent = [0], 0
    if exponent not in range(-MAX_DECIMALS, 20) or len(digits) > 40:
        raise Unreadable(f"{text[:40]!r} is no time, or too large or precise")
    if sign and digits != [0]:
        raise Unreadable(f"{text[:40]!r} is negative")
    mantissa = int("".join(map(str, digits))) * 10 ** max(exponent, 0)
    return mantissa, min(exponent, 0)


def time_or_none(value):
    """A cell: a number's text, or None or inf where the task cannot run."""
    if value is None or isinstance(value, str) and value.lower() == "inf":
        return None
    return number(value)


class Number(str):
    """The text of a number in JSON, to tell it from a string."""


def load_json(text, numbers=None):
    """JSON without repeated keys; numbers stay text, unless `numbers` are given for all (integers)."""

    def pairs(items):
        if len(dict(items)) < len(items):
            raise Unreadable("a key occurs twice")
        return dict(items)

    def refuse(word):
        raise Unreadable(f"{word[:40]} is not allowed here")

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_constant=refuse,
                          parse_int=numbers or Number, parse_float=refuse if numbers else Number)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not JSON: {error}") from None


def read_json(text):
    data = load_json(text)
    if not isinstance(data, dict) or not {"etc"} <= data.keys() <= {"etc", "name", "tasks", "hosts", "ready"}:
        raise Unreadable("no instance: expected an object with 'etc' and known keys")

    def cell(value):
        if isinstance(value, Number) or value is None or isinstance(value, str) and value.lower() == "inf":
            return time_or_none(value)
        raise Unreadable(f"{value!r} is no time")

    if not isinstance(data["etc"], list) or not all(isinstance(row, list) for row in data["etc"]):
        raise Unreadable("'etc' is no list of lists")
    rows = [[cell(value) for value in row] for row in data["etc"]]
    ready = data.get("ready")
    if ready is None:
        return Instance(rows, [(0, 0)] * len(rows[0] if rows else []))
    if not isinstance(ready, list) or not all(isinstance(time, Number) for time in ready):
        raise Unreadable("'ready' is no list of times")
    return Instance(rows, [number(time) for time in ready])


def read_rcmax(text):
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if len(lines) < 3 or any(len(line) != 1 or not line[0].isdigit() for line in lines[:2]):
        raise Unreadable("expected the number of jobs, the number of machines, and a line a job")
    rows = [[time_or_none(value) for value in line] for line in lines[2:]]
    if len(rows) != int(lines[0][0]) or len(rows[0]) != int(lines[1][0]):
        raise Unreadable("sizes differ from those in the first two lines")
    return Instance(rows, [(0, 0)] * len(rows[0]))


def read(path):
    """The instance in a file; `.txt` is the R||Cmax format, all else JSON."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(str(error)) from None
    return read_rcmax(text) if path.endswith(".txt") else read_json(text)
