#!/usr/bin/env python3
"""Tables, a plot and contradictions from the CSV of a campaign, as Markdown.

An instance without proof counts with the time limit. Answers of gridsat count as proven only if
their certificate was accepted. The exit code is 1 if there is any contradiction.
"""

import argparse
import sys
from itertools import groupby
from pathlib import Path
from statistics import fmean, geometric_mean, median

import known as knowledge
import plot
from known import decimal
from results import FAILED, read_rows

LEAST = 0.001  # seconds; shorter times are inaccurate and would dominate a geometric mean


class Row:
    """A row of the CSV with its numbers."""

    def __init__(self, cells):
        self.cells = cells
        self.instance, self.kind, self.label = cells["instance"], cells["class"], cells["solver"]
        self.tasks, self.hosts = int(cells["tasks"] or 0), int(cells["hosts"] or 0)
        self.limit = float(cells["time_limit"])
        self.ours = cells["solver"] == "gridsat"
        claims = cells["status"] == "optimal"
        self.proven = claims and (not self.ours or cells["accepted"] == "yes")
        self.seconds = max(float(cells["seconds"]), LEAST) if self.proven else self.limit
        self.failed = cells["status"] == "error"
        self.makespan, self.bound = decimal(cells["makespan"]), decimal(cells["lower_bound"])

    def number(self, column):
        return float(self.cells[column]) if self.cells[column] else None


def rows_of(path):
    rows = [Row(cells) for cells in read_rows(path)]
    for row in rows:
        # Options are shown only where they distinguish two solvers.
        if len({r.cells["options"] for r in rows if r.cells["solver"] == row.cells["solver"]}) > 1:
            row.label = f"{row.cells['solver']} {row.cells['options'] or '(default)'}"
    return rows


def grouped(rows, key):
    return [(k, list(group)) for k, group in groupby(sorted(rows, key=key), key)]


# Contradictions


def contradictions(rows, known):
    for row in rows:
        who = f"{row.instance}, {row.label}, {row.limit:g} s"
        if row.cells["accepted"] == "no":
            yield f"{who}: certificate rejected: {row.cells['note']}"
        for fact in knowledge.of(known, row.cells):
            yield from (f"{who}: {objection}" for objection in fact.objections(row.cells))
    for instance, group in grouped(rows, lambda row: row.instance):
        yield from among(instance, group)


def among(instance, rows):
    """Contradictions among solvers: a bound of one above the makespan of another."""
    best = min((r for r in rows if r.makespan is not None), key=lambda r: r.makespan, default=None)
    for row in rows:
        if best is not None and row.bound is not None and row.bound > best.makespan:
            yield f"{instance}: bound {row.bound} of {row.label}, makespan {best.makespan} of {best.label}"


def versions(rows):
    for solver, group in grouped(rows, lambda row: row.cells["solver"]):
        found = sorted({row.cells["version"] for row in group} - {""})
        yield f"- {solver}: {', '.join(found)}" + ("  (**several**)" if len(found) > 1 else "")


# Tables


def table(head, lines):
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    yield from ("| " + " | ".join(map(str, line)) + " |" for line in lines)


def shown(value, form=".3g", scale=1):
    if value is None:
        return "–"
    value *= scale
    return f"{value:.0f}" if form == ".3g" and abs(value) >= 1000 else f"{value:{form}}"


HEAD = ("proven", "mean s", "median s", "max s", "max check s", "max MiB", "mean gap %")


def measures(rows):
    """The columns of HEAD; the first mean is geometric, and the gap is over unproven instances."""
    seconds = [row.seconds for row in rows]
    of = lambda column, some: [v for row in some if (v := row.number(column)) is not None]
    checks, peaks = of("check_seconds", rows), of("peak_mib", rows)
    unproven = [row for row in rows if not row.proven and not row.failed]
    gaps = of("gap", unproven)
    blank = len(unproven) - len(gaps)  # no mapping at all; a mean over the rest would be too good
    return (
        f"{sum(row.proven for row in rows)} of {len(rows)}" + failures(rows),
        *map(shown, (geometric_mean(seconds), median(seconds), max(seconds))),
        shown(max(checks, default=None)),
        shown(max(peaks, default=None)),
        shown(fmean(gaps) if gaps else None, ".3f", 100) + (f" ({blank} none)" if blank else ""),
    )


def failures(rows):
    count = sum(row.failed for row in rows)
    return f" ({count} failed)" if count else ""


def by_group(rows, key, name):
    """A table with one line per group and solver, and the sums."""
    several = len({row.label for row in rows}) > 1
    lines = []
    for value, group in [*grouped(rows, key), (None, rows)]:
        place = name(value) if value is not None else ("all", "")
        for label, some in grouped(group, lambda row: (not row.ours, row.label)):
            lines.append((*place, *([label[1]] if several else []), *measures(some)))
    return table(("class", "size", *(["solver"] if several else []), *HEAD), lines)


