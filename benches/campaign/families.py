#!/usr/bin/env python3
"""A table by family (the folder of an instance) from the results of a campaign, as Markdown.

    families.py pcmax.jsonl

Proven by gridsat means with an accepted certificate. CPU seconds are geometric means over the instances that the solver
proved; *both* compares it with gridsat on the instances that both proved, as the ratio of gridsat's time to its own.
Times below a millisecond count as a millisecond.
"""

import json
import sys
from collections import defaultdict
from statistics import geometric_mean


def is_proven(row):
    is_optimal = row.get("status") == "optimal" and not row.get("failure")
    return is_optimal and (row["solver"] != "gridsat" or row.get("accepted"))


def seconds(row):
    start = row.get("start_cpu_seconds") or 0
    return max(row["cpu_seconds"] - start, 0.001)


def line(name, runs, solvers):
    cells = [name, str(len({instance for instance, _ in runs}))]
    proven = {key: row for key, row in runs.items() if is_proven(row)}
    for solver in solvers:
        ran = [row for (_, by), row in runs.items() if by == solver]
        times = {instance: seconds(row) for (instance, by), row in proven.items() if by == solver}
        cells.append(f"{len(times)} of {len(ran)}" if ran else "–")
        cells.append(f"{geometric_mean(times.values()):.3f}" if times else "–")
        if solver != "gridsat":
            both = [seconds(proven[one, "gridsat"]) / times[one] for one in times if (one, "gridsat") in proven]
            cells.append(f"{geometric_mean(both):.2f} ({len(both)})" if both else "–")
    return "| " + " | ".join(cells) + " |"


def main(path):
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    families = defaultdict(dict)
    for row in rows:
        families[row["instance"].split("/")[0]][row["instance"], row["solver"]] = row
    peers = sorted({row["solver"] for row in rows} - {"gridsat"})
    heads = ["family", "instances", "gridsat", "CPU s"]
    for peer in peers:
        heads += [peer, "CPU s", "both"]
    print("| " + " | ".join(heads) + " |")
    print("|---" + "|---:" * (len(heads) - 1) + "|")
    for family in sorted(families):
        print(line(family, families[family], ["gridsat", *peers]))
    every = {key: row for runs in families.values() for key, row in runs.items()}
    print(line("all", every, ["gridsat", *peers]))


if __name__ == "__main__":
    main(*sys.argv[1:])
