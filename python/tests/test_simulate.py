"""Simulations and experiments, with policies of the package and one's own."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gridsat
import pytest
from gridsat import InputError, Policy, Queue, View


def earliest(view: View) -> list[tuple[gridsat.Job, gridsat.Host]]:
    """MCT for one job: the host that would end it first; the first of several."""
    assert len(view.jobs) == 1
    ends = [host.delay + time for host, time in zip(view.hosts, view.etc[0])]
    return [(view.jobs[0], view.hosts[ends.index(min(ends))])]


def test_ones_own_policy_equals_the_built_in_one() -> None:
    own = gridsat.simulate("gsim-base", policy=earliest)
    built_in = gridsat.simulate("gsim-base", policy="mct")
    assert own.policy == "earliest" and built_in.policy == "mct"
    columns = ["job_id", "resource", "starting_time", "finish_time"]
    assert own.jobs[columns].equals(built_in.jobs[columns])
    assert own.makespan == built_in.makespan == own.jobs["finish_time"].max()


def test_a_batch_policy_sees_all_waiting_jobs() -> None:
    sizes: list[int] = []

    def first_host(view: View) -> list[tuple[int, str]]:
        sizes.append(len(view.jobs))
        assert len(view.etc) == len(view.jobs) and len(view.etc[0]) == len(view.hosts)
        fitting = [row.index(min(row)) for row in view.etc]
        return [(index, view.hosts[host].name) for index, host in enumerate(fitting)]

    run = gridsat.simulate("gsim-base", policy=Policy(first_host, when="batch", name="mine"))
    assert run.policy == "mine" and max(sizes) > 1 and sum(sizes) == len(run.jobs) == 1000


def test_a_scenario_can_be_a_dict_a_file_or_a_template(tmp_path: Path) -> None:
    text = gridsat.template("gsim-table")
    path = tmp_path / "grid.toml"
    path.write_text(text)
    assert gridsat.simulate(path).jobs.equals(gridsat.simulate("gsim-table").jobs)
    keys: dict[str, Any] = {
        "name": "tiny",
        "resource": [{"name": "a", "pes": 1, "mips": 100}, {"name": "b", "pes": 1, "mips": 50}],
        "job": [{"mi": 1000}, {"mi": 500}],
    }
    run = gridsat.simulate(keys, policy="mct", events=True, picture=True)
    assert run.makespan == 10 and run.end == "no-events"
    assert list(run.events.columns[:2]) == ["time", "event"] and run.events["time"].max() == 10
    assert set(run.events["job"].dropna()) == {0, 1}
    assert run._repr_html_().startswith("<svg") and run.gantt().startswith("<svg")
    assert run.summary["scenario"] == "tiny"


def test_errors_in_scenarios_have_a_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('seed = 1\n\n[[resource]]\nname = "a"\npes = -1\n')
    with pytest.raises(InputError) as raised:
        gridsat.simulate(path)
    assert raised.value.file == str(path) and raised.value.line == 5
    with pytest.raises(InputError, match="policy"):
        gridsat.simulate("gsim-table", policy="nonsense")
    with pytest.raises(InputError, match="no template 'x'"):
        gridsat.template("x")
    with pytest.raises(InputError, match="cannot read"):
        gridsat.simulate(tmp_path / "missing.toml")


@pytest.mark.parametrize(
    ("decide", "error", "words"),
    [
        (lambda view: 1 // 0, ZeroDivisionError, "division"),
        (lambda view: [(0, 99)], ValueError, "no host 99"),
        (lambda view: [(0, "nowhere")], ValueError, "no host 'nowhere'"),
        (lambda view: [(7000, 0)], ValueError, "no job 7000"),
        (lambda view: [3], TypeError, "pairs"),
        (lambda view: 5, TypeError, "iter"),
    ],
)
def test_wrong_answers_of_a_policy_are_raised(
    decide: Callable[[View], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        gridsat.simulate("gsim-base", policy=decide)


def test_ctrl_c_ends_a_simulation_and_keeps_what_was_done() -> None:
    def slow(view: View) -> list[tuple[gridsat.Job, gridsat.Host]]:
        time.sleep(0.005)
        return earliest(view)

    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as raised:
        gridsat.simulate("gsim-base", policy=slow)
    run = raised.value.best  # type: ignore[attr-defined]
    assert run.end == "interrupted" and len(run.jobs) < 1000


def clusters(jobs: int) -> str:
    return gridsat.template("beosim-grid").replace("20000", str(jobs))


def test_a_rule_for_queues_equals_the_built_in_one(tmp_path: Path) -> None:
    path = tmp_path / "clusters.toml"
    path.write_text(clusters(400))

    def in_order(queue: Queue) -> int | None:
        assert queue.free_nodes >= 0 and all(nodes > 0 for _, nodes in queue.releases)
        return 0 if queue.waiting and queue.waiting[0].fits else None

    def shortest(queue: Queue) -> gridsat.Waiting | None:
        fitting = [job for job in queue.waiting if job.fits]
        return min(fitting, key=lambda job: job.estimate, default=None)

    own, built_in = gridsat.simulate(path, policy=in_order), gridsat.simulate(path, policy="fcfs")
    assert own.policy == "in_order"
    assert own.jobs.equals(built_in.jobs)
    assert not gridsat.simulate(path, policy=shortest).jobs.equals(built_in.jobs)
    with pytest.raises(ValueError, match="no job 10000"):
        gridsat.simulate(path, policy=lambda queue: 10000)
    with pytest.raises(ZeroDivisionError):
        gridsat.simulate(path, policy=lambda queue: 1 // 0)


def test_rules_for_queues_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "clusters.toml"
    path.write_text(clusters(200))

    def in_order(queue: Queue) -> int | None:
        return 0 if queue.waiting and queue.waiting[0].fits else None

    def any_that_fits(queue: Queue) -> int | None:
        return next((job.index for job in queue.waiting if job.fits), None)

    compared = gridsat.compare(path, policies=["fcfs", in_order, "fcfs-scan", any_that_fits], replications=2)
    assert list(compared.rows) == ["fcfs", "in_order", "fcfs-scan", "any_that_fits"]
    assert compared.rows["in_order"] == compared.rows["fcfs"]
    assert compared.rows["any_that_fits"] == compared.rows["fcfs-scan"]
    assert compared.rows["fcfs"] != compared.rows["fcfs-scan"]
    with pytest.raises(ZeroDivisionError):
        gridsat.compare(path, policies=["fcfs", lambda queue: 1 // 0])


def test_traces_are_simulated(repository: Path) -> None:
    trace = next((repository / "instances").rglob("*.swf"))
    run = gridsat.simulate(trace, policy="easy", picture=True)
    assert len(run.jobs) > 0 and run.policy == "easy" and "<html" in run.gantt()
    compared = gridsat.compare(trace, policies=["fcfs", "easy"])
    assert list(compared.rows) == ["fcfs", "easy"]
    assert compared.rows["easy"]["makespan"] == pytest.approx(run.makespan)


def test_policies_are_compared_with_ones_own() -> None:
    compared = gridsat.compare("gsim-base", policies=["mct", earliest])
    assert compared.rows["mct"]["flow"] == compared.rows["earliest"]["flow"]
    assert compared.lower_bound is not None and compared.rows["mct"]["ratio"] is not None
    table = compared.to_frame()
    assert list(table.index) == ["mct", "earliest"] and "spent" not in table


def test_experiments_give_frames(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    name = "gsim-table"
    assert name in gridsat.experiments()
    path = tmp_path / "result.jsonl"
    first = gridsat.experiment(name, quick=True, result=path, on_progress=lambda done, of: seen.append((done, of)))
    assert not first.failures and len(first.runs) > 0 and len(first.means) > 0
    assert seen and seen[-1][0] == seen[-1][1]
    assert gridsat.results(path).runs.equals(first.runs)
    with pytest.raises(InputError):
        gridsat.experiment("no-such-experiment")