def tables(rows):
    by_tasks = lambda row: (row.kind, row.tasks)
    by_size = lambda row: (row.kind, row.tasks, row.hosts)
    yield from by_group(rows, by_tasks, lambda k: (k[0], f"{k[1]} tasks"))
    if len(grouped(rows, by_size)) > len(grouped(rows, by_tasks)):
        yield ""
        yield from by_group(rows, by_size, lambda k: (k[0], f"{k[1]}×{k[2]}"))


def ratios(rows):
    """Times of the other solvers as multiples of the first, over instances that both could run:
    a package that is not installed must not look like a slow one."""
    labels = sorted({(not row.ours, row.label) for row in rows})
    if len(labels) < 2:
        return
    base, others = labels[0][1], [label for _, label in labels[1:]]
    yield ""
    yield f"Time as a multiple of that of {base}, geometric mean; in brackets the number of instances."
    yield "What is not proven counts with the limit, on both sides."
    yield ""
    lines = []
    for kind, group in [*grouped(rows, lambda row: (row.kind, row.tasks)), (("all", ""), rows)]:
        seconds = {(row.label, row.instance): row.seconds for row in group if not row.failed}
        lines.append((*kind, *(ratio(seconds, base, other) for other in others)))
    yield from table(("class", "tasks", *others), lines)


def ratio(seconds, base, other):
    both = [i for label, i in seconds if label == base and (other, i) in seconds]
    found = [seconds[other, i] / seconds[base, i] for i in both]
    return f"{shown(geometric_mean(found))} ({len(found)})" if found else "–"


# Values that were not proven before


def literature(rows, known):
    """Our results for published values that were not proven twice."""
    ours = {}
    for row in sorted((r for r in rows if r.ours), key=lambda r: (not r.proven, r.seconds)):
        ours.setdefault(row.instance, row)
    facts = [(fact, row) for row in ours.values() for fact in knowledge.of(known, row.cells)]
    for status in ("open", "conflict", "proven-once"):
        some = [(fact, row) for fact, row in facts if fact.status == status]
        closed = [(fact, row) for fact, row in some if row.proven]
        if some:
            yield f"- `{status}`: {len(closed)} of {len(some)} now proven"
    listed = [(f, r) for f, r in facts if f.status == "conflict" or (f.status == "open" and r.proven)]
    if listed:
        yield ""
        yield from table(("instance", "status", "known", "ours", "s"), map(settled, listed))


def settled(pair):
    fact, row = pair
    value = f"**{row.makespan}**" if row.proven else f"{row.bound}..{row.makespan}"
    return row.instance, fact.status, fact.claims, value, shown(row.seconds)


def report(rows, known, found):
    yield from ("### Solvers", "", *versions(rows), "")
    yield from ("### Contradictions", "", *([f"- {line}" for line in found] or ["None."]), "")
    failed = [r for r in rows if r.cells["status"] in FAILED]
    if failed:
        yield from ("### Failed", "")
        yield from (f"- {r.instance}, {r.label}, {r.limit:g} s: {r.cells['note']}" for r in failed)
        yield ""
    for limit, group in grouped(rows, lambda row: row.limit):
        yield from (f"### Limit {limit:g} s", "", *tables(group), *ratios(group), "")
    if lines := list(literature(rows, known)):
        yield from ("### Literature", "", *lines, "")


def curves(rows, lines):
    """The curves of the plot: name, times of proven instances, number of instances."""
    rows = [row for row in rows if row.limit == max(r.limit for r in rows)]
    several = len({row.label for row in rows}) > 1
    by_solver = lines == "solver" or (lines is None and several)
    if not by_solver:
        rows = [row for row in rows if row.ours] or rows
    key = (lambda row: row.label) if by_solver else (lambda row: row.kind)
    for name, group in grouped(rows, key):
        yield name, sorted(row.seconds for row in group if row.proven), len(group)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("results", type=Path, help="CSV file of run.py")
    add("--known", action="append", default=[], help="best_known.csv of a data set; more than one may be given")
    add("--plot", type=Path, metavar="SVG", help="draw how many instances are proven by when")
    add("--lines", choices=("class", "solver"), help="of the plot [solver if there are several]")
    add("--title", default="", help="of the plot")
    options = parser.parse_args()
    try:
        rows, known = rows_of(options.results), knowledge.load(options.known)
    except (OSError, ValueError) as error:
        sys.exit(f"report.py: {error}")
    if not rows:
        sys.exit(f"report.py: {options.results}: no rows")
    found = list(contradictions(rows, known))
    print("\n".join(report(rows, known, found)).rstrip())
    if options.plot:
        limit = max(row.limit for row in rows)
        options.plot.write_text(plot.svg(list(curves(rows, options.lines)), limit, options.title))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
