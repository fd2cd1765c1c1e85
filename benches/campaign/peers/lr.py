"""LR, the C++ program of Åblad, Spensieri and Strömberg (github.com/Fraunhofer-Chalmers-Centre/RCmax):
`lr.py INSTANCE SECONDS THREADS PROGRAM`. It takes whole times and one thread, and reports no bound
unless it is done. All CPU time of this script counts as its start."""

import csv
import json
import subprocess
import sys
import tempfile
import time

import instance

file, seconds, _, program = sys.argv[1:5]
etc = instance.read(file)
if etc.scale != 1 or any(etc.ready):
    sys.exit("LR takes whole times and no ready times")
forbidden = 1 + sum(max(p for p in row if p is not None) for row in etc.etc)
with tempfile.NamedTemporaryFile("w", suffix=".csv") as matrix, tempfile.NamedTemporaryFile() as out:
    hosts = zip(*etc.etc)
    csv.writer(matrix).writerows([forbidden if p is None else p for p in host] for host in hosts)
    matrix.flush()
    run = subprocess.run([program, matrix.name, seconds, "-o", out.name], capture_output=True, text=True)
    lines = open(out.name).read().split()
if not lines:
    sys.exit(run.stdout.strip() or f"{program} ended with code {run.returncode}")
_, _, nodes, _, taken, solved, _, _, z, *x = lines[-1].rstrip(",").split(",")
mapping = [int(host) - 1 for host in x]
answer = instance.answer(etc, mapping, int(z) if solved == "1" else 0, solved == "1")
if solved != "1":
    del answer["lower_bound"]
answer |= dict(seconds=float(taken), nodes=int(nodes), start_cpu_seconds=time.process_time())
print(json.dumps(answer))
