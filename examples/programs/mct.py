"""Minimum completion time, as a program for gridsat: cmd:python3 mct.py

One question per line on standard input, one answer per line on standard output; see docs/own.md.
"""

import json
import sys

for line in sys.stdin:
    question = json.loads(line)
    free = [host["delay"] for host in question["hosts"]]
    assign = []
    for task in question["tasks"]:
        times = question["etc"][task["id"]]
        ends = [(free[host] + time, host) for host, time in enumerate(times) if time is not None]
        end, host = min(ends)
        free[host] = end
        assign.append([task["id"], host])
    print(json.dumps({"assign": assign}), flush=True)
