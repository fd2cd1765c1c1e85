#!/usr/bin/env python3
"""Wall-clock times with one and with two threads, from the results of a campaign, as Markdown.

    threads.py threads.jsonl

An instance counts if both runs are proven, with accepted certificates. CPU is that of two threads over that of one.
"""

import json
import sys
from statistics import geometric_mean


def main(path):
    with open(path, encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row.get("accepted")]
    rows = [row for row in rows if row["status"] == "optimal"]
    runs = {(row["instance"], row["threads"]): row for row in rows if row["solver"] == "gridsat"}
    both = [(runs[name, 1], runs[name, 2]) for name, n in runs if n == 1 and (name, 2) in runs]
    print("| instance | 1 thread s | 2 threads s | ratio | CPU ratio |\n|---|---:|---:|---:|---:|")
    wall, cpu = [], []
    for one, two in both:
        wall.append(two["wall_seconds"] / one["wall_seconds"])
        cpu.append(two["cpu_seconds"] / one["cpu_seconds"])
        times = f"{one['wall_seconds']:.1f} | {two['wall_seconds']:.1f}"
        print(f"| {one['instance']} | {times} | {wall[-1]:.2f} | {cpu[-1]:.2f} |")
    if both:
        means = f"**{geometric_mean(wall):.2f}** | {geometric_mean(cpu):.2f}"
        print(f"| geometric mean of {len(both)} | | | {means} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
