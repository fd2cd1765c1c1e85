#!/usr/bin/env python3
"""How planned work scales, simulated with gridsat: each part is a job of a trace that replays measured
run times, plus the measured cost of starting it; `gridsat simulate` plays the trace on N nodes.

    simulate.py GRIDSAT START RATE NAME=FILE …

START is the cost of a part in seconds, RATE how many parts per second the scheduler starts. A file has
the results of `gridsat campaign`, or one run time per line, in the order of the runs. Prints a Markdown
table: makespan, and efficiency, which is the work over nodes times makespan.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

NODES = [1, 10, 100, 1000]
PART_SECONDS = [1, 5, 30, 60, 300]
MOST = 1000  # parts of a plan


def seconds_of(line):
    """The CPU time of a run: a row of a campaign with its check, or a number."""
    if not line.startswith("{"):
        return float(line)
    row = json.loads(line)
    return row["cpu_seconds"] + (row["check_cpu_seconds"] or 0.0)


def parts(runs, seconds):
    """Neighbouring runs, together about this long, as `gridsat plan` makes them."""
    total = sum(runs)
    count = min(max(1, round(total / seconds)), MOST, len(runs))
    made, done = [0.0], 0.0
    for run in runs:
        if made[-1] > 0 and len(made) < count and done + run / 2 >= total * len(made) / count:
            made.append(0.0)
        made[-1] += run
        done += run
    return made


def makespan(gridsat, made, start, rate, nodes):
    with tempfile.NamedTemporaryFile("w", suffix=".swf") as trace:
        trace.write(f"; MaxNodes: {nodes}\n")
        for place, seconds in enumerate(made):
            submit, run = int(place / rate), max(1, round(start + seconds))
            trace.write(f"{place + 1} {submit} -1 {run} 1 -1 -1 1 {run} -1 1 1 1 -1 1 -1 -1 -1\n")
        trace.flush()
        words = ["simulate", trace.name, "--nodes", str(nodes), "--policy", "fcfs", "--format", "json", "--quiet"]
        done = subprocess.run([gridsat, *words], capture_output=True, text=True, check=True)
        return makespan_in(json.loads(done.stdout))


def makespan_in(value):
    """The makespan, wherever the summary has it."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            if isinstance(one.get("makespan"), (int, float)):
                return one["makespan"]
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
    sys.exit("no makespan in the output of gridsat simulate")


gridsat, start, rate = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
print("| work | part s | parts |", " | ".join(f"{n} nodes" for n in NODES), "|")
print("|---|---:|---:|" + "---:|" * len(NODES))
for argument in sys.argv[4:]:
    name, path = argument.split("=", 1)
    runs = [seconds_of(line) for line in pathlib.Path(path).read_text().splitlines()]
    for seconds in PART_SECONDS:
        made = parts(runs, seconds)
        cells = []
        for nodes in NODES:
            end = makespan(gridsat, made, start, rate, nodes)
            cells.append(f"{end:,.0f} s, {100 * sum(runs) / (nodes * end):.0f} %")
        print(f"| {name} | {seconds} | {len(made):,} |", " | ".join(cells), "|")
