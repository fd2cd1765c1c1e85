"""Tables as pandas frames. pandas is imported only here, and only when a frame is asked for."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

if TYPE_CHECKING:
    import pandas

_MISSING = "this needs pandas: pip install 'gridsat[frames]'"


def frame(columns: Mapping[str, Sequence[Any]], index: str | None = None) -> pandas.DataFrame:
    """A frame of these columns, one of which may be its index."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError(_MISSING) from error
    made = pandas.DataFrame(dict(columns))
    return made if index is None else made.set_index(index)


def of_csv(table: bytes) -> pandas.DataFrame:
    """A frame of a table in CSV."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError(_MISSING) from error
    return pandas.read_csv(io.BytesIO(table))


def of_events(text: bytes) -> pandas.DataFrame:
    """A frame of lines such as `2.5 started job=1 resource=a`: time, event, and a column for every key."""
    rows: list[dict[str, Any]] = []
    for line in text.decode().splitlines():
        time, event, *words = line.split(" ")
        row: dict[str, Any] = {"time": float(time), "event": event}
        for word in words:
            key, _, value = word.partition("=")
            row[key] = int(value) if value.isdecimal() else unquote(value)
        rows.append(row)
    columns = dict.fromkeys(key for row in rows for key in row)
    return frame({column: [row.get(column) for row in rows] for column in columns or ("time", "event")})
