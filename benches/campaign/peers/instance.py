"""Instances and answers of the peers: `NAME.py INSTANCE SECONDS THREADS` prints one line of JSON.

The reader is independent of that of gridsat, so that an error in either shows as different optima.
Reads JSON, HCSP text with a size line, and R||Cmax and P||Cmax text; not CSV.

Time starts when the package is loaded and the instance has been read; the CPU seconds until then
are reported as `start_cpu_seconds`. gridsat computes the makespan from the mapping.
"""

import json
import math
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple


class Instance(NamedTuple):
    etc: list  # ticks of each task on each host; None where it cannot run
    ready: list  # ready time of each host, in ticks
    scale: int  # ticks per time unit of the file

    @property
    def size(self):
        return len(self.etc), len(self.etc[0])

    @property
    def pairs(self):
        """All possible pairs, as (task, host, ticks)."""
        rows = enumerate(self.etc)
        return [(t, h, p) for t, row in rows for h, p in enumerate(row) if p is not None]

    def makespan(self, mapping):
        """The makespan in ticks; `mapping[t]` is the host of task t."""
        loads = list(self.ready)
        for task, host in enumerate(mapping):
            loads[host] += self.etc[task][host]
        return max(loads)

    def units(self, ticks):
        """Ticks as a number in the file's unit; an int if it is whole."""
        return ticks if self.scale == 1 else ticks / self.scale


def read(path):
    path = Path(path)
    if path.suffix == ".csv":
        sys.exit(f"{path.name}: CSV is not read here")
    parse = json_times if path.suffix == ".json" else text_times
    etc, ready = parse(path.read_text())
    values = [v for row in [*etc, ready] for v in row if v is not None]
    scale = 10 ** max(0, *(-v.as_tuple().exponent for v in values))
    ticks = lambda row: [None if v is None else int(v * scale) for v in row]
    return Instance([ticks(row) for row in etc], ticks(ready), scale)


def json_times(text):
    data = json.loads(text, parse_float=Decimal, parse_int=Decimal)
    time = lambda value: value if isinstance(value, Decimal) else None  # null, "inf"
    etc = [[time(value) for value in row] for row in data["etc"]]
    return etc, data.get("ready") or [Decimal(0)] * len(etc[0])


def text_times(text):
    """Reads `n m` on one line (its rest is ignored), or `n` and `m` on two, then times by task; or
    `p p_cmax n m` and one time for each task."""
    if text.split(maxsplit=2)[:2] == ["p", "p_cmax"]:
        n, m, *times = text.split()[2:]
        times = [[Decimal(time)] * int(m) for time in times[: int(n)]]
        return times, [Decimal(0)] * int(m)
    head, rest = text.split("\n", 1)
    sizes = head.split()
    if len(sizes) == 1:
        second, rest = rest.split("\n", 1)
        sizes += second.split()
    n, m = int(sizes[0]), int(sizes[1])
    times = [Decimal(word) for word in rest.split()]
    if len(times) != n * m:
        sys.exit(f"{len(times)} times for {n} tasks and {m} hosts")
    return [times[t * m : (t + 1) * m] for t in range(n)], [Decimal(0)] * m


def solve(solver):
    """Runs `solver(instance, seconds, threads)`, which returns the mapping or None, a bound in
    ticks, whether it claims the optimum, and further fields of the answer."""
    file, seconds, threads = sys.argv[1:4]
    instance = read(file)
    start_cpu, begin = time.process_time(), time.monotonic()
    mapping, bound, claims, more = solver(instance, float(seconds), int(threads))
    taken = dict(seconds=time.monotonic() - begin, start_cpu_seconds=start_cpu)
    print(json.dumps(answer(instance, mapping, max(bound, 0), claims) | taken | more))


def answer(instance, mapping, bound, claims):
    tasks, hosts = instance.size
    if mapping is None:
        return dict(status="unknown", lower_bound=instance.units(bound), tasks=tasks, hosts=hosts)
    makespan = instance.makespan(mapping)
    # With decimals, solvers in floating point close the gap only up to their tolerance; there the
    # claim is accepted. With whole times it counts only if the bound reaches the makespan.
    optimal = claims and (bound >= makespan or instance.scale > 1)
    return dict(
        status="optimal" if optimal else "feasible",
        makespan=instance.units(makespan),
        lower_bound=instance.units(makespan if optimal else bound),
        tasks=tasks,
        hosts=hosts,
        mapping=mapping,
    )


def ticks_below(bound, scale):
    """A float bound in ticks: whole times rounded up after a small tolerance, as CP-SAT's; others
    rounded down after the relative tolerance of the solvers."""
    if not abs(bound) < 1e15:
        return 0
    if scale == 1:
        return math.ceil(bound - 1e-3)
    return math.floor((bound - 1e-6 * max(1.0, abs(bound))) * scale)
