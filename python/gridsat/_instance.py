"""Instances: the times of tasks on hosts, from whatever holds them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _native
from .errors import InputError

if TYPE_CHECKING:
    import numpy
    import pandas

Number = Union[int, float]
"""A time: int if all times of the instance are whole, else float."""

Etc = Union[
    "Instance",
    str,
    "os.PathLike[str]",
    "numpy.ndarray[Any, Any]",
    "pandas.DataFrame",
    Mapping[str, Mapping[str, Any]],
    Iterable[Iterable[Any]],
]
"""Whatever `Instance` can be made of."""

Qos = Union[tuple[Any, Any], Mapping[str, Any], None]
"""Levels of service of tasks and of hosts: a pair, or a dict with the keys `tasks` and `hosts`; each a list, or a dict
by names in which what is missing has level 0."""

_CODES = {("f", 8): "d", ("f", 4): "f"}
_CODES.update({("i", size): code for size, code in [(1, "b"), (2, "h"), (4, "i"), (8, "q")]})
_CODES.update({("u", size): code for size, code in [(1, "B"), (2, "H"), (4, "I"), (8, "Q")]})
_KINDS = {**dict.fromkeys("df", "f"), **dict.fromkeys("bhilqn", "i"), **dict.fromkeys("BHILQN", "u")}
_FORMATS = {".json": "json", ".csv": "csv", ".hcsp": "hcsp", ".etc": "hcsp", ".rcmax": "rcmax"}


class Instance:
    """The time of each task (row) on each host (column), checked and exact.

    `etc` is a list of lists, a numpy array, a pandas frame (its index and columns are the names), a dict of dicts
    `{task: {host: time}}`, or the path of a file. None, NaN and infinity mean that the task cannot run on the host.
    `qos` are the levels of service that tasks request and hosts offer: a host runs tasks that request its level or less.
    A float means the decimal that Python prints for it; `decimals` rounds all times up to so many decimals, and with
    `exact` times with too many digits are an error instead of being rounded.

    >>> instance = Instance([[14, 5.5, None], [3, 8, 2]], hosts=["a", "b", "c"])
    >>> instance
    Instance(2 tasks on 3 hosts)
    >>> instance.tasks, instance.hosts, instance.ready
    (['t0', 't1'], ['a', 'b', 'c'], [0.0, 0.0, 0.0])
    >>> instance.etc
    [[14.0, 5.5, None], [3.0, 8.0, 2.0]]
    """

    __slots__ = ("_inner",)
    _inner: _native.Instance

    def __init__(
        self,
        etc: Etc,
        *,
        tasks: Iterable[object] | None = None,
        hosts: Iterable[object] | None = None,
        ready: Mapping[str, float] | Iterable[float] | None = None,
        qos: Qos = None,
        name: str | None = None,
        format: str | None = None,
        decimals: int | None = None,
        exact: bool = False,
    ) -> None:
        etc, tasks, hosts = _unframed(etc, tasks, hosts)
        labels: _native.Labels = {
            "name": name or "",
            "tasks": None if tasks is None else [str(task) for task in tasks],
            "hosts": None if hosts is None else [str(host) for host in hosts],
            "ready": None,
            "decimals": decimals,
            "exact": exact,
            "qos": None,
        }
        if qos is not None and isinstance(etc, (str, os.PathLike)):
            etc = Instance(etc, format=format, decimals=decimals, exact=exact)
        if isinstance(etc, Instance):
            if ready is None and qos is None and _is_unlabelled(labels):
                self._inner = etc._inner
                return
            ready = etc.ready if ready is None else ready
            qos = etc.qos if qos is None else qos
            etc = _relabelled(etc, labels)
        labels["ready"] = _ready_times(ready, labels)
        labels["qos"] = _levels(qos, labels)
        self._inner = _made(etc, format, labels)

    @classmethod
    def _of(cls, native: _native.Instance) -> Instance:
        made = object.__new__(cls)
        made._inner = native
        return made

    @property
    def name(self) -> str:
        """The name for reports; may be empty."""
        return self._inner.name

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of tasks and hosts."""
        return self._inner.shape

    @property
    def tasks(self) -> list[str]:
        """The names of the tasks; `t0, t1, …` if none were given."""
        return self._inner.tasks

    @property
    def hosts(self) -> list[str]:
        """The names of the hosts; `h0, h1, …` if none were given."""
        return self._inner.hosts

    @property
    def ready(self) -> list[Number]:
        """The time at which each host becomes free."""
        return self._inner.ready

    @property
    def qos(self) -> tuple[list[int], list[int]] | None:
        """The levels of service of tasks and of hosts, if there are any."""
        return self._inner.qos

    @property
    def etc(self) -> list[list[Number | None]]:
        """The times, one list per task; None where the task cannot run."""
        return self._inner.rows()

    @property
    def notes(self) -> list[str]:
        """Remarks on how the instance was read, such as times that were rounded."""
        return self._inner.notes

    @property
    def digest(self) -> str:
        """The hash of the instance that certificates contain."""
        return self._inner.digest

    def to_numpy(self) -> numpy.ndarray[Any, Any]:
        """The times as floats; infinity where the task cannot run."""
        import numpy

        return numpy.frombuffer(self._inner.block()).reshape(self.shape)

    def to_frame(self) -> pandas.DataFrame:
        """The times as a pandas frame; infinity where the task cannot run."""
        import pandas

        return pandas.DataFrame(self.to_numpy(), index=self.tasks, columns=self.hosts)

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes a file in the format json, csv, hcsp or rcmax; by default as the name of the file says."""
        ending = os.path.splitext(os.fspath(path))[1].lower()
        text = self._inner.text(format or _FORMATS.get(ending, "json"))
        with open(path, "wb") as file:
            file.write(text)

    def hosts_of(self, mapping: object) -> list[int]:
        """The number of the host of each task in a mapping.

        A mapping is a `Mapping`, a dict `{task: host}`, a list of hosts in the order of the tasks, or the path of a file
        in any form that `gridsat solve --start` reads. Hosts are names or numbers from 0.

        >>> instance = Instance([[4, 7], [3, 5]], tasks=["x", "y"], hosts=["a", "b"])
        >>> instance.hosts_of({"y": "a", "x": "b"})
        [1, 0]
        """
        own = getattr(mapping, "mapping", None)
        if isinstance(own, list):
            return list(own)
        if isinstance(mapping, (str, os.PathLike)):
            return _native.read_mapping(self._inner, mapping)
        numbers = {name: number for number, name in enumerate(self.hosts)}
        if isinstance(mapping, Mapping):
            missing = [task for task in self.tasks if task not in mapping]
            if missing:
                raise InputError(f"the mapping has no host for task '{missing[0]}'")
            mapping = [mapping[task] for task in self.tasks]
        if hasattr(mapping, "tolist"):
            mapping = mapping.tolist()
        if not isinstance(mapping, Sequence) or isinstance(mapping, bytes):
            raise TypeError(f"a mapping is a list of hosts or a dict of tasks and hosts, not {type(mapping).__name__}")
        return [_number(host, numbers) for host in mapping]

    def __repr__(self) -> str:
        tasks, hosts = self.shape
        name = f"'{self.name}', " if self.name else ""
        return f"Instance({name}{tasks} tasks on {hosts} hosts)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instance) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


def _number(host: object, numbers: Mapping[str, int]) -> int:
    if isinstance(host, str):
        if host not in numbers:
            raise InputError(f"there is no host '{host}'")
        return numbers[host]
    number = int(host)  # type: ignore[call-overload]
    if not 0 <= number < len(numbers):
        raise InputError(f"there is no host {number}: hosts are numbered from 0 to {len(numbers) - 1}")
    return int(number)


def _is_unlabelled(labels: _native.Labels) -> bool:
    given = [labels["name"], labels["tasks"], labels["hosts"], labels["decimals"], labels["exact"]]
    return not any(value for value in given)


def _relabelled(instance: Instance, labels: _native.Labels) -> Any:
    """The times of an instance, and its names where the labels have none."""
    labels["name"] = labels["name"] or instance.name
    labels["tasks"] = labels["tasks"] or instance.tasks
    labels["hosts"] = labels["hosts"] or instance.hosts
    return instance.etc


def _unframed(etc: Any, tasks: Any, hosts: Any) -> tuple[Any, Any, Any]:
    """A frame or a dict of dicts as a matrix with names."""
    if hasattr(etc, "columns") and hasattr(etc, "index") and hasattr(etc, "to_numpy"):
        tasks = tasks if tasks is not None else _labels(etc.index)
        hosts = hosts if hosts is not None else _labels(etc.columns)
        return etc.to_numpy(dtype=float, na_value=float("nan")), tasks, hosts
    if isinstance(etc, Mapping):
        rows = list(etc.values())
        known = hosts if hosts is not None else dict.fromkeys(host for row in rows for host in row)
        known = list(known)
        tasks = tasks if tasks is not None else list(etc)
        return [[row.get(host) for host in known] for row in rows], tasks, known
    return etc, tasks, hosts


def _labels(index: Any) -> list[object] | None:
    """The labels of a frame, unless they are only numbers from 0."""
    labels = list(index)
    return None if labels == list(range(len(labels))) else labels


def _levels(qos: Any, labels: _native.Labels) -> tuple[list[int], list[int]] | None:
    if qos is None:
        return None
    if isinstance(qos, Mapping):
        unknown = [key for key in qos if key not in ("tasks", "hosts")]
        if unknown or len(qos) != 2:
            raise InputError("qos needs the keys 'tasks' and 'hosts', and no other")
        qos = (qos["tasks"], qos["hosts"])
    tasks, hosts = qos
    return _levels_of(tasks, labels["tasks"], "task"), _levels_of(hosts, labels["hosts"], "host")


def _levels_of(levels: Any, names: list[str] | None, what: str) -> list[int]:
    if hasattr(levels, "to_dict"):
        levels = levels.to_dict()
    if not isinstance(levels, Mapping):
        return [_level(level, what) for level in levels]
    if names is None:
        raise InputError(f"QoS levels by name need the names of the {what}s: {what}s=[…]")
    unknown = [name for name in levels if name not in names]
    if unknown:
        raise InputError(f"QoS level of {what} '{unknown[0]}', which does not exist")
    return [_level(levels.get(name, 0), what) for name in names]


def _level(level: Any, what: str) -> int:
    if int(level) != level or not 0 <= level < 1 << 32:
        raise InputError(f"'{level}' is not a QoS level of a {what}: levels are whole numbers from 0")
    return int(level)


def _ready_times(ready: Any, labels: _native.Labels) -> list[float] | None:
    if ready is None:
        return None
    if hasattr(ready, "to_dict"):
        ready = ready.to_dict()
    if not isinstance(ready, Mapping):
        return [float(time) for time in ready]
    hosts = labels["hosts"]
    if hosts is None:
        raise InputError("ready times by name need the names of the hosts: hosts=[…]")
    unknown = [host for host in ready if host not in hosts]
    if unknown:
        raise InputError(f"ready time of host '{unknown[0]}', which does not exist")
    return [float(ready.get(host, 0)) for host in hosts]


def _made(etc: Any, format: str | None, labels: _native.Labels) -> _native.Instance:
    if isinstance(etc, (str, os.PathLike)):
        read = _native.Instance.read(etc, format, labels)
        if labels["tasks"] or labels["hosts"] or labels["name"]:
            ready = labels["ready"] or [float(time) for time in read.ready]
            rows = _relabelled(Instance._of(read), labels)
            return _native.Instance.from_rows(rows, {**labels, "ready": ready, "qos": read.qos})
        return read
    try:
        block = memoryview(etc)
    except (TypeError, ValueError):
        rows = etc.tolist() if hasattr(etc, "tolist") else etc
        return _native.Instance.from_rows(rows, labels)
    return _of_block(etc, block, labels)


def _of_block(etc: Any, block: memoryview, labels: _native.Labels) -> _native.Instance:
    """A block of numbers goes to the compiled part as it is in memory."""
    shape = block.shape
    if shape is None or len(shape) != 2:
        raise InputError(f"the matrix has {block.ndim} dimensions, not 2: one row per task, one column per host")
    code = _CODES.get((_KINDS.get(block.format, ""), block.itemsize))
    if code is None:
        import numpy

        return _of_block(None, numpy.asarray(etc, dtype=float).data, labels)
    if 0 in shape:
        return _native.Instance.from_rows([[] for _ in range(shape[0])], labels)
    return _native.Instance.from_block(block.tobytes(), code, shape[1], labels)


def generate(
    tasks: int = 512,
    hosts: int = 16,
    *,
    kind: str = "u_i_hihi",
    seed: int = 1,
    decimals: int = 0,
    forbidden: int = 0,
    ready: int = 0,
    qos: tuple[int, int] | None = None,
) -> Instance:
    """A random instance, the same for the same arguments, as `gridsat generate etc`.

    `kind` is a class of Braun et al. such as `u_c_lohi` (consistency, task and host heterogeneity), `U1-100` (whole
    numbers), `jobcorr`, `maccorr`, or with equal hosts `equal-U1-100` (uniform), `equal-NU1-10000` (non-uniform),
    `equal-N100-20` (normal) or `equal-planted1000` (with a known optimum). `forbidden` is the percentage of pairs that cannot run, and ready times are drawn
    from 0 to `ready`. `qos=(20, 50)` draws two levels of service: 20 % of the tasks request the higher one, and 50 % of
    the hosts offer it.

    >>> generate(4, 2, kind="U1-9", seed=3).etc == generate(4, 2, kind="U1-9", seed=3).etc
    True
    """
    native = _native.Instance.generate(tasks, hosts, kind, seed, decimals, forbidden, ready, qos)
    return Instance._of(native)
