"""Splits, with what is proven about them."""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import gridsat
import pandas
import pytest
from gridsat import InputError

TASKS = [("login", 41, "web"), ("cart", 37.5, "web"), ("pay", 30, "web"), ("scan", 29, "api"), ("mail", 12, "api")]


def test_the_end_is_that_of_the_best_split() -> None:
    rng = random.Random(5)
    for _ in range(30):
        times = {f"t{i}": rng.randrange(1, 40) for i in range(7)}
        overhead = rng.randrange(5)
        best = min(
            max(overhead + sum(time for time, at in zip(times.values(), shards) if at == i) for i in range(3))
            for shards in itertools.product(range(3), repeat=7)
        )
        parts = gridsat.split(times, 3, overhead=overhead)
        assert (parts.makespan, parts.lower_bound, parts.status, parts.gap) == (best, best, "optimal", 0.0)
        assert sorted(task for one in parts.shards for task in one.tasks) == sorted(times)
        assert max(one.end for one in parts.shards) == best
        assert parts.instance is not None and parts.certificate is not None
        assert gridsat.verify(parts.instance, parts.certificate).optimal


def test_the_command_splits_in_the_same_way(tmp_path: Path) -> None:
    times = {f"tests/test_{i % 7}.py::test_{i}": round(0.01 + (i * 37 % 101) / 10, 3) for i in range(300)}
    path = tmp_path / ".test_durations"
    path.write_text(json.dumps(times))
    parts = gridsat.split(path, 8, overhead="30s")
    words = [sys.executable, "-m", "gridsat", "split", str(path), "--shards", "8", "--overhead", "30s"]
    for one in parts.shards:
        printed = subprocess.run([*words, "--shard", str(one.number)], capture_output=True, text=True, check=True)
        assert printed.stdout.split() == one.tasks
    printed = subprocess.run([*words, "--format", "github"], capture_output=True, text=True, check=True)
    assert json.loads(printed.stdout) == parts.matrix()
    assert gridsat.split(times, 8, overhead=30).shards == parts.shards


def test_tasks_come_from_whatever_holds_them(tmp_path: Path) -> None:
    expected = gridsat.split(TASKS, 2).shards
    table = pandas.DataFrame(TASKS, columns=["task", "time", "group"])
    assert gridsat.split(table, 2).shards == expected
    assert gridsat.split(table.set_index("task"), 2).shards == expected
    assert gridsat.split(table.set_index("task")["time"], 2).shards == expected
    assert gridsat.split({name: timedelta(seconds=time) for name, time, _ in TASKS}, 2).shards == expected
    table.to_csv(tmp_path / "list.csv", index=False)
    assert gridsat.split(tmp_path / "list.csv", 2).shards == expected
    halves = [tmp_path / "a.csv", tmp_path / "b.csv"]
    table[:2].to_csv(halves[0], index=False)
    table[2:].to_csv(halves[1], index=False)
    assert gridsat.split(halves, 2, format="list").shards == expected
    assert gridsat.split(table, 2).to_frame()["shard"].to_dict() == {
        task: one.number for one in expected for task in one.tasks
    }


def test_options_mean_what_the_page_says() -> None:
    fewest = gridsat.split(TASKS, target="80s", overhead=10)
    assert (len(fewest), fewest.at_least, fewest.makespan <= 80) == (3, 3, True)
    unequal = gridsat.split(TASKS, runners={"big": 2, "small": 1})
    assert [one.name for one in unequal.shards] == ["big", "small"]
    assert unequal.shards == gridsat.split(TASKS, runners="big=2,small=1").shards
    together = gridsat.split(TASKS, 2, together=True, setup=5)
    assert sorted(len(one.tasks) for one in together.shards) == [2, 3] and together.makespan == 113.5
    divided = gridsat.split(TASKS, 2, setup=5)
    assert divided.makespan < 113.5 and divided.certificate is None and divided.instance is None
    new = gridsat.split(TASKS, 2, only=["login", "cart", "new"])
    assert (new.defaulted, new.default) == (["new"], (41 + 37.5) / 2)
    assert gridsat.split(TASKS, 2, only=["login", "new"], default="1m").default == 60.0
    assert gridsat.split({"a": float("nan"), "b": 3}, 1).defaulted == ["a"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gridsat.split(TASKS), "give one of shards, target and runners"),
        (lambda: gridsat.split(TASKS, 2, target=3), "give one of shards"),
        (lambda: gridsat.split(TASKS, 0), "shard"),
        (lambda: gridsat.split(TASKS, target=20), "login"),
        (lambda: gridsat.split(TASKS, 2, overhead="soon"), "overhead: 'soon'"),
        (lambda: gridsat.split({"a": -1}, 2), "task 'a'"),
        (lambda: gridsat.split([], 2), "there are no tasks"),
        (lambda: gridsat.split([("a",)], 2), "a task is"),
        (lambda: gridsat.split(TASKS, runners={"a,b": 1}), "has a comma"),
        (lambda: gridsat.split(TASKS, runners="a=0"), "runners: 'a=0'"),
        (lambda: gridsat.split("nowhere.xml", 2), "nowhere.xml"),
        (lambda: gridsat.split("nowhere.xml", 2, format="x"), "x"),
        (lambda: gridsat.split(pandas.DataFrame({"task": ["a"]}), 2), "no column 'time'"),
    ],
)
def test_what_is_wrong_is_one_line(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_errors_in_logs_say_where(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("task,time\na,1\nb,x\n")
    with pytest.raises(InputError) as caught:
        gridsat.split(path, 2)
    assert (caught.value.file, caught.value.line) == (str(path), 3)
