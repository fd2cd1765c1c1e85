"""What is accepted as a matrix, and how it is refused."""

from __future__ import annotations

import json
import math
import random
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import gridsat
import numpy
import pandas
import pytest
from gridsat import InputError, Instance


@pytest.mark.parametrize(
    "dtype", ["f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", ">f8", ">i4", "f2", object]
)
def test_every_type_of_number_means_the_same(dtype: object) -> None:
    rows = [[14, 5, 9], [3, 8, 2]]
    made = Instance(numpy.array(rows, dtype=dtype))  # type: ignore[call-overload]
    assert made == Instance(rows)
    assert made.etc == rows


def test_arrays_need_not_be_contiguous() -> None:
    matrix = numpy.arange(1.0, 25.0).reshape(4, 6)
    assert Instance(matrix.T).etc == matrix.T.tolist()
    assert Instance(matrix[::2, 1::2]).etc == matrix[::2, 1::2].tolist()


def test_floats_are_the_decimals_that_python_prints() -> None:
    assert Instance([[0.1, 0.2]]).etc == [[0.1, 0.2]]
    assert Instance(numpy.array([[0.1, 0.25]], dtype="f4")).etc == [[0.1, 0.25]]
    assert Instance([[Decimal("0.1"), numpy.float64(0.3)]]).etc == [[0.1, 0.3]]
    rng = random.Random(1)
    rows = [[rng.uniform(0, 1e4) for _ in range(3)] for _ in range(20)]
    array, text = Instance(numpy.array(rows)), Instance(rows)
    assert array == text and array.notes == text.notes
    # Times are rounded up, by less than a tick, if they have too many digits.
    assert all(0 <= (b or 0) - a < 1e-9 for r, s in zip(rows, array.etc) for a, b in zip(r, s))


def test_lists_arrays_and_files_make_the_same_instance(tmp_path: Path) -> None:
    rng = random.Random(2)
    for _ in range(20):
        cells = [rng.choice([rng.randrange(100), rng.randrange(1000) / 8, math.inf]) for _ in range(20)]
        rows = [cells[first : first + 4] for first in range(0, 20, 4)]
        for row in rows:
            row[rng.randrange(4)] = 7
        path = tmp_path / "rows.json"
        lists = [[None if cell == math.inf else cell for cell in row] for row in rows]
        path.write_text(json.dumps({"etc": lists}))
        assert Instance(rows) == Instance(numpy.array(rows, dtype=float)) == Instance(lists) == Instance(path)


def test_missing_values_mean_cannot_run() -> None:
    expected = [[1.0, None], [None, 2.0]]
    frame = pandas.DataFrame({"a": [1.0, None], "b": [math.inf, 2.0]}, index=["x", "y"])
    every: list[Any] = [frame, frame.to_numpy(), [[1, None], [math.nan, 2]], {"x": {"a": 1}, "y": {"b": 2}}]
    for etc in every:
        assert [[cell and float(cell) for cell in row] for row in Instance(etc).etc] == expected
    made = Instance(frame)
    assert (made.tasks, made.hosts) == (["x", "y"], ["a", "b"])
    assert Instance(pandas.DataFrame([[1, 2]])).hosts == ["h0", "h1"]
    nullable = pandas.DataFrame({"a": pandas.array([1, None], dtype="Int64"), "b": [3, 4]})
    assert Instance(nullable).etc == [[1, 3], [None, 4]]
    back = made.to_frame()
    assert back.loc["x", "b"] == math.inf and Instance(back) == made


def test_names_and_ready_times() -> None:
    made = Instance([[1, 2]], tasks=["t"], hosts=["a", "b"], ready={"b": 5}, name="n")
    assert (made.tasks, made.hosts, made.ready, made.name) == (["t"], ["a", "b"], [0, 5], "n")
    assert Instance(made, ready=[1, 1]).ready == [1, 1] and Instance(made, ready=[1, 1]).hosts == ["a", "b"]
    assert Instance(made, hosts=["c", "d"]).hosts == ["c", "d"] and Instance(made, hosts=["c", "d"]).tasks == ["t"]
    assert Instance([[1, 2]], ready=pandas.Series({"a": 3}), hosts=["a", "b"]).ready == [3, 0]


