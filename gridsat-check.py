#!/usr/bin/env python3
"""Checks certificates of gridsat: optima and lower bounds of makespans, repeated step by step.

    python3 gridsat-check.py INSTANCE CERTIFICATE [--hosts HOSTS.csv]

Exit code 0: accepted; 1: rejected, with the reason; 2: a file cannot be read. Proof files are looked
for beside the certificate. `--hosts` is the table of hosts of a task list, if there is one.

Written from docs/certificates.md of gridsat, which has the rules and why they hold; it shares no
code with gridsat and uses other algorithms where there is a choice. One file, Python 3.8 or later,
the standard library only. All arithmetic is in integers of any size.

Parts: instances (files to ticks) - knapsacks - the rules - cases of a tree - formulas - LRAT - the
certificate.
"""

import csv
import functools
import gzip
import hashlib
import io
import json
import os
import re
import sys
from bisect import bisect_right
from collections import Counter, deque
from fractions import Fraction
from itertools import accumulate
from math import gcd, isqrt


class Unreadable(Exception):
    """A file that is not a valid instance or certificate."""


class Rejected(Exception):
    """A claim is false, or does not follow from the proof."""


def demand(condition, reason):
    if not condition:
        raise Rejected(reason)


# --- Instances: files to integer ticks -----------------------------------------------------------

