"""Longest task first: prints the host of each task of a JSON instance, one per line.

Tasks are taken in order of their shortest time, longest first, and each goes to the host that
completes it first.
"""

import json
import sys

etc = json.load(open(sys.argv[1]))["etc"]
load = [0.0] * len(etc[0])
host_of = {}
shortest = [min(time for time in row if time is not None) for row in etc]
for task in sorted(range(len(etc)), key=lambda task: -shortest[task]):
    allowed = [host for host, time in enumerate(etc[task]) if time is not None]
    best = min(allowed, key=lambda host: load[host] + etc[task][host])
    load[best] += etc[task][best]
    host_of[task] = best
for task in range(len(etc)):
    print(host_of[task])
