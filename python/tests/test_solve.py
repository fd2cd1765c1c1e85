"""The search, its proofs, and what ends it early."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import gridsat
import numpy
import pytest
from gridsat import GridsatError, InputError, Progress

HARD = gridsat.generate(400, 30, kind="u_c_hihi", seed=5)
"""Not proven within a minute."""


def test_the_optimum_is_that_of_all_mappings() -> None:
    rng = random.Random(3)
    for _ in range(30):
        rows = [[rng.choice([rng.randrange(1, 30), None]) for _ in range(3)] for _ in range(5)]
        for row in rows:
            row[rng.randrange(3)] = 9
        ready = [rng.randrange(6) for _ in range(3)]
        best = min(
            max(ready[h] + sum(rows[t][h] or 0 for t in range(5) if hosts[t] == h) for h in range(3))
            for hosts in itertools.product(range(3), repeat=5)
            if all(rows[t][h] is not None for t, h in enumerate(hosts))
        )
        solution = gridsat.solve(rows, ready=ready)
        assert (solution.makespan, solution.lower_bound, solution.status) == (best, best, "optimal")
        assert gridsat.decide(rows, best, ready=ready) and not gridsat.decide(rows, best - 1, ready=ready)


def test_a_solution_says_who_runs_where() -> None:
    solution = gridsat.solve({"x": {"a": 2.5, "b": 3}, "y": {"a": 2.5, "b": 3}, "z": {"a": 2.5, "b": 3}})
    assert solution.makespan == 5.0 and isinstance(solution.makespan, float)
    assert sorted(solution.loads.values()) == [3.0, 5.0]
    plan = solution.to_frame()
    assert list(plan.columns) == ["host", "start", "end", "time"]
    assert dict(plan["host"]) == solution.assignment
    assert plan["end"].max() == solution.makespan
    assert (plan["end"] - plan["start"] == plan["time"]).all()
    assert solution._repr_html_().startswith("<svg") and "proven optimal" in solution.gantt()
    assert gridsat.solve([[2, 3]]).makespan == 2 and isinstance(gridsat.solve([[2, 3]]).makespan, int)


def test_a_certificate_is_checked_and_a_damaged_one_rejected(tmp_path: Path) -> None:
    times = gridsat.generate(12, 3, kind="U1-50", seed=2)
    solution = gridsat.solve(times)
    path = tmp_path / "proof.json"
    solution.certificate.save(path)
    verdict = gridsat.verify(times, path)
    assert verdict and verdict.optimal and verdict.makespan == solution.makespan
    assert gridsat.verify(times, solution.certificate) == verdict
    assert solution.certificate.to_dict()["makespan"] is not None
    text = path.read_text()
    path.write_text(text.replace(times.digest, "0" * len(times.digest)))
    damaged = gridsat.verify(times, path)
    assert not damaged and not damaged.optimal and damaged.reason
    other = gridsat.generate(12, 3, kind="U1-50", seed=3)
    path.write_text(text)
    assert not gridsat.verify(other, path)
    with pytest.raises(InputError):
        gridsat.verify(times, tmp_path / "missing.json")


def test_rounded_times_are_rounded_again_by_verify(tmp_path: Path) -> None:
    rng = random.Random(4)
    rows = [[rng.uniform(1, 1e5) for _ in range(3)] for _ in range(6)]
    solution = gridsat.solve(rows, decimals=2)
    solution.certificate.save(tmp_path / "proof.json")
    assert gridsat.verify(rows, tmp_path / "proof.json").optimal


def test_a_veripb_proof_is_written(tmp_path: Path) -> None:
    solution = gridsat.solve([[2, 3]] * 3)
    solution.certificate.save(tmp_path / "proof.pbp")
    assert (tmp_path / "proof.opb").exists() and (tmp_path / "proof.pbp").read_text().startswith("pseudo-Boolean")


def test_limits_end_the_search_with_a_proven_gap() -> None:
    solution = gridsat.solve(HARD, time_limit=0.3)
    assert solution.status in ("feasible", "optimal")
    assert solution.lower_bound <= solution.makespan
    assert solution.gap == pytest.approx(1 - solution.lower_bound / solution.makespan)
    assert gridsat.solve(HARD, gap=0.5).gap <= 0.5
    with pytest.raises(ValueError):
        gridsat.solve(HARD, time_limit=-1)


def test_the_search_starts_from_a_mapping() -> None:
    best = gridsat.solve(HARD, gap=0.05)
    again = gridsat.solve(HARD, start=best, time_limit=0)
    assert again.makespan <= best.makespan
    assert gridsat.solve(HARD, start=best.assignment, time_limit=0).makespan <= best.makespan
    with pytest.raises(InputError, match="no host 'nowhere'"):
        gridsat.solve([[1, 2]], start=["nowhere"])
    with pytest.raises(InputError, match="which cannot run it"):
        gridsat.solve([[1, None]], start=[1])
    with pytest.raises(InputError, match="no host for task 't1'"):
        gridsat.solve([[1], [2]], start={"t0": "h0"})


def test_one_thread_gives_the_same_answer_every_time() -> None:
    times = gridsat.generate(40, 6, kind="u_i_hilo", seed=9)
    one, other = gridsat.solve(times, gap=0.01), gridsat.solve(times, gap=0.01)
    assert one.mapping == other.mapping and one.lower_bound == other.lower_bound
    assert gridsat.solve(times, gap=0.01, threads=2).gap <= 0.01


def test_progress_is_reported_in_order() -> None:
    seen: list[Progress] = []
    solution = gridsat.solve(gridsat.generate(60, 8, seed=4), gap=0.001, time_limit=20, on_progress=seen.append)
    makespans = [one.makespan for one in seen if one.makespan is not None]
    bounds = [one.lower_bound for one in seen if one.lower_bound is not None]
    assert makespans == sorted(makespans, reverse=True) and bounds == sorted(bounds)
    assert makespans[-1] == solution.makespan and bounds[-1] <= solution.makespan


def test_an_exception_in_progress_ends_the_search() -> None:
    def stop(progress: Progress) -> None:
        if progress.makespan is not None:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough") as raised:
        gridsat.solve(HARD, on_progress=stop)
    best = raised.value.best  # type: ignore[attr-defined]
    assert isinstance(best, gridsat.Solution) and best.makespan >= best.lower_bound


def test_ctrl_c_raises_with_the_best_so_far() -> None:
    begin = time.perf_counter()
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as raised:
        gridsat.solve(HARD)
    best = raised.value.best  # type: ignore[attr-defined]
    assert isinstance(best, gridsat.Solution) and best.status == "feasible"
    assert gridsat.verify(HARD, best)
    assert time.perf_counter() - begin < 20


def test_other_threads_run_during_the_search() -> None:
    counted = 0
    is_over = threading.Event()

    def count() -> None:
        nonlocal counted
        while not is_over.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        gridsat.solve(HARD, time_limit=0.5)
    finally:
        is_over.set()
        thread.join()
    # A search that keeps the lock lets the other thread run once.
    assert counted > 20


def test_a_call_costs_little() -> None:
    matrix = numpy.array([[14.0, 5.0, 9.0], [3.0, 8.0, 2.0], [7.0, 7.0, 4.0]])

    def overhead() -> float:
        start = time.perf_counter()
        solution = gridsat.solve(matrix)
        return time.perf_counter() - start - solution.seconds

    # Measured: 0.05 ms.
    assert min(overhead() for _ in range(300)) < 0.0002


def test_heuristics_by_name_and_ones_own() -> None:
    times = gridsat.generate(20, 4, seed=7)
    every = gridsat.map(times)
    assert {one.algorithm for one in every} <= set(gridsat.algorithms())
    assert every.best.makespan == min(one.makespan for one in every)
    table = every.to_frame()
    assert table["above_best"].min() == 0 and len(table) == len(every)

    def first_fit(instance: gridsat.Instance) -> dict[str, str]:
        rows = zip(instance.tasks, instance.etc)
        return {task: instance.hosts[min(range(4), key=lambda h: row[h] or 0)] for task, row in rows}

    (own,) = gridsat.map(times, first_fit)
    (met,) = gridsat.map(times, "met")
    assert own.algorithm == "first_fit" and own.makespan == met.makespan
    searched = gridsat.map(times, ["ga"], evaluations=500, seed=3)
    assert searched[0].mapping == gridsat.map(times, "ga", evaluations=500, seed=3)[0].mapping
    with pytest.raises(InputError, match="unknown algorithm 'best'"):
        gridsat.map(times, "best")
    with pytest.raises(ZeroDivisionError):
        gridsat.map(times, lambda instance: 1 // 0)
    with pytest.raises(InputError, match="mapping has 2 tasks"):
        gridsat.map(times, lambda instance: [0, 0])


def test_comparisons_replay_ones_own_mappings_too() -> None:
    times = gridsat.generate(10, 3, seed=7)
    named = gridsat.compare(times, ["met"], replications=2)

    def own(instance: gridsat.Instance) -> list[int]:
        return gridsat.map(instance, "met")[0].mapping

    both = gridsat.compare(times, ["met", own], replications=2)
    for column, value in named.rows["met"].items():
        if column != "seconds":
            assert both.rows["met"][column] == both.rows["own"][column] == value
    assert gridsat.compare(times, own, replications=2).rows.keys() == {"optimum", "own"}
    assert (both.to_frame()["ratio"] >= 1).all()


def test_errors_have_one_base() -> None:
    assert issubclass(InputError, GridsatError) and issubclass(InputError, ValueError)


def test_the_command_comes_with_the_package(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "gridsat"]
    version = subprocess.run([*words, "--version"], capture_output=True, text=True, check=True).stdout
    assert version.split()[1] == gridsat.__version__
    gridsat.generate(8, 2).save(tmp_path / "a.json")
    solved = subprocess.run([*words, "solve", str(tmp_path / "a.json")], capture_output=True, text=True, check=True)
    assert "proven" in solved.stdout
    assert subprocess.run([*words, "solve", "missing.json"], capture_output=True, check=False).returncode == 2


def test_a_start_may_be_a_file(tmp_path: Path) -> None:
    times = gridsat.generate(20, 4, kind="U1-100", seed=2)
    path = tmp_path / "start.txt"
    path.write_text("\n".join(times.hosts[task % 4] for task in range(20)))
    given = gridsat.map(times, lambda instance: [task % 4 for task in range(20)])[0]
    judged = gridsat.solve(times, start=path, time_limit=0)
    assert (judged.mapping, judged.makespan, judged.algorithm) == (given.mapping, given.makespan, "given")
    assert judged.better is not None and judged.better < judged.makespan
    verdict = gridsat.verify(times, judged)
    assert verdict and verdict.lower_bound == judged.lower_bound <= gridsat.solve(times).makespan
    path.write_text('["nowhere"]')
    with pytest.raises(InputError, match="there is no host") as caught:
        gridsat.solve(times, start=str(path))
    assert caught.value.file == str(path)


def test_the_second_stage_keeps_the_makespan() -> None:
    rng = random.Random(11)
    for _ in range(20):
        rows = [[rng.randrange(1, 20) for _ in range(3)] for _ in range(5)]
        all_hosts = list(itertools.product(range(3), repeat=5))
        ends = {h: max(sum(rows[t][x] for t in range(5) if h[t] == x) for x in range(3)) for h in all_hosts}
        best = min(ends.values())
        optima = [hosts for hosts in all_hosts if ends[hosts] == best]
        total = gridsat.solve(rows, then="total-time")
        least = min(sum(rows[t][h] for t, h in enumerate(hosts)) for hosts in optima)
        assert total.second is not None and total.second.is_optimal
        assert (total.makespan, total.status, total.second.value) == (best, "optimal", least)
        assert sum(rows[t][h] for t, h in enumerate(total.mapping)) == least
        assert gridsat.verify(rows, total).optimal
        start = rng.choice(all_hosts)
        moved = gridsat.solve(rows, then="fewest-moves", start=list(start))
        fewest = min(sum(a != b for a, b in zip(start, hosts)) for hosts in optima)
        assert moved.second is not None and (moved.makespan, moved.second.value) == (best, fewest)
        assert sum(a != b for a, b in zip(start, moved.mapping)) == fewest
    with pytest.raises(ValueError, match="give start"):
        gridsat.solve(rows, then="fewest-moves")
    with pytest.raises(ValueError, match="unknown then"):
        gridsat.solve(rows, then="luck")


def test_a_program_is_a_heuristic(repository: Path) -> None:
    program = f"cmd:{sys.executable} {repository / 'examples/programs/mct.py'}"
    times = gridsat.generate(20, 4, kind="U1-100", seed=2)
    ours, theirs = gridsat.map(times, ["mct", program])
    assert ours.mapping == theirs.mapping and theirs.algorithm == program
    with pytest.raises(InputError, match="exit status: 7"):
        gridsat.map(times, "cmd:exit 7")
    assert gridsat.compare(times, [program]).rows[program]["makespan"] == ours.makespan
