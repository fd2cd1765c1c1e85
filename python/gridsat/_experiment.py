"""Experiments: sweeps of parameters with replications and statistics."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from . import _native
from ._frames import of_csv

if TYPE_CHECKING:
    import pandas


class Results:
    """The results of an experiment as frames."""

    def __init__(self, tables: _native.Tables) -> None:
        self.title, self._runs, self._means, self._comparisons, self.failures = tables

    @property
    def runs(self) -> pandas.DataFrame:
        """One row per run, with all its measures."""
        return of_csv(self._runs)

    @property
    def means(self) -> pandas.DataFrame:
        """The mean of each measure at each point, with its confidence interval."""
        return of_csv(self._means)

    @property
    def comparisons(self) -> pandas.DataFrame:
        """Which algorithm is better, with tests."""
        return of_csv(self._comparisons)

    def _repr_html_(self) -> str:
        table: str = self.means.to_html()
        return table

    def __repr__(self) -> str:
        return f"<Results of '{self.title}'>"


def experiment(
    what: str | os.PathLike[str] | Mapping[str, Any],
    *,
    result: str | os.PathLike[str] | None = None,
    fresh: bool = False,
    quick: bool = False,
    seed: int | None = None,
    replications: int | None = None,
    algorithms: list[str] | None = None,
    threads: int = 1,
    on_progress: Callable[[int, int], object] | None = None,
) -> Results:
    """Runs an experiment: the name of a built-in one, the path of a file, or its keys as a dict.

    With `result` the runs are kept in that file, and those that are there already are not run again; `gridsat report`
    makes figures of it. `on_progress` gets the number of parts that are done, and of all.

    >>> import gridsat
    >>> done = gridsat.experiment("gsim-table", quick=True)
    >>> sorted(done.means.columns)[:2]
    ['algorithm', 'deviation']
    """
    described: _native.Described = {
        "path": "" if isinstance(what, Mapping) else what,
        "text": json.dumps(what) if isinstance(what, Mapping) else None,
        "is_json": isinstance(what, Mapping),
        "quick": quick,
        "seed": seed,
        "replications": replications,
        "algorithms": algorithms or [],
    }
    if result is not None:
        return Results(_native.experiment(described, result, fresh, threads, on_progress))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.jsonl")
        return Results(_native.experiment(described, path, True, threads, on_progress))


def results(path: str | os.PathLike[str]) -> Results:
    """Reads the results of an experiment from their file."""
    return Results(_native.results(path))


def experiments() -> dict[str, str]:
    """The names of the built-in experiments, with their titles."""
    return dict(_native.experiments())
