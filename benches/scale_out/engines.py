#!/usr/bin/env python3
"""What each engine costs: parts that do almost nothing, and the efficiency with parts that take ten
seconds. These wait instead of computing, so that one machine can be several nodes and its other work
hardly matters; efficiency is the time of all parts over slots times wall-clock time.

    engines.py GRIDSAT ENGINE…

Engines are local, parallel (GNU parallel), slurm and hyperqueue (package of Python). For Slurm start it
with `.ci/slurm GRIDSAT benches/scale_out/engines.py GRIDSAT slurm`. Prints rows of a Markdown table.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

EMPTY = 60
SLOTS = {"local": [1, 2], "parallel": [1, 2], "slurm": [1, 2, 6], "hyperqueue": [1, 2]}
PARTS, SECONDS = 12, 10


def run(*words, cwd):
    subprocess.run([gridsat, *words], check=True, cwd=cwd, stdout=subprocess.DEVNULL)


def empty(folder):
    """A plan of parts with three runs of a millisecond each."""
    sweep = pathlib.Path(__file__).resolve().parent.parent.parent / "tests/data/sweep.toml"
    run("plan", "experiment", str(sweep), "--replications", "20", "--parts", str(EMPTY), "--out", "d", cwd=folder)


def waiting(folder):
    """A plan of parts in which a solver sleeps."""
    for place in range(PARTS):
        words = f"generate etc --tasks 2 --hosts 2 --seed {place} --output i{place}.json".split()
        run(*words, cwd=folder)
    peer = f"sleep=sh -c 'sleep {SECONDS}; echo {{\"status\":\"unknown\"}}' x {{instance}}"
    names = [f"i{place}.json" for place in range(PARTS)]
    run("plan", "campaign", *names, "--peer", peer, "--parts", str(PARTS), "--out", "d", cwd=folder)


def work(engine, slots, parts, folder):
    """Works on all parts of the plan `d`."""
    plan = str(folder / "d")
    if engine in ("local", "slurm"):
        run("merge", plan, "--engine", engine, "--jobs", str(slots), "--quiet", cwd=folder)
    elif engine == "parallel":
        words = ["parallel", "-j", str(slots), str(gridsat), "work", plan, "--part", "{}", ":::"]
        words += map(str, range(parts))
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        run("merge", plan, "--quiet", cwd=folder)
    else:
        by_hyperqueue(slots, parts, plan, folder)


def by_hyperqueue(slots, parts, plan, folder):
    from hyperqueue import Job

    client = clusters[slots].client()
    job = Job()
    for _ in range(parts):
        job.program([str(gridsat), "work", plan], cwd=str(folder))
    client.wait_for_jobs([client.submit(job)])
    run("merge", plan, "--quiet", cwd=folder)


def measured(engine, slots, make, parts):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make(folder)
        begin = time.monotonic()
        work(engine, slots, parts, folder)
        return time.monotonic() - begin


gridsat = pathlib.Path(sys.argv[1]).resolve()
clusters = {}
print("| engine | slots | empty parts: s per part | parts of 10 s: wall-clock s | efficiency |")
print("|---|---:|---:|---:|---:|")
for engine in sys.argv[2:]:
    for slots in SLOTS[engine]:
        if engine == "hyperqueue":
            from hyperqueue.cluster import LocalCluster, WorkerConfig

            clusters[slots] = LocalCluster(worker_config=WorkerConfig(cores=slots))
        per_part = measured(engine, slots, empty, EMPTY) / EMPTY
        wall = measured(engine, slots, waiting, PARTS)
        efficiency = PARTS * SECONDS / (slots * wall)
        print(f"| {engine} | {slots} | {per_part:.2f} | {wall:.0f} | {100 * efficiency:.0f} % |", flush=True)
        if slots in clusters:
            clusters.pop(slots).stop()