MAX_TICKS = 1 << 62
MAX_DECIMALS = 18
MANY_PAIRS = 10_000_000
NUMBER = re.compile(r"\+?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
CANNOT_RUN = {"", "x", "-", "inf", "\u221e", "na", "n/a", "nan", "null"}


class Instance:
    """times[t][h] in ticks, None where task t cannot run on host h; ready[h] in ticks."""

    def __init__(self, rows, ready=None, places=None):
        if not rows or not rows[0]:
            raise Unreadable("no tasks or no hosts")
        ready = [0] * len(rows[0]) if ready is None else ready
        if any(len(row) != len(ready) for row in rows):
            raise Unreadable("rows of different lengths")
        if any(all(time is None for time in row) for row in rows):
            raise Unreadable("a task that can run nowhere")
        if places is not None:
            rows = [[rounded_up(time, places) for time in row] for row in rows]
            ready = [rounded_up(time, places) for time in ready]
        fractions = {x for row in [ready, *rows] for x in row if type(x) is Fraction}
        largest = max(ready) + sum(max((x for x in row if x is not None), default=0) for row in rows)
        self.decimals, self.parts = tick(fractions, largest)
        ticks = self.parts * 10**self.decimals
        in_ticks = {x: int(x * ticks) for x in fractions}
        self.times = [[in_ticks[x] if type(x) is Fraction else x and x * ticks for x in row]
                      for row in rows]
        self.ready = [in_ticks[x] if type(x) is Fraction else x * ticks for x in ready]
        self.tasks, self.hosts = range(len(rows)), range(len(ready))

    def digest(self):
        """SHA-256 of the canonical text."""
        form, rows = 1, [self.ready, *self.times]
        if len(self.tasks) * len(self.hosts) > MANY_PAIRS:
            number_of = {}
            columns = [number_of.setdefault(column, len(number_of)) for column in zip(*self.times)]
            if len(number_of) < len(columns):
                first = [columns.index(number) for number in range(len(number_of))]
                form, rows = 2, [self.ready, columns, *([row[h] for h in first] for row in self.times)]
        lines = [f"gridsat-instance {form}", f"{len(self.tasks)} {len(self.hosts)} {self.decimals}"]
        if self.parts > 1:
            lines[1] += f" {self.parts}"
        for row in rows:
            lines.append(" ".join("-" if time is None else str(time) for time in row))
        return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()

    def room(self, host, k):
        """The time of the host until k; None if it is ready only after k."""
        return k - self.ready[host] if self.ready[host] <= k else None

    def fits(self, task, host, k):
        time = self.times[task][host]
        return time is not None and self.ready[host] + time <= k

    def shown(self, ticks):
        """A time in the unit of the file."""
        if self.parts > 1:
            time = Fraction(ticks, self.parts)
            places = len(str(self.parts)) + 2
            exact = [d for d in range(MAX_DECIMALS * 4) if 10**d % time.denominator == 0]
            text = digits_of(time, exact[0] if exact else min(places, MAX_DECIMALS + 1))
            return text if exact else text + "\u2026"
        whole, rest = divmod(ticks, 10**self.decimals)
        digits = f"{rest:0{self.decimals}d}".rstrip("0") if rest else ""
        return f"{whole}.{digits}" if digits else str(whole)


def digits_of(x, places):
    """A fraction as a decimal number, cut off."""
    whole, rest = divmod(x.numerator * 10**places // x.denominator, 10**places)
    return f"{whole}.{rest:0{places}d}" if places else str(whole)


def tick(fractions, largest):
    """The unit in ticks, (decimals, parts): the fewest decimals of all fractions, or if that does not fit, the
    parts of their least common denominator."""
    unit = 1
    for x in fractions:
        unit *= x.denominator // gcd(unit, x.denominator)
    for places in range(MAX_DECIMALS + 1):
        if 10**places % unit == 0 and largest * 10**places <= MAX_TICKS:
            return places, 1
    if unit > 10**MAX_DECIMALS or largest * unit > MAX_TICKS:
        raise Unreadable("times too precise or too large")
    return 0, unit


def rounded_up(x, places):
    if type(x) is not Fraction:
        return x
    return whole(Fraction(-(-x.numerator * 10**places // x.denominator), 10**places))


def whole(x):
    """A fraction as an integer if it is one."""
    return x.numerator if x.denominator == 1 else x


@functools.lru_cache(maxsize=1 << 20)
def number(text):
    """A number >= 0 as an integer or a fraction."""
    if text.isascii() and text.isdigit():
        x = int(text)
    elif NUMBER.fullmatch(text):
        x = whole(Fraction(text))
    else:
        raise Unreadable(f"{text[:40]!r} is not a time")
    if x > MAX_TICKS:
        raise Unreadable(f"{text[:40]} is too large")
    return x


def cell(text):
    """A time, or None where the task cannot run."""
    return None if text.lower() == "inf" else number(text)


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


class Digits(str):
    """A number in JSON, as it is written."""


def json_time(x):
    if type(x) is not Digits:
        raise Unreadable("something is no time")
    return number(x)


def json_cell(x):
    return None if x is None or type(x) is str and x.lower() == "inf" else json_time(x)


def list_in(x, what):
    if type(x) is not list:
        raise Unreadable(f"{what} is no list")
    return x


def read_json(text, claimed, hosts):
    data = load_json(text, Digits, Digits)
    known = {"etc", "name", "tasks", "hosts", "ready", "qos"}
    if type(data) is not dict or not data.keys() <= known:
        raise Unreadable("no object with known keys")
    ready = data.get("ready")
    ready = None if ready is None else [json_time(x) for x in list_in(ready, "'ready'")]
    if "etc" in data:
        rows = [[json_cell(x) for x in list_in(row, "a row")] for row in list_in(data["etc"], "'etc'")]
    elif {"tasks", "hosts"} <= data.keys():
        works = [json_time(task.get("time") if type(task) is dict else task)
                 for task in list_in(data["tasks"], "'tasks'")]
        kinds = hosts or json_hosts(data["hosts"])
        rows, own = speed_rows(works, kinds)
        ready = own if ready is None else ready
    else:
        raise Unreadable("neither 'etc' nor lists of tasks and hosts")
    levels = data.get("qos") or {}
    levels = {key: [int(json_time(x)) for x in list_in(levels[key], "'qos'")] for key in levels}
    yield with_levels(rows, levels.get("tasks"), levels.get("hosts")), ready


def json_hosts(data):
    """Kinds of hosts as (speed, count, ready)."""
    if type(data) is Digits:
        return [(1, int(number(data)), 0)]
    kinds = [{} if type(kind) is str else kind for kind in list_in(data, "'hosts'")]
    return [host_kind({key: value for key, value in kind.items() if key != "name"}) for kind in kinds]


def host_kind(kind):
    return speed(kind.get("speed", "1")), int(number(kind.get("count", "1"))), number(kind.get("ready", "0"))


def speed(text):
    top, _, bottom = text.partition("/")
    x = Fraction(number(top), number(bottom or "1"))
    if x <= 0:
        raise Unreadable("a speed must be above 0")
    return x


def speed_rows(works, kinds):
    """One row per task and the ready times; equal hosts have equal columns."""
    speeds = [speed for speed, count, _ in kinds for _ in range(count)]
    rows = [[whole(Fraction(work) / speed) for speed in speeds] for work in works]
    return rows, [ready for _, count, ready in kinds for _ in range(count)]


def with_levels(rows, tasks, hosts):
    """Without the pairs whose host offers less than the task requests."""
    if tasks is None and hosts is None:
        return rows
    tasks, hosts = tasks or [0] * len(rows), hosts or [0] * len(rows[0])
    return [[time if asked <= offered else None for time, offered in zip(row, hosts)]
            for row, asked in zip(rows, tasks)]


def read_rcmax(text, claimed, hosts):
    lines = [line.split() for line in text.splitlines() if line.strip()]
    rows = [[cell(word) for word in line] for line in lines[2:]]
    if lines[:2] != [[str(len(rows))], [str(len(rows[0]) if rows else 0)]]:
        raise Unreadable("expected the number of jobs, the number of machines, and one line per job")
    yield rows, None


def read_pcmax(text, claimed, hosts):
    words = text.split()
    if words[:2] != ["p", "p_cmax"] or len(words) < 5 or words[-1] != "0":
        raise Unreadable("expected 'p p_cmax', two numbers, the times, and a 0")
    works = [number(word) for word in words[4:-1]]
    if len(works) != number(words[2]):
        raise Unreadable("the number of times differs from the first line")
    yield speed_rows(works, hosts or [(1, number(words[3]), 0)])


def read_hcsp(text, claimed, hosts):
    """Times task by task; the first line may have the sizes."""
    first, _, rest = text.lstrip().partition("\n")
    width = claimed["hosts"]
    for words in (rest.split() if len(first.split()) in (2, 3) else [], text.split()):
        if words and len(words) == claimed["tasks"] * width:
            times = [cell(word) for word in words]
            yield [times[i:i + width] for i in range(0, len(times), width)], None


def table(text, separator):
    """The rows of a CSV text, without comments and without empty columns at the end."""
    lines = [line for line in text.splitlines(True) if line.strip() and not line.startswith("#")]
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator)]
    rows = [row for row in rows if any(row)]
    width = max((len(row.copy()) - next((i for i, c in enumerate(reversed(row)) if c), 0) for row in rows), default=0)
    return [(row + [""] * width)[:width] for row in rows]


def read_csv(text, claimed, hosts):
    """All ways to read the table: a task list, or a matrix with or without names and further rows. The digest in the
    certificate says which is meant."""
    separators = [",", ";", "\t"]
    if text[:4].lower() == "sep=":
        separators, text = [text[4]], text.partition("\n")[2]
    for separator in separators:
        rows = table(text, separator)
        if not rows:
            continue
        head = [name.lower() for name in rows[0]]
        if {"task", "time"} <= set(head):
            at = head.index("time")
            works = [csv_number(row[at], separator) for row in rows[1:]]
            yield from readable(lambda: speed_rows(works, hosts or [(1, claimed["hosts"], 0)]))
        for header in (1, 0):
            for index in (1, 0):
                for special in ((), ("ready",), ("qos",), ("ready", "qos")):
                    yield from readable(lambda: matrix(rows, header, index, special, separator))


def readable(read):
    """What the function returns, if anything."""
    try:
        yield read()
    except (Unreadable, IndexError, ValueError):
        pass


def csv_number(text, separator):
    return number(text.replace(",", ".") if separator != "," else text)


def matrix(rows, header, index, special, separator):
    """The matrix in a table, with the rows and the column of these names."""
    names = [name.lower() for name in rows[0]] if header else []
    column = names.index("qos") if "qos" in special and "qos" in names else None
    times, ready, asked, offered = [], None, [] if column is not None else None, None
    for row in rows[header:]:
        word = row[0].lower()
        cells = [text for at, text in enumerate(row) if at != column][index:]
        if word in special:
            if word == "ready":
                ready = [csv_number(text, separator) for text in cells]
            else:
                offered = [int(text) for text in cells]
            continue
        if column is not None:
            asked.append(int(row[column] or 0))
        times.append([None if text.lower() in CANNOT_RUN else csv_number(text, separator) for text in cells])
    return with_levels(times, asked, offered), ready


def host_table(path):
    """Kinds of hosts in a CSV file, as (speed, count, ready)."""
    text = text_of(path)
    rows = table(text, max(",;\t", key=text.count))
    keys = [name.lower() for name in rows[0]] if rows else []
    kinds = [{key: value for key, value in zip(keys, row) if value} for row in rows[1:]]
    return [host_kind(kind) for kind in kinds]


def bytes_of(path):
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            return file.read()
    except (OSError, EOFError) as error:
        raise Unreadable(str(error)) from None


def text_of(path):
    data = bytes_of(path)
    for encoding in ["utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", "cp1252", "latin-1"]:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            pass
    raise Unreadable(f"{path}: not text")


def read_instance(path, claimed, hosts=None):
    """The instance in a file. Where a file can be read in several ways, it is the one with the digest of the
    certificate, or the first one if none has it."""
    text = text_of(path)
    places = claimed["decimals"] if claimed.get("rounded") else None
    first, fault = None, None
    for rows, ready in reader_of(path, text)(text, claimed, hosts):
        try:
            instance = Instance(rows, ready, places)
        except Unreadable as reason:
            fault = fault or reason
            continue
        if instance.digest() == claimed["sha256"]:
            return instance
        first = first or instance
    if first is None:
        raise fault or Unreadable("no instance")
    return first


def reader_of(path, text):
    name = os.path.basename(path).lower()
    name = name[:-3] if name.endswith(".gz") else name
    ending = name.rpartition(".")[2]
    if text.split(None, 2)[:2] == ["p", "p_cmax"]:
        return read_pcmax
    if text.lstrip()[:1] == "{":
        return read_json
    if ending in ("txt", "rcmax"):
        return read_rcmax
    if ending in ("0", "etc", "hcsp") or re.fullmatch("u_[csi]_(hi|lo)(hi|lo)", ending):
        return read_hcsp
    return read_csv if ending in ("csv", "tsv") else read_json


# --- Knapsacks -----------------------------------------------------------------------------------
#
# Items are (time, price), in order of price per time. Sets of the first items are kept in a list of
# (time, price), ascending in both; a set is dropped if another one takes no longer and is worth no
# less, or if the items after it, the last one in part, cannot lift it to the price that is asked
# for. The bound of Dantzig is exact in integers.


def in_order(items):
    """The positions of the items by price per time, highest first; items without time come first."""
    order = sorted(range(len(items)), key=lambda i: -items[i][1] / items[i][0] if items[i][0] else float("-inf"))
    pairs = zip(order, order[1:])
    if all(not items[a][0] or items[a][1] * items[b][0] >= items[b][1] * items[a][0] for a, b in pairs):
        return order
    rate = lambda i: (items[i][0] > 0, -Fraction(items[i][1], items[i][0] or 1))  # noqa: E731
    return sorted(order, key=rate)


def sums(items):
    """Total time and total price of the first 0, 1, 2, ... items."""
    return [0, *accumulate(t for t, _ in items)], [0, *accumulate(p for _, p in items)]


def best(items, room):
    """The largest total price of items whose times add up to at most the room."""
    items = [item for item in items if item[0] <= room and item[1]]
    if sum(t for t, _ in items) <= room:
        return sum(p for _, p in items)
    items = [items[i] for i in in_order(items)]
    times, prices = sums(items)
    n, highest, front = len(items), 0, [(0, 0)]
    ceiling = None
    for i, (time, price) in enumerate(items):
        kept, after, last, at = [], i + 1, -1, n
        start, base = times[after], prices[after]
        for entry in merged(front, time, price, room):
            t, p = entry
            if p <= last:
                continue
            last = p
            end = start + room - t
            while times[at] > end:
                at -= 1
            sure = p + prices[at] - base
            if sure > highest:
                highest = sure
            if at < n and sure + (end - times[at]) * items[at][1] // items[at][0] > highest:
                kept.append(entry)
        if ceiling is None:
            ceiling = dantzig(items, times, prices, 0, n, room)
        if highest >= ceiling:
            return highest
        front = kept
        if not front:
            break
    return highest


def dantzig(items, times, prices, first, last, room):
    """A bound on the price of sets of the items from `first` to before `last` within the room."""
    end = times[first] + room
    at = min(bisect_right(times, end) - 1, last)
    sure = prices[at] - prices[first]
    return sure + (end - times[at]) * items[at][1] // items[at][0] if at < last else sure


def merged(front, time, price, room):
    """The sets with and without one more item, in order of time, of those of equal time the dearest first."""
    added = [(t + time, p + price) for t, p in front if t + time <= room]
    both = front + added
    both.sort(key=by_time)
    return both


def by_time(entry):
    return entry[0], -entry[1]


def forced(items, room, least):
    """For each item the largest total price with it, and without it; None where that is below `least`. Each item
    must fit alone."""
    order = in_order(items)
    items = [items[i] for i in order]
    times, prices = sums(items)
    n = len(items)
    before = fronts(items, room, least, lambda i, left: dantzig(items, times, prices, i, n, left))
    after = fronts(items[::-1], room, least, lambda i, left: dantzig(items, times, prices, 0, n - i, left))
    values = [None] * n
    for at, (time, price) in enumerate(items):
        left, right = before[at], after[n - 1 - at]
        with_it = joined(left, right, room - time)
        with_it = None if with_it is None or with_it + price < least else with_it + price
        without = joined(left, right, room)
        values[order[at]] = with_it, None if without is None or without < least else without
    return values


def fronts(items, room, least, bound):
    """The lists of sets of the first 0, 1, 2, ... items that may become worth `least`; `bound(i, left)` bounds what
    the other items add to sets of the first i."""
    front = [(0, 0)]
    lists = [front]
    for i, (time, price) in enumerate(items):
        kept, last = [], -1
        for entry in merged(front, time, price, room):
            t, p = entry
            if p > last and (p >= least or p + bound(i + 1, room - t) >= least):
                kept.append(entry)
                last = p
        front = kept
        lists.append(front)
    return lists


def joined(left, right, room):
    """The largest total price of two entries, one per list, that fit together; None if there are none."""
    highest, at = None, len(right) - 1
    for time, price in left:
        while at >= 0 and time + right[at][0] > room:
            at -= 1
        if at < 0:
            break
        if highest is None or price + right[at][1] > highest:
            highest = price + right[at][1]
    return highest


# --- The rules: each function returns if no mapping has makespan <= k, or raises Rejected --------


def ready(instance, k, step, proofs):
    host = step["host"]
    demand(host in instance.hosts, f"no host {host}")
    demand(instance.ready[host] > k, f"host {host} is ready in time")


def longest_task(instance, k, step, proofs):
    task = step["task"]
    demand(task in instance.tasks, f"no task {task}")
    demand(not any(instance.fits(task, host, k) for host in instance.hosts), f"task {task} ends in time")


def all_ready(instance, k):
    demand(max(instance.ready) <= k, "a host is not ready, which calls for the rule 'ready'")


def weights(instance, k, step, proofs):
    weights = step["weights"]
    demand(len(weights) == len(instance.hosts) and any(weights), "one weight per host, not all 0")
    all_ready(instance, k)
    room = [k - r for r in instance.ready]
    work = 0
    for row in instance.times:
        costs = [w * p for w, p, r in zip(weights, row, room) if p is not None and p <= r]
        if not costs:
            return
        work += min(costs)
    demand(work > sum(w * r for w, r in zip(weights, room)), "the weighted work fits")


def on_equal_hosts(instance, k):
    """The times, longest first, and the room of a host until k."""
    demand(all(row[0] is not None and row.count(row[0]) == len(row) for row in instance.times)
           and len(set(instance.ready)) == 1, "the hosts are not equal")
    all_ready(instance, k)
    return sorted((row[0] for row in instance.times), reverse=True), k - instance.ready[0]


def part(instance, k, step, proofs):
    hosts, tasks, m = step["hosts"], step["tasks"], len(instance.hosts)
    demand(0 < hosts <= m and tasks <= len(instance.tasks), "no such part")
    longest, room = on_equal_hosts(instance, k)
    longest = longest[:tasks]
    if step["sums"]:
        room = largest_sum(longest, room)
    least = hosts * (tasks // m) + min(hosts, tasks % m)
    work = sum(longest[tasks - least:])
    demand(work > hosts * room, f"the part fits: {work}, its hosts have room for {hosts * room}")


def largest_sum(times, room):
    """The largest sum of some of the times up to the room: bit s of `reached` stands for the sum s."""
    reached, mask = 1, (1 << room + 1) - 1
    for time in times:
        reached |= (reached << time) & mask
    return reached.bit_length() - 1


def prices(instance, k, step, proofs):
    prices = step["prices"]
    demand(len(prices) == len(instance.tasks), "one price per task")
    all_ready(instance, k)
    packed = 0
    for (column, ready), number in Counter(zip(zip(*instance.times), instance.ready)).items():
        items = [(time, price) for time, price in zip(column, prices) if time is not None]
        packed += number * best(items, k - ready)
    demand(sum(prices) > packed, f"the prices fit: {sum(prices)}, the hosts hold {packed}")


def dot(a, b):
    return sum(map(int.__mul__, a, b))


def nodes_of(step, take, stack):
    """Reads the nodes of a step; `take` returns the cases below a node."""
    for index, node in enumerate(step["nodes"]):
        demand(stack, f"all cases are refuted after {index} nodes, but there are more")
        try:
            below = take(stack.pop(), node)
        except Rejected as reason:
            raise Rejected(f"node {index}: {reason}") from None
        stack.extend(reversed(below))
    demand(not stack, f"{len(stack)} cases are not refuted")


def works_and_rooms(instance, k):
    """The work of each task, and how much work each host has room for until k."""
    columns = list(dict.fromkeys(zip(*instance.times)))
    demand(all(None not in row and (0 in row) == (set(row) == {0}) for row in instance.times),
           "a task cannot run on every host, or takes no time on some hosts only")
    smallest = ((column, functools.reduce(gcd, column) or 1) for column in columns)
    works = min(([time // unit for time in column] for column, unit in smallest), key=max)
    rates = {column: max((Fraction(work, time) for work, time in zip(works, column) if work), default=Fraction(1))
             for column in columns}
    all_ready(instance, k)
    return works, [int((k - ready) * rates[column]) for ready, column in zip(instance.ready, zip(*instance.times))]


def fillings(instance, k, step, proofs):
    """A case is the tasks left, as the number of tasks of each distinct work, and the number of hosts left of each
    distinct room."""
    works, rooms = works_and_rooms(instance, k)
    times, sizes = (sorted(set(values), reverse=True) for values in (filter(None, works), rooms))
    packer = Packer(times, sizes)
    nodes_of(step, packer.below, [(tuple(map(works.count, times)), tuple(map(rooms.count, sizes)))])


class Packer:
    """The rule `fillings`, for tasks of these distinct works and hosts of these distinct rooms, longest first."""

    def __init__(self, times, rooms):
        self.times, self.rooms, self.seen = times, rooms, {}

    def below(self, case, node):
        counts, hosts = case
        rule = node["rule"]
        if rule == "work":
            demand(dot(counts, self.times) > dot(hosts, self.rooms), "the tasks left fit")
            return []
        if rule == "seen":
            demand(any(all(map(int.__ge__, more, hosts)) for more in self.seen.get(counts, [])),
                   "no earlier case is like this")
            return []
        if rule == "forced":
            for _ in range(node["hosts"]):
                counts, hosts = self.after_forced(counts, hosts)
            return [(counts, hosts)]
        left = [i for i, count in enumerate(counts) if count]
        demand(len(node["prices"]) == len(left), "one price per time")
        price = [0] * len(counts)
        for i, value in zip(left, node["prices"]):
            price[i] = value
        total = dot(counts, price)
        demand(total < 1 << 64, "the prices are too large")
        most = [best([(self.times[i], price[i]) for i in left for _ in range(min(counts[i], room // self.times[i]))],
                     room) if number else 0 for room, number in zip(self.rooms, hosts)]
        packed = dot(hosts, most)
        if rule == "prices":
            demand(total > packed, f"the prices fit: {total}, the hosts hold {packed}")
            below = []
        else:
            longest, places = self.longest(counts, hosts)
            found = [(after, self.less(hosts, place)) for place in places
                     for after in self.fillings(self.less(counts, longest), longest,
                                                self.rooms[place] - self.times[longest], price,
                                                total - packed + most[place])]
            demand(sorted(node["order"]) == list(range(len(found))), f"the order is not one of {len(found)} fillings")
            below = [found[number] for number in node["order"]]
        self.seen.setdefault(counts, []).append(hosts)
        return below

    def longest(self, counts, hosts):
        """The longest task left, and the rooms with hosts left that it fits."""
        longest = next((i for i, count in enumerate(counts) if count), None)
        demand(longest is not None and any(hosts), "no host or no task is left")
        places = [i for i, number in enumerate(hosts) if number and self.rooms[i] >= self.times[longest]]
        demand(places, "the longest task does not fit")
        return longest, places

    @staticmethod
    def less(counts, i):
        return counts[:i] + (counts[i] - 1,) + counts[i + 1:]

    def after_forced(self, counts, hosts):
        """What is left after the longest task, and the one that is as long as any set beside it, share a host."""
        longest, places = self.longest(counts, hosts)
        demand(len(places) == 1, "the longest task fits hosts of several rooms")
        room = self.rooms[places[0]] - self.times[longest]
        counts, hosts = self.less(counts, longest), self.less(hosts, places[0])
        fitting = [i for i, count in enumerate(counts) if count and self.times[i] <= room]
        if not fitting:
            return counts, hosts
        some = [self.times[i] for i in fitting for _ in range(min(counts[i], room // self.times[i]))]
        demand(self.times[fitting[0]] == largest_sum(some, room), "a set of tasks is longer than each alone")
        return self.less(counts, fitting[0]), hosts

    def fillings(self, counts, longest, room, price, least):
        """The tasks left after each set with the longest task that is worth `least` and cannot be made longer by
        adding a task or by taking one in place of a shorter one; longest times first."""
        times, n, found = self.times, len(self.times), []
        rates = [Fraction(price[i], times[i]) for i in range(n)]
        dearest = list(accumulate(reversed(rates), max))[::-1] + [0]
        least -= price[longest]

        # The sets are extended by tasks that are no longer than the last one; an entry says from where on.
        stack = [(counts, 0, room, least, ())]
        while stack:
            counts, first, room, least, chosen = stack.pop()
            if least <= 0 and self.is_longest(counts, room, chosen):
                found.append((tuple(times[i] for i in chosen), counts))
            for i in range(first, n):
                if counts[i] and times[i] <= room and dearest[i] * room >= least:
                    stack.append((self.less(counts, i), i, room - times[i], least - price[i], chosen + (i,)))
        found.sort(key=lambda one: one[0], reverse=True)
        return [counts for _, counts in found]

    def is_longest(self, counts, room, chosen):
        times = self.times
        shorter = {0, *(times[i] for i in chosen)}
        return not any(count and any(0 < times[i] - other <= room for other in shorter)
                       for i, count in enumerate(counts))


# --- Cases of a tree -----------------------------------------------------------------------------


def tree(instance, k, step, proofs):
    nodes_of(step, lambda case, node: cases_below(case, node, proofs), [whole_case(instance, k)])


def cases_below(case, node, proofs):
    """The cases below a node, in order. An empty case is None."""
    rule = node["rule"]
    if case is None:
        return [None] * {"fix": 1, "branch": 2}.get(rule, 0)
    demand(rule != "nowhere", "every task still has a host")
    if rule == "branch":
        task, host = node["task"], node["host"]
        demand(task in case.instance.tasks, f"no task {task}")
        demand(host in case.instance.hosts, f"no host {host}")
        others = [(task, other) for other in case.instance.hosts if other != host]
        return [case.without(others), case.without([(task, host)])]
    demand(len(node["prices"]) == len(case.instance.tasks), "one price per task")
    if rule == "fix":
        return [case.without(case.ruled_out(node["prices"]))]
    if rule == "unsat":
        refuted_case(case, node, proofs)
        return []
    packed = sum(best(*case.knapsack(host, node["prices"])[1:]) for host in case.instance.hosts)
    total = case.total(node["prices"])
    demand(total > packed, f"the prices fit: {total}, the hosts hold {packed}")
    return []


def whole_case(instance, k):
    """The case of all pairs; None if it is empty."""
    if max(instance.ready) > k:
        return None
    hosts = [sum(1 << h for h in instance.hosts if row[h] is not None) for row in instance.times]
    case = Case(instance, k, hosts, [k - r for r in instance.ready], [False] * len(hosts))
    return case.settled(instance.tasks, instance.hosts)


class Case:
    """Possible hosts of each task as bits, room left on each host, and whether each task is placed."""

    def __init__(self, instance, k, hosts, room, placed):
        self.instance, self.k, self.hosts, self.room, self.placed = instance, k, hosts, room, placed

    def without(self, pairs):
        """The case without these pairs, settled; None if it is empty."""
        case = Case(self.instance, self.k, self.hosts[:], self.room[:], self.placed[:])
        for task, host in pairs:
            case.hosts[task] &= ~(1 << host)
        return case.settled({task for task, _ in pairs}, [])

    def settled(self, tasks, shorter):
        """Settles the case after these tasks lost pairs and these hosts lost room."""
        tasks, shorter = list(tasks), list(shorter)
        while tasks or shorter:
            while tasks:
                task = tasks.pop()
                hosts = self.hosts[task]
                if not hosts:
                    return None
                if not hosts & hosts - 1 and not self.placed[task]:
                    host = hosts.bit_length() - 1
                    self.room[host] -= self.instance.times[task][host]
                    if self.room[host] < 0:
                        return None
                    self.placed[task] = True
                    shorter.append(host)
            for host in set(shorter):
                bit, room = 1 << host, self.room[host]
                for task, hosts in enumerate(self.hosts):
                    if hosts & bit and not self.placed[task] and self.instance.times[task][host] > room:
                        self.hosts[task] = hosts & ~bit
                        tasks.append(task)
            shorter = []
        return self

    def total(self, prices):
        return sum(price for price, placed in zip(prices, self.placed) if not placed)

    def knapsack(self, host, prices):
        """The open tasks that may be on the host, their times and prices there, and the room."""
        bit, placed = 1 << host, self.placed
        tasks = [t for t, hosts in enumerate(self.hosts) if hosts & bit and not placed[t]]
        times = self.instance.times
        return tasks, [(times[t][host], prices[t]) for t in tasks], self.room[host]

    def ruled_out(self, prices):
        """The pairs with KP_h(t in) + sum over other hosts g of KP_g(t out) < total price, by losses: how much less
        than KP a host holds with the task, or without it. A loss above the slack is None."""
        knapsacks = [self.knapsack(host, prices) for host in self.instance.hosts]
        values = [best(items, room) for _, items, room in knapsacks]
        slack = sum(values) - self.total(prices)
        lost = [0] * len(prices)
        needed = [0] * len(prices)
        pairs = []
        for host, ((tasks, items, room), value) in enumerate(zip(knapsacks, values)):
            for task, (with_it, without) in zip(tasks, forced(items, room, value - slack)):
                without = None if without is None else value - without
                pairs.append((task, host, None if with_it is None else value - with_it, without))
                if without is None:
                    needed[task] += 1
                else:
                    lost[task] += without
        gone = []
        for task, host, with_it, without in pairs:
            # Hosts other than this one that cannot do without the task.
            others = needed[task] - (without is None)
            if others or with_it is None or with_it + lost[task] - (without or 0) > slack:
                gone.append((task, host))
        return gone


def refuted_case(case, node, proofs):
    """The node `unsat`: a formula of the pairs that the node lists, which must include those of the case."""
    instance, listed = case.instance, node["hosts"]
    demand(len(listed) == len(instance.tasks), "one list of hosts per task")
    allowed = [sum(1 << h for h in set(hosts) if h in instance.hosts) for hosts in listed]
    demand(not any(own & ~more for own, more in zip(case.hosts, allowed)), "a pair of the case is not in the formula")
    every = whole_case(instance, case.k)
    absent = [(t, h) for t in instance.tasks for h in instance.hosts if not allowed[t] >> h & 1]
    every = every and every.without(absent)
    if every is None:
        return
    formula = Formula()
    packings = [every.knapsack(host, node["prices"]) for host in instance.hosts]
    pairs = formula.pairs(instance, lambda t, h: not every.placed[t] and every.hosts[t] >> h & 1)
    for task in instance.tasks:
        lits = [pairs[task, h] for h in instance.hosts if (task, h) in pairs]
        if lits:
            formula.add(*lits)
            pairwise(formula, lits)
    values = [best(items, room) for _, items, room in packings]
    slack = max(sum(values) - every.total(node["prices"]), 0)
    for host, ((tasks, items, room), value) in enumerate(zip(packings, values)):
        lits = [pairs[task, host] for task in tasks]
        window(formula, [(x, t, p) for x, (t, p) in zip(lits, items)], room, max(value - slack, 0))
    check_lrat(formula, proofs, node)


# --- Formulas: "is there a mapping with makespan <= k?" as clauses -------------------------------
#
# Literals are variables from 1, negative if negated. The order of variables and clauses is part of
# the format: proofs refer to clauses by number.

MOST_CLAUSES = 20_000_000


class Formula:
    def __init__(self):
        self.variables, self.clauses = 0, []

    def new(self):
        self.variables += 1
        return self.variables

    def add(self, *clause):
        self.clauses.append(clause)
        demand(len(self.clauses) <= MOST_CLAUSES, "the formula has too many clauses")

    def pairs(self, instance, has_variable):
        """A variable for each of these pairs, task by task."""
        return {(t, h): self.new() for t in instance.tasks for h in instance.hosts if has_variable(t, h)}


def pairwise(formula, lits):
    for i, a in enumerate(lits):
        for b in lits[i + 1:]:
            formula.add(-a, -b)


def ladder(formula, lits):
    if len(lits) < 5:
        return pairwise(formula, lits)
    prefix = lits[0]
    for lit in lits[1:-1]:
        longer = formula.new()
        formula.add(-prefix, longer)
        formula.add(-lit, longer)
        formula.add(-prefix, -lit)
        prefix = longer
    formula.add(-prefix, -lits[-1])


def group(formula, lits):
    """A literal that is true if one of the group is."""
    any_of = formula.new()
    for lit in lits:
        formula.add(-lit, any_of)
    return any_of


def product(formula, lits):
    if len(lits) < 7:
        return pairwise(formula, lits)
    width = isqrt(len(lits) - 1) + 1
    rows = [group(formula, lits[i:i + width]) for i in range(0, len(lits), width)]
    columns = [group(formula, lits[i::width]) for i in range(width)]
    product(formula, rows)
    product(formula, columns)


def commander(formula, lits):
    if len(lits) < 6:
        return pairwise(formula, lits)
    commanders = []
    for i in range(0, len(lits), 3):
        pairwise(formula, lits[i:i + 3])
        commanders.append(group(formula, lits[i:i + 3]))
    commander(formula, commanders)


AT_MOST_ONE = {"pairwise": pairwise, "ladder": ladder, "product": product, "commander": commander}


def at_most(formula, terms, bound, write):
    """The weight of the true literals is at most the bound; terms are (literal, weight)."""
    for lit, weight in terms:
        if weight > bound:
            formula.add(-lit)
    terms = sorted([term for term in terms if 0 < term[1] <= bound], key=lambda term: -term[1])
    if sum(weight for _, weight in terms) > bound:
        write(formula, terms, bound)


def adder(formula, terms, bound):
    """Binary addition of the weights, digit by digit, then a comparison."""
    digits, carries = [], deque()
    for b in range(bound.bit_length()):
        bucket = deque(lit for lit, weight in terms if weight >> b & 1)
        bucket.extend(carries)
        carries = deque()
        while len(bucket) > 1:
            inputs = [bucket.popleft() for _ in range(min(len(bucket), 3))]
            carry, total = formula.new(), formula.new()
            if len(inputs) == 2:
                x, y = inputs
                for clause in ((-x, -y, carry), (-x, y, total), (x, -y, total)):
                    formula.add(*clause)
            else:
                x, y, z = inputs
                for clause in ((-x, -y, carry), (-x, -z, carry), (-y, -z, carry), (-x, y, z, total), (x, -y, z, total),
                               (x, y, -z, total), (-x, -y, -z, total)):
                    formula.add(*clause)
            bucket.append(total)
            carries.append(carry)
        digits.append(bucket[0] if bucket else None)
    for lit in carries:
        formula.add(-lit)
    equal = []
    for b in range(len(digits) - 1, -1, -1):
        if bound >> b & 1:
            if digits[b] is None:
                break
            equal.append(-digits[b])
        elif digits[b] is not None:
            formula.add(*equal, -digits[b])


def diagram(formula, terms, bound):
    """A reduced decision diagram; a node stands for an interval of bounds that have the same answer."""
    infinity = float("inf")
    most = [0, *accumulate(weight for _, weight in reversed(terms))][::-1]
    levels, nodes = [([], []) for _ in terms], []

    def known(level, beta):
        if beta < 0:
            return "never", -infinity, -1
        if beta >= most[level]:
            return "always", most[level], infinity
        lows, places = levels[level]
        at = bisect_right(lows, beta) - 1
        if at >= 0 and beta <= nodes[places[at]][1]:
            return places[at], lows[at], nodes[places[at]][1]
        return None

    stack = [(0, bound)]
    while stack:
        level, beta = stack[-1]
        if known(level, beta):
            stack.pop()
            continue
        weight = terms[level][1]
        without, taken = known(level + 1, beta), known(level + 1, beta - weight)
        if without is None:
            stack.append((level + 1, beta))
        elif taken is None:
            stack.append((level + 1, beta - weight))
        else:
            low, high = max(without[1], taken[1] + weight), min(without[2], taken[2] + weight)
            lows, places = levels[level]
            at = bisect_right(lows, low)
            lows.insert(at, low)
            places.insert(at, len(nodes))
            nodes.append((level, high, without[0], taken[0]))
            stack.pop()

    denials = []

    def imply(condition, answer):
        if answer != "always":
            formula.add(*condition, *([] if answer == "never" else [-denials[answer]]))

    for level, _, without, taken in nodes:
        denial = formula.new()
        imply([denial], without)
        imply([denial, -terms[level][0]], taken)
        denials.append(denial)
    imply([], known(0, bound)[0])


def sums_tree(formula, terms, bound, shape):
    """Trees of the sums up to the bound; an output is true if its terms weigh at least its sum. `shape` lists nodes:
    the number of a term, or a pair of nodes; the last one is the root."""
    written = []
    for place, node in enumerate(shape):
        if type(node) is int:
            lit, weight = terms[node]
            written.append(([weight], [lit]))
            continue
        (left, a), (right, b) = written[node[0]], written[node[1]]
        written[node[0]] = written[node[1]] = None
        fits = [bisect_right(right, bound - s) for s in left]
        totals, outputs = [], []
        if place + 1 < len(shape):
            totals = sorted({*left, *right, *(s + t for s, fit in zip(left, fits) for t in right[:fit])})
            outputs = [formula.new() for _ in totals]
            for smaller, larger in zip(outputs, outputs[1:]):
                formula.add(-larger, smaller)
            output = dict(zip(totals, outputs))
            for s, lit in zip(left, a):
                formula.add(-lit, output[s])
            for t, lit in zip(right, b):
                formula.add(-lit, output[t])
            for s, lit, fit in zip(left, a, fits):
                for t, other in zip(right[:fit], b):
                    formula.add(-lit, -other, output[s + t])
        smallest = len(right)
        for lit, fit in zip(a, fits):
            if fit < smallest:
                formula.add(-lit, -b[fit])
                smallest = fit
        written.append((totals, outputs))


def totalizer(formula, terms, bound):
    shape = []

    def node(start, end):
        if end - start == 1:
            shape.append(start)
        else:
            middle = start + (end - start) // 2
            shape.append((node(start, middle), node(middle, end)))
        return len(shape) - 1

    node(0, len(terms))
    sums_tree(formula, terms, bound, shape)


def counter(formula, terms, bound):
    shape = [0]
    for term in range(1, len(terms)):
        prefix = len(shape) - 1
        shape += [term, (prefix, prefix + 1)]
    sums_tree(formula, terms, bound, shape)


LOADS = {"adder": adder, "bdd": diagram, "totalizer": totalizer, "counter": counter}


def better_rate(a, b):
    x, y = b[2] * a[1], a[2] * b[1]
    return (x > y) - (x < y)


def window(formula, items, room, need):
    """The true literals weigh at most the room and are worth at least the need; items are (literal, weight, worth)."""
    for lit, weight, _ in items:
        if weight > room:
            formula.add(-lit)
    items = [item for item in items if item[1] <= room and (item[1] or item[2])]
    items.sort(key=functools.cmp_to_key(better_rate))
    levels = window_levels(items, room, need)
    if levels is None:
        return formula.add()
    here = []
    for i, ((lit, _, _), nodes) in enumerate(zip(items, levels)):
        if i == 0:
            here = [formula.new()]
            formula.add(*here)
        below = [formula.new() for _ in range(len(levels[i + 1]) if i + 1 < len(levels) else 1)]
        for value, side in ((lit, 1), (-lit, 0)):
            supports = [-value]
            for node, children in zip(here, nodes):
                if children[side] is None:
                    formula.add(-node, -value)
                else:
                    formula.add(-node, -value, below[children[side]])
                    supports.append(node)
            formula.add(*supports)
        parents = [[-node] for node in below]
        for node, (without, taken) in zip(here, nodes):
            for child in [taken] if without == taken else [taken, without]:
                if child is not None:
                    parents[child].append(node)
        for clause in parents:
            formula.add(*clause)
        here = below


def window_levels(items, room, need):
    """For each item the nodes of its level, as the places in the next level without the item and with it, None if
    there is none; None if no set is within the window."""
    weights, worths = [0, *accumulate(i[1] for i in items)], [0, *accumulate(i[2] for i in items)]

    def is_hopeful(level, weight, worth):
        if weight > room:
            return False
        full = weights[level] + room - weight
        end = bisect_right(weights, full) - 1
        reach = worth + worths[end] - worths[level]
        if end < len(items):
            reach += (full - weights[end]) * items[end][2] // items[end][1]
        return reach >= need

    states = [(0, 0)] if is_hopeful(0, 0, 0) else []
    visited, levels = 0, []
    for i, (_, weight, worth) in enumerate(items):
        places, nodes = {}, []
        visited += len(states)
        demand(visited <= MOST_CLAUSES, "the formula has too many clauses")
        for state in states:
            both = state, (state[0] + weight, min(state[1] + worth, need))
            nodes.append([places.setdefault(s, len(places)) if is_hopeful(i + 1, *s) else None for s in both])
        levels.append(nodes)
        states = list(places)
    merged = [0] * len(states)
    for i in range(len(levels) - 1, -1, -1):
        known, places = {}, []
        for node in levels[i]:
            node = tuple(None if child is None else merged[child] for child in node)
            places.append(None if node == (None, None) else known.setdefault(node, len(known)))
        levels[i], merged = list(known), places
    return levels if merged and merged[0] is not None else None


def windows(formula, instance, k, prices, pairs):
    if max(instance.ready) > k:
        return
    hosts = []
    for host in instance.hosts:
        tasks = [t for t in instance.tasks if (t, host) in pairs]
        items = [(instance.times[t][host], prices[t]) for t in tasks]
        room = instance.room(host, k)
        hosts.append((tasks, items, room, best(items, room)))
    slack = sum(value for *_, value in hosts) - sum(prices)
    if slack < 0:
        return formula.add()
    for host, (tasks, items, room, value) in enumerate(hosts):
        items = [(pairs[task, host], time, price) for task, (time, price) in zip(tasks, items)]
        window(formula, items, room, max(value - slack, 0))


def break_symmetry(formula, instance, pairs):
    """Equal tasks are on hosts in order; equal hosts get their first tasks in order."""
    rows = [tuple((h, instance.times[t][h]) for h in instance.hosts if (t, h) in pairs) for t in instance.tasks]
    for task, later in neighbours(rows):
        clause = []
        for host, _ in rows[task]:
            clause.append(pairs[task, host])
            formula.add(*clause, -pairs[later, host])
    columns = [(instance.ready[h], tuple((t, instance.times[t][h]) for t in instance.tasks if (t, h) in pairs))
               for h in instance.hosts]
    for host, later in neighbours(columns):
        used = None
        for task, _ in columns[host][1]:
            here, there = pairs[task, host], pairs[task, later]
            now_used = formula.new()
            before = [] if used is None else [used]
            formula.add(-there, *before)
            formula.add(-now_used, here, *before)
            used = now_used


def neighbours(keys):
    """Neighbours among the numbers with equal keys."""
    last, found = {}, []
    for number, key in enumerate(keys):
        if key in last:
            found.append((last[key], number))
        last[key] = number
    return sorted(found)


def add_surrogate(formula, instance, k, weights, pairs):
    """One constraint over all hosts: the excess of each pair over the cheapest one of its task must fit the rest."""
    costs, least = [], 0
    for task in instance.tasks:
        row = [(pairs[task, h], weights[h] * instance.times[task][h]) for h in instance.hosts if (task, h) in pairs]
        if not row:
            return
        cheapest = min(cost for _, cost in row)
        least += cheapest
        costs += [(lit, cost - cheapest) for lit, cost in row]
    rooms = [instance.room(h, k) for h in instance.hosts]
    room = -1 if None in rooms else sum(map(int.__mul__, weights, rooms)) - least
    if room < 0:
        return formula.add()
    unit = max(room // min(max(200_000 // len(costs), 1), 1000), 1)
    terms = [(lit, min(cost // unit, COUNT - 1)) for lit, cost in costs if cost >= unit]
    at_most(formula, terms, min(room // unit, COUNT - 1), counter)


def thesis(formula, instance, k):
    """The encoding of Rhodes' thesis, chapter 5: sizes as bits, ripple-carry addition, comparison with k."""
    pairs = formula.pairs(instance, lambda t, h: True)
    for task in instance.tasks:
        lits = [pairs[task, h] for h in instance.hosts]
        formula.add(*lits)
        pairwise(formula, lits)
    bounds = {}
    for host in instance.hosts:
        room = instance.room(host, k)
        if room is None:
            formula.add()
            continue
        width = max(room.bit_length(), 1) + 1
        if room not in bounds:
            bounds[room] = constant(formula, room, width)
        total = None
        loads = []
        for task in instance.tasks:
            time, lit = instance.times[task][host], pairs[task, host]
            if time is None or time > room:
                formula.add(-lit)
                time = 0
            loads.append(gated(formula, lit, constant(formula, time, width)))
        for load in loads:
            total = load if total is None else ripple(formula, total, load)
        compare(formula, total, bounds[room])


def constant(formula, number, width):
    bits = []
    for b in range(width):
        lit = formula.new()
        formula.add(lit if number >> b & 1 else -lit)
        bits.append(lit)
    return bits


def gated(formula, lit, size):
    bits = []
    for bit in size:
        out = formula.new()
        formula.add(-lit, out, -bit)
        formula.add(-lit, -out, bit)
        bits.append(out)
    return bits


def ripple(formula, first, second):
    carry, total = None, []
    for a, b in zip(first, second):
        bit, out = formula.new(), formula.new()
        if carry is None:
            clauses = (-a, b, bit), (a, -b, bit), (-a, -b, out)
        else:
            c = carry
            clauses = ((-a, b, c, bit), (a, -b, c, bit), (a, b, -c, bit), (-a, -b, -c, bit),
                       (-a, -b, c, out), (-a, b, -c, out), (a, -b, -c, out), (-a, -b, -c, out))
        for clause in clauses:
            formula.add(*clause)
        total.append(bit)
        carry = out
    formula.add(-total[-1])
    formula.add(-carry)
    return total


def compare(formula, total, bound):
    """Where all higher bits are equal, a true bit needs a true bit of the bound."""
    bits = len(bound) - 1
    for higher in range(1, bits):
        bit = bits - 1 - higher
        for pattern in range(1 << higher):
            clause = []
            for i in range(higher):
                sign = -1 if pattern >> i & 1 else 1
                clause += [sign * bound[bit + 1 + i], sign * total[bit + 1 + i]]
            formula.add(*clause, bound[bit], -total[bit])


def formula_of(instance, k, step):
    encoding, surrogate, prices = step["encoding"], step["surrogate"], step.get("prices", [])
    demand(encoding in LOADS or encoding in ("thesis", "window"), f"unknown encoding {encoding!r}")
    demand(step["at_most_one"] in AT_MOST_ONE, f"unknown at-most-one encoding {step['at_most_one']!r}")
    demand(not surrogate or len(surrogate) == len(instance.hosts) and max(surrogate) <= 1 << 40,
           "the surrogate needs one weight per host, each at most 2^40")
    demand(not prices or len(prices) == len(instance.tasks) and sum(prices) < COUNT,
           "windows need one price per task, less than 2^64 together")
    demand(not prices or encoding == "window", "prices belong to the encoding 'window' only")
    formula = Formula()
    if encoding == "thesis":
        thesis(formula, instance, k)
        return formula
    pairs = formula.pairs(instance, lambda t, h: instance.fits(t, h, k))
    if max(instance.ready) > k:
        formula.add()
    for task in instance.tasks:
        lits = [pairs[task, h] for h in instance.hosts if (task, h) in pairs]
        formula.add(*lits)
        AT_MOST_ONE[step["at_most_one"]](formula, lits)
    if step["symmetry"]:
        break_symmetry(formula, instance, pairs)
    if encoding == "window":
        windows(formula, instance, k, prices or [0] * len(instance.tasks), pairs)
    else:
        for host in instance.hosts:
            room = instance.room(host, k)
            if room is not None:
                terms = [(pairs[t, host], instance.times[t][host]) for t in instance.tasks
                         if (t, host) in pairs and instance.times[t][host]]
                at_most(formula, terms, room, LOADS[encoding])
    if surrogate:
        add_surrogate(formula, instance, k, surrogate, pairs)
    return formula


def unsat(instance, k, step, proofs):
    check_lrat(formula_of(instance, k, step), proofs, step)


# --- LRAT ----------------------------------------------------------------------------------------

LRAT_BYTES = b"0123456789-d \t\n\r\x0c"


def check_lrat(formula, proofs, refuted):
    """The proof has its hash and refutes the formula."""
    name = refuted["proof"]
    demand(name not in ("", ".", "..") and not set(name) & set("/\\:\0"), f"{name!r} is not a plain file name")
    path = os.path.join(proofs, name)
    demand(os.path.isfile(path), f"there is no proof {name!r}")
    try:
        with open(path, "rb") as file:
            hashed = hashlib.sha256()
            lines = map(lambda line: hashed.update(line) or line, file)
            refute(formula, lines)
            for _ in lines:
                pass
    except OSError as error:
        raise Rejected(f"cannot read proof {name!r}: {error}") from None
    except Rejected as reason:
        raise Rejected(f"proof {name!r}, {reason}") from None
    demand(hashed.hexdigest() == refuted["proof_sha256"], f"proof {name!r} has another hash")


def refute(formula, lines):
    """Reads steps until one derives the empty clause."""
    clauses = dict(enumerate(formula.clauses, 1))
    formula.clauses = []
    last, words, where = len(clauses), [], 0
    for where, line in enumerate(lines, 1):
        try:
            # What follows the empty clause is not read.
            words += line.split()
            while words:
                used, last, is_empty = lrat_step(clauses, last, formula.variables, words)
                if is_empty:
                    return
                if not used:
                    break
                del words[:used]
        except Rejected as reason:
            raise Rejected(f"line {where}: {reason}") from None
    raise Rejected(f"line {where}: the proof ends {'in a step' if words else 'without the empty clause'}")


def lrat_numbers(words):
    """The numbers of words up to the first 0; None if there is no 0."""
    numbers = []
    for word in words:
        demand(not word.translate(None, b"0123456789-"), f"unexpected {word[:20]!r}")
        try:
            number = int(word)
        except ValueError:
            raise Rejected(f"unexpected {word[:20]!r}") from None
        demand(-(1 << 63) < number < 1 << 63, "a number beyond 63 bits")
        if number == 0:
            return numbers
        numbers.append(number)
    return None


def lrat_step(clauses, last, variables, words):
    """One step: the number of words used (0 if it is not complete), the last clause number, whether the clause
    is empty."""
    if len(words) > 1 and words[1] == b"d":
        ids = lrat_numbers(words[2:])
        if ids is None:
            return 0, last, False
        demand(lrat_numbers(words[:1] + [b"0"]) is not None, "no number")
        for id in ids:
            demand(clauses.pop(id, None) is not None, f"there is no clause {id}, or it was deleted")
        return len(ids) + 3, last, False
    head = lrat_numbers(words[1:])
    hints = None if head is None else lrat_numbers(words[len(head) + 2:])
    if hints is None:
        return 0, last, False
    (id,) = lrat_numbers(words[:1] + [b"0"]) or [0]
    demand(id > last, f"clause number {id} does not exceed {last}")
    demand(all(-variables <= lit <= variables for lit in head), "a literal is not over the formula's variables")
    demand(len(set(map(abs, head))) == len(head), "a variable occurs twice")
    derive(clauses, head, hints)
    clauses[id] = frozenset(head)
    return len(head) + len(hints) + 3, id, not head


def derive(clauses, clause, hints):
    """Assuming that the clause is false, the hints lead to a contradiction by unit propagation."""
    false = set(clause)
    for place, hint in enumerate(hints):
        used = clauses.get(hint)
        demand(used is not None and hint > 0, f"there is no clause {hint}, or it was deleted")
        if type(used) is tuple:
            used = clauses[hint] = frozenset(used)
        left = used - false
        if not left:
            for later in hints[place + 1:]:
                demand(later in clauses, f"there is no clause {later}, or it was deleted")
            return
        demand(len(left) == 1, f"hint {hint} has more than one literal that is not false")
        (lit,) = left
        false.add(-lit)
    raise Rejected("the hints do not lead to a contradiction")


# --- The certificate -----------------------------------------------------------------------------

INDEX, COUNT = 1 << 32, 1 << 64


def integer(below):
    return lambda x: type(x) is int and 0 <= x < below


def boolean(x):
    return type(x) is bool


def text(x):
    return type(x) is str


def list_of(fits):
    return lambda x: type(x) is list and all(map(fits, x))


def numbers(x):
    """A list of numbers below 2^64, checked without a call for each."""
    return type(x) is list and set(map(type, x)) <= {int} and (not x or 0 <= min(x) and max(x) < COUNT)


def record(fields, optional=()):
    return lambda x: (type(x) is dict and fields.keys() - set(optional) <= x.keys() <= fields.keys()
                      and all(fields[f](x[f]) for f in x))


def one_of(kinds, optional=()):
    """An object whose `rule` determines its fields."""
    records = {rule: record({"rule": text, **fields}, optional) for rule, fields in kinds.items()}
    return lambda x: type(x) is dict and text(x.get("rule")) and x["rule"] in records and records[x["rule"]](x)


PROOF = {"proof": text, "proof_sha256": text}
NODES = {
    "fix": {"prices": numbers},
    "branch": {"task": integer(INDEX), "host": integer(INDEX)},
    "prices": {"prices": numbers},
    "unsat": {"prices": numbers, "hosts": list_of(list_of(integer(INDEX))), **PROOF},
    "nowhere": {},
}
FILLINGS = {
    "forced": {"hosts": integer(INDEX)},
    "branch": {"prices": numbers, "order": list_of(integer(INDEX))},
    "prices": {"prices": numbers},
    "work": {},
    "seen": {},
}
FORMULA = {"encoding": text, "at_most_one": text, "symmetry": boolean, "surrogate": numbers, "prices": numbers, **PROOF}
# The fields of each rule other than k, and its function.
RULES = {
    "ready": ({"host": integer(INDEX)}, ready),
    "longest-task": ({"task": integer(INDEX)}, longest_task),
    "weights": ({"weights": numbers}, weights),
    "part": ({"hosts": integer(INDEX), "tasks": integer(INDEX), "sums": boolean}, part),
    "prices": ({"prices": numbers}, prices),
    "fillings": ({"nodes": list_of(one_of(FILLINGS))}, fillings),
    "tree": ({"nodes": list_of(one_of(NODES))}, tree),
    "unsat": (FORMULA, unsat),
}
STEP = one_of({rule: {"k": integer(COUNT), **fields} for rule, (fields, _) in RULES.items() if rule != "unsat"})
UNSAT_STEP = one_of({"unsat": {"k": integer(COUNT), **FORMULA}}, ["prices"])
INSTANCE = {"name": text, "tasks": integer(COUNT), "hosts": integer(COUNT),
            "decimals": integer(INDEX), "parts": integer(COUNT), "rounded": lambda x: x is True, "sha256": text}
CERTIFICATE = {"format": text, "version": integer(INDEX), "gridsat": text,
               "instance": record(INSTANCE, ["parts", "rounded"]), "makespan": integer(COUNT), "lower_bound": integer(COUNT),
               "mapping": numbers, "steps": list_of(lambda step: STEP(step) or UNSAT_STEP(step))}


def load(path):
    """The certificate; every field must be present and of its type."""
    data = load_json(text_of(path), int)
    if type(data) is not dict or "format" not in data:
        raise Unreadable("no certificate")
    demand(data["format"] == "gridsat-certificate", "another format")
    demand(data.get("version") == 1, "another version")
    for field, fits in CERTIFICATE.items():
        if field not in data or not fits(data[field]):
            raise Unreadable(f"'{field}' is missing or not of its type")
    if data.keys() != CERTIFICATE.keys():
        raise Unreadable("unknown fields")
    return data


def makespan(instance, mapping):
    demand(len(mapping) == len(instance.tasks), "the mapping has another number of tasks")
    loads = list(instance.ready)
    for task, host in enumerate(mapping):
        demand(host in instance.hosts, f"task {task} is on host {host}, which does not exist")
        time = instance.times[task][host]
        demand(time is not None, f"task {task} cannot run on host {host}")
        loads[host] += time
    return max(loads)


def check(instance, data, proofs):
    claimed = data["instance"]
    facts = {"tasks": len(instance.tasks), "hosts": len(instance.hosts),
             "decimals": instance.decimals, "parts": instance.parts, "sha256": instance.digest()}
    for what, fact in facts.items():
        found = claimed.get(what, 1)
        demand(found == fact, f"for another instance: {what} {found}, here {fact}")
    found, steps = makespan(instance, data["mapping"]), data["steps"]
    demand(data["makespan"] == found, f"the makespan is {found} ticks, not {data['makespan']}")
    demand(data["lower_bound"] <= found, "the lower bound exceeds the makespan")
    demand(all(step["k"] < found for step in steps), "a step refutes the mapping")
    proven = steps[-1]["k"] + 1 if steps else 0
    demand(data["lower_bound"] == proven, f"the steps are for the lower bound {proven}")
    for index, step in enumerate(steps):
        try:
            RULES[step["rule"]][1](instance, step["k"], step, proofs)
        except Rejected as reason:
            raise Rejected(f"step {index} ({step['rule']}): {reason}") from None


def main(words):
    hosts = None
    if len(words) == 4 and words[2] == "--hosts":
        words, hosts = words[:2], words[3]
    if len(words) != 2:
        print("usage: gridsat-check.py INSTANCE CERTIFICATE [--hosts HOSTS.csv]", file=sys.stderr)
        return 2
    try:
        data = load(words[1])
        instance = read_instance(words[0], data["instance"], hosts and host_table(hosts))
        check(instance, data, os.path.dirname(words[1]))
    except Rejected as reason:
        print(f"rejected: {reason}")
        return 1
    except Unreadable as reason:
        print(f"cannot read: {reason}", file=sys.stderr)
        return 2
    shown = instance.shown(data["makespan"])
    if data["lower_bound"] == data["makespan"]:
        print(f"accepted: makespan {shown} is optimal")
    else:
        print(f"accepted: makespan {shown}, lower bound {instance.shown(data['lower_bound'])}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
