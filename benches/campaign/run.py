#!/usr/bin/env python3
"""Runs gridsat, and on request other solvers, over a list of instances into a CSV file.

Every answer of gridsat is checked by `gridsat verify` in a separate process. Run the same command
again to resume after an interruption. See README.md for the columns.
"""

import argparse
import csv
import hashlib
import json
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path

import listing
import matrix
from process import Children
from results import Results

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
COPIED = ("tasks", "hosts", "status", "makespan", "lower_bound", "gap", "seconds", "nodes", "note")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("list", help="list of instances, folder, or glob pattern in quotes")
    add("--out", required=True, help="CSV file to append to")
    add("--time-limit", required=True, type=float, metavar="S", help="seconds an instance")
    add("--gridsat", default=PROJECT / "target/release/gridsat", type=Path, help="the program")
    add("--peers", default="", help="other solvers: cpsat,highs")
    add("--python", default=sys.executable, help="interpreter that has the peers' packages")
    add("--workers", default=2, type=int, help="threads of a peer [2]")
    add("--jobs", default=1, type=int, help="instances at a time [1]; more disturbs the times")
    add("--grace", default=60, type=float, help="seconds past the limit until a process is ended [60]")
    add("--certificates", type=Path, metavar="DIR", help="keep the certificates, a folder each")
    add("--retry", action="store_true", help="do again what ended in an error or was ended")
    words, extra = split(sys.argv[1:])
    options = parser.parse_args(words)
    options.extra = extra
    options.peers = [peer for peer in options.peers.split(",") if peer]
    if unknown := set(options.peers) - {"cpsat", "highs"}:
        parser.error(f"unknown peer {', '.join(sorted(unknown))}")
    return options


def split(words):
    """The arguments before and after `--`."""
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


class Gridsat:
    name = "gridsat"

    def __init__(self, options, children):
        self.program = options.gridsat.resolve()
        self.extra = options.extra
        self.options = " ".join(options.extra)
        self.limit, self.most = options.time_limit, options.time_limit + options.grace
        self.kept = options.certificates
        self.children = children
        said = subprocess.run([self.program, "--version"], capture_output=True, check=True, text=True)
        code = hashlib.sha256(self.program.read_bytes()).hexdigest()[:8]
        self.version = f"{said.stdout.split()[1]} {code}"  # the version number alone seldom changes

    def row(self, instance):
        if self.kept is None:
            with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
                return self.solve(instance, Path(folder))
        words = [instance.name, f"{self.limit:g}s", *self.extra]
        folder = self.kept / "_".join(words).replace("/", "_")
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("certificate.*"):
            old.unlink()
        return self.solve(instance, folder)

    def solve(self, instance, folder):
        certificate = folder / "certificate.json"
        command = [self.program, "solve", instance.path, "--format", "json", "--quiet"]
        command += ["--time-limit", f"{self.limit:g}", "--certificate", certificate, *self.extra]
        row, answer = ask(self.children, command, self.most)
        if answer is not None:
            row["decisions"] = len(answer.get("decisions", []))
        if certificate.exists():
            row |= self.check(instance, certificate, row)
        return row

    def check(self, instance, certificate, claimed):
        steps = json.loads(certificate.read_text()).get("steps", [])
        files = certificate.parent.glob("certificate.*")
        command = [self.program, "verify", instance.path, certificate, "--format", "json", "--quiet"]
        done = self.children.run(command, self.most)
        row = dict(
            check_seconds=f"{done.seconds:.3f}",
            check_peak_mib=mib(done),
            proof=steps[-1]["rule"] if steps else "",
            certificate_bytes=sum(file.stat().st_size for file in files),
        )
        return row | verdict(done, claimed)


def verdict(done, claimed):
    """Whether `verify` accepted the values that `solve` printed, not something weaker."""
    said = answer_of(done)
    if said is None:
        return dict(note=f"verify: {done.complaint}")
    if not said["accepted"]:
        return dict(accepted="no", note=f"verify: {said['reason']}")
    if any(said[column] != claimed.get(column) for column in ("makespan", "lower_bound")):
        return dict(accepted="no", note=f"verify: only {said['lower_bound']}..{said['makespan']}")
    return dict(accepted="yes")


class Peer:
    def __init__(self, name, options, children):
        self.name = name
        self.options = f"workers={options.workers}"
        self.most = options.time_limit + options.grace
        self.command = [options.python, HERE / "peers.py"]
        self.arguments = [f"{options.time_limit:g}", str(options.workers), name]
        self.children = children
        self.version = ""  # each answer contains it

    def row(self, instance):
        command = [*self.command, instance.path, *self.arguments]
        row, answer = ask(self.children, command, self.most)
        return row if answer is None else row | dict(version=answer["version"])