@pytest.mark.parametrize(
    ("etc", "place", "words"),
    [
        ([[1, 2], [3]], (2, 1), "task 1 has 1 times"),
        ([[1, -2]], (1, 2), "'-2' is negative"),
        (numpy.array([[1.0, 2.0], [3.0, -0.5]]), (2, 2), "'-0.5' is negative"),
        (numpy.array([[1, -2]]), (1, 2), "'-2' is negative"),
        ([[1, 2], [None, math.nan]], (2, 1), "can run on no host"),
        ([], (1, 1), "no tasks"),
        ([[]], (1, 1), "no hosts"),
        (numpy.zeros((0, 3)), (1, 1), "no tasks"),
        (numpy.zeros((2, 0)), (1, 1), "no hosts"),
        ([[10**30]], (1, 1), "too large"),
        ([[1e300]], (1, 1), "too large"),
    ],
)
def test_wrong_values_are_named_with_their_place(etc: object, place: tuple[int, int], words: str) -> None:
    with pytest.raises(InputError, match=words) as raised:
        Instance(etc)  # type: ignore[arg-type]
    assert raised.value.file == "etc"
    assert (raised.value.line, raised.value.column) == place
    assert "\n" not in str(raised.value)


def test_wrong_files_are_named_with_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text('{"etc": [[1, 2],\n [3, -4]]}')
    with pytest.raises(InputError, match="'-4' is negative") as raised:
        Instance(path)
    assert (raised.value.file, raised.value.line, raised.value.column) == (str(path), 2, 6)
    with pytest.raises(InputError, match="cannot read"):
        Instance(tmp_path / "missing.json")


def test_what_is_no_matrix_is_refused() -> None:
    with pytest.raises(TypeError, match="a number or None"):
        Instance([["fast"]])
    with pytest.raises(InputError, match="3 dimensions"):
        Instance(numpy.zeros((2, 2, 2)))
    with pytest.raises(InputError, match="which does not exist"):
        Instance([[1]], hosts=["a"], ready={"b": 1})
    with pytest.raises(InputError, match="1 ready times for 2 hosts"):
        Instance([[1, 2]], ready=[1])
    with pytest.raises(InputError, match="used twice"):
        Instance([[1, 2]], hosts=["a", "a"])
    with pytest.raises(TypeError):
        Instance(3)  # type: ignore[arg-type]


def test_exact_and_decimals() -> None:
    fine = [[1 / 3, 400000.5]]
    assert gridsat.Instance(fine).notes == ["times rounded up to 1e-12"] or "rounded" in Instance(fine).notes[0]
    with pytest.raises(InputError):
        Instance([[1e-17, 1e6]], exact=True)
    assert Instance([[0.125, 1.0]], decimals=1).etc == [[0.2, 1.0]]


def test_instances_are_saved_and_read_again(tmp_path: Path) -> None:
    made = gridsat.generate(6, 3, kind="u_c_lohi", decimals=1, forbidden=20)
    for name in ("a.json", "a.csv"):
        made.save(tmp_path / name)
        assert Instance(tmp_path / name).etc == made.etc


def test_a_million_times_take_no_detour_through_text() -> None:
    rng = numpy.random.default_rng(1)
    matrix = rng.integers(1, 1000, (10_000, 100)).astype(float)
    best = min(_seconds(matrix) for _ in range(3))
    # Measured: 20 ms; printed and read again as text 230 ms.
    assert best < 0.1


def _seconds(matrix: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.float64]]) -> float:
    start = time.process_time()
    made = Instance(matrix)
    seconds = time.process_time() - start
    assert made.shape == (10_000, 100)
    return seconds


def test_levels_of_service_forbid_pairs(tmp_path: Path) -> None:
    times = [[4, 5], [2, 6]]
    plain = Instance(times, tasks=["x", "y"], hosts=["a", "b"])
    assert plain.qos is None
    pair = Instance(plain, qos=([1, 0], [0, 1]))
    assert pair.qos == ([1, 0], [0, 1]) and pair.etc == [[None, 5], [2, 6]]
    assert pair.tasks == ["x", "y"]
    named = Instance(plain, qos={"tasks": {"x": 1}, "hosts": {"b": 1}})
    assert named == pair and named.qos == pair.qos
    path = tmp_path / "levels.json"
    pair.save(path)
    assert Instance(path).qos == pair.qos
    assert Instance(path, hosts=["c", "d"]).qos == pair.qos
    assert Instance(path, qos=([0, 0], [0, 0])).qos == ([0, 0], [0, 0])
    assert gridsat.solve(times, qos=([1, 0], [0, 1])).mapping == [1, 0]
    drawn = gridsat.generate(20, 4, kind="U1-100", qos=(50, 25)).qos
    assert drawn is not None and sum(drawn[1]) == 1
    for qos, message in [
        (([2, 0], [0, 1]), "no host that can run task 0 offers its QoS level 2"),
        (([1], [0, 1]), "1 QoS levels for 2 tasks"),
        (([-1, 0], [0, 1]), "not a QoS level of a task"),
        ({"tasks": {"z": 1}, "hosts": {}}, "QoS level of task 'z'"),
        ({"tasks": [0, 0]}, "qos needs the keys"),
    ]:
        with pytest.raises(InputError, match=message):
            Instance(plain, qos=qos)  # type: ignore[arg-type]
