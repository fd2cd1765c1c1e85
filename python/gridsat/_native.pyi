"""The compiled part. Not an interface: use `gridsat`."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, TypedDict, final

Number = int | float

__version__: str

class Labels(TypedDict):
    name: str
    tasks: list[str] | None
    hosts: list[str] | None
    ready: list[float] | None
    decimals: int | None
    exact: bool
    qos: tuple[list[int], list[int]] | None

class Source(TypedDict):
    path: str | PathLike[str]
    text: str | None
    is_json: bool
    is_trace: bool
    nodes: int | None
    lenient: bool

class Keep(TypedDict):
    jobs: bool
    events: bool
    picture: bool

class Own(TypedDict):
    name: str
    when: str
    decide: Callable[[Any], object]

class Tasks(TypedDict):
    logs: list[str | PathLike[str]]
    format: str | None
    rows: list[tuple[str, str | None, str | None]]
    only: list[str] | None

class Wanted(TypedDict):
    shards: int | None
    target: str | None
    runners: str | None
    overhead: str
    together: bool
    setup: str | None
    default: str | None
    decimals: int

class Described(TypedDict):
    path: str | PathLike[str]
    text: str | None
    is_json: bool
    quick: bool
    seed: int | None
    replications: int | None
    algorithms: list[str]

Columns = list[tuple[str, float | None]]
Tables = tuple[str, bytes, bytes, bytes, list[tuple[str, str]]]

@final
class Instance:
    name: str
    shape: tuple[int, int]
    tasks: list[str]
    hosts: list[str]
    ready: list[Number]
    qos: tuple[list[int], list[int]] | None
    decimals: int
    notes: list[str]
    digest: str
    @staticmethod
    def read(path: str | PathLike[str], format: str | None, labels: Labels) -> Instance: ...
    @staticmethod
    def from_rows(rows: Iterable[Iterable[object]], labels: Labels) -> Instance: ...
    @staticmethod
    def from_block(block: bytes, code: str, width: int, labels: Labels) -> Instance: ...
    @staticmethod
    def generate(
        tasks: int,
        hosts: int,
        class_: str,
        seed: int,
        decimals: int,
        forbidden: int,
        ready: int,
        qos: tuple[int, int] | None,
        /,
    ) -> Instance: ...
    def rows(self) -> list[list[Number | None]]: ...
    def block(self) -> bytes: ...
    def text(self, format: str) -> bytes: ...
    def loads(self, hosts: Sequence[int]) -> tuple[list[Number], Number]: ...
    def schedule(self, hosts: Sequence[int]) -> tuple[list[Number], list[Number]]: ...
    def gantt(self, hosts: Sequence[int], subtitle: str | None) -> str: ...

@final
class Solution:
    mapping: list[int]
    loads: list[Number]
    makespan: Number
    lower_bound: Number
    gap: float
    is_optimal: bool
    seconds: float
    found_by: str
    bound_by: str
    decisions: list[tuple[Number, bool | None, float, str]]
    better: Number | None
    second: tuple[str, Number, Number, Number] | None
    def certificate(self) -> str: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def gantt(self) -> str: ...

@final
class Split:
    makespan: float
    lower_bound: float
    gap: float
    is_optimal: bool
    shards: list[tuple[str, list[str], float]]
    at_least: int | None
    defaulted: tuple[list[str], float]
    def instance(self) -> Instance | None: ...
    def certificate(self) -> str: ...
    def save(self, path: str | PathLike[str]) -> None: ...

def split(tasks: Tasks, wanted: Wanted) -> Split: ...
@final
class Job:
    """A waiting job of a `View`."""

    index: int
    number: int
    name: str | None
    user: int
    arrival: float
    qos: int

@final
class Host:
    """A host of a `View`: a resource, or another scheduler."""

    index: int
    name: str
    delay: float
    pes: int
    mips: float
    price: float
    qos: int
    is_up: bool
    load: int
    jobs: int
    queued: int

@final
class View:
    """What a policy of a grid sees; times in seconds."""

    time: float
    until: float | None
    jobs: list[Job]
    hosts: list[Host]
    etc: list[list[float]]

@final
class Waiting:
    """A waiting job of a `Queue`."""

    index: int
    number: int
    submit: float
    nodes: int
    estimate: float
    priority: int
    user: int
    fits: bool

@final
class Queue:
    """What a policy of clusters sees; times in seconds."""

    time: float
    free_nodes: int
    waiting: list[Waiting]
    releases: list[tuple[float, int]]

@final
class Simulated:
    kind: str
    name: str
    policy: str
    seed: int
    end: str
    makespan: float
    summary: str
    jobs: bytes | None
    events: bytes | None
    picture: str | None

def solve(
    instance: Instance,
    time_limit: float | None,
    gap: float,
    threads: int,
    seed: int,
    start: list[int] | None,
    then: str | None,
    strategy: str,
    on_progress: Callable[[float, Number | None, Number | None], object] | None,
) -> tuple[Solution, BaseException | None]: ...
def read_mapping(instance: Instance, path: str | PathLike[str]) -> list[int]: ...
def decide(instance: Instance, k: float, time_limit: float | None) -> tuple[bool | None, list[int] | None]: ...
def verify(instance: Instance, path: str | PathLike[str]) -> tuple[Number | None, Number | None, str | None]: ...
def rounded_decimals(path: str | PathLike[str]) -> int | None: ...
def map(
    instance: Instance,
    list: str,
    seed: int,
    time_limit: float | None,
    evaluations: int | None,
) -> list[tuple[str, str, list[int] | None, float]]: ...
def algorithms() -> list[tuple[str, str]]: ...
def compare_instance(
    instance: Instance,
    list: str,
    given: list[tuple[str, list[int], float]],
    gap: float,
    time_limit: float | None,
    seed: int,
    replications: int,
) -> tuple[float, list[tuple[str, Columns]]]: ...
def compare_scenario(
    source: Source,
    policies: list[str],
    own: list[Own],
    seed: int | None,
    replications: int,
) -> tuple[float | None, list[tuple[str, Columns]]]: ...
def simulate(
    source: Source,
    policy: str | None,
    own: list[Own],
    seed: int | None,
    keep: Keep,
) -> tuple[Simulated, BaseException | None]: ...
def template(name: str) -> str | None: ...
def templates() -> list[tuple[str, str]]: ...
def experiment(
    described: Described,
    result: str | PathLike[str],
    fresh: bool,
    threads: int,
    on_progress: Callable[[int, int], object] | None,
) -> Tables: ...
def results(path: str | PathLike[str]) -> Tables: ...
def experiments() -> list[tuple[str, str]]: ...