def ask(children, command, most):
    """Runs a solver; returns the fields of the row, and the answer."""
    done = children.run(command, most)
    row = dict(wall_seconds=f"{done.seconds:.3f}", peak_mib=mib(done))
    answer = answer_of(done)
    if answer is None:
        status = "killed" if done.overran else "error"
        return row | dict(status=status, note=done.complaint), None
    row |= {column: answer[column] for column in COPIED if answer.get(column) is not None}
    if "gap" in row:
        row["gap"] = f"{float(row['gap']):.6g}"
    if "seconds" in row:
        row["seconds"] = f"{float(row['seconds']):.3f}"
    return row, answer


def answer_of(done):
    """The output of a process, if it is JSON. Numbers stay as written, not converted to floats."""
    try:
        return json.loads(done.out, parse_float=str, parse_int=str)
    except json.JSONDecodeError:
        return None


def mib(done):
    return "" if done.peak_mib is None else f"{done.peak_mib:.1f}"


class Campaign:
    def __init__(self, options):
        self.children = Children()
        self.retry, self.limit = options.retry, f"{options.time_limit:g}"
        self.instances = listing.read_list(options.list)
        self.solvers = [Gridsat(options, self.children)]
        self.solvers += [Peer(name, options, self.children) for name in options.peers]
        self.results = Results(options.out)
        self.jobs = options.jobs

    def tasks(self):
        """The remaining work: solver, instance, and the row as far as it is known."""
        pairs = [(solver, instance) for instance in self.instances for solver in self.solvers]
        tasks = [(*pair, self.head(*pair)) for pair in pairs]
        return [task for task in tasks if not self.results.has(task[2], self.retry)]

    def head(self, solver, instance):
        head = {"instance": instance.name, "class": instance.kind, "known": instance.known}
        return head | dict(
            solver=solver.name,
            options=solver.options,
            version=solver.version,
            time_limit=self.limit,
        )

    def run(self):
        tasks = self.tasks()
        pool = ThreadPoolExecutor(self.jobs)
        try:
            jobs = [pool.submit(self.do, *task, f"[{i}/{len(tasks)}]") for i, task in enumerate(tasks, 1)]
            wait(jobs, return_when=FIRST_EXCEPTION)
            self.stop(pool)
            for job in jobs:
                if not job.cancelled():
                    job.result()  # raises the exception of a failed job
            return 0
        except KeyboardInterrupt:
            self.stop(pool)
            print("interrupted; the same command goes on from here", file=sys.stderr)
            return 130

    def stop(self, pool):
        self.children.stop()
        pool.shutdown(cancel_futures=True)

    def do(self, solver, instance, head, place):
        try:
            answer = solver.row(instance)
        except InterruptedError:
            return
        except (OSError, ValueError, KeyError) as error:
            answer = dict(status="error", note=" ".join(str(error).split()))
        if self.children.stopped:
            return  # stopped from outside, so it is not a result of the solver
        row = head | size(instance, answer) | answer
        self.results.append(row)
        print(place, instance.name, solver.name, summary(row), file=sys.stderr, flush=True)


def size(instance, answer):
    """Tasks and hosts of an instance, from the file if the solver did not print them."""
    if "tasks" in answer:
        return {}
    try:
        n, m = matrix.read(instance.path).size
    except (OSError, ValueError, KeyError, IndexError, ArithmeticError):
        return {}
    return dict(tasks=n, hosts=m)


def summary(row):
    words = [row["status"]]
    if "makespan" in row:
        words.append(f"{row['lower_bound']}..{row['makespan']} in {row['seconds']} s")
    if "check_seconds" in row:
        words.append(f"accepted: {row['accepted'] or '?'} in {row['check_seconds']} s")
    return ", ".join(words + [row["note"]] if "note" in row else words)


def main():
    for stop in (signal.SIGINT, signal.SIGTERM):  # background jobs of a shell ignore SIGINT
        signal.signal(stop, signal.default_int_handler)
    options = arguments()
    try:
        campaign = Campaign(options)
    except (OSError, ValueError, csv.Error, subprocess.CalledProcessError) as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2
    try:
        return campaign.run()
    finally:
        campaign.results.file.close()


if __name__ == "__main__":
    sys.exit(main())
