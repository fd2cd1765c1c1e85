"""Known optima: from `best_known.csv` of a data set, or from the list itself.

`proven` and `proven-once` give one value, `open` gives a lower and an upper bound. A `conflict` (two
programs claim different optima) gives a lower bound only, because it is unknown which claim is wrong.
"""

from __future__ import annotations  # `X | None` before Python 3.10

import csv
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple


class Known(NamedTuple):
    status: str
    lower: Decimal | None
    upper: Decimal | None
    claims: str  # the values in words

    def objections(self, row):
        """The contradictions between an answer and the known values."""
        makespan, bound = decimal(row["makespan"]), decimal(row["lower_bound"])
        if makespan is not None and self.lower is not None and makespan < self.lower:
            yield f"makespan {makespan} is below the {self.status} bound {self.lower}"
        if bound is not None and self.upper is not None and bound > self.upper:
            yield f"lower bound {bound} is above the {self.status} makespan {self.upper}"


def decimal(text):
    return Decimal(text) if text else None


def parse(text):
    """Parses `117` or `113..117`, as in lists."""
    lower, _, upper = text.partition("..")
    return Known("listed", Decimal(lower), Decimal(upper or lower), text)


def load(paths):
    """Known values by name of the instance, without the extension .txt."""
    known = {}
    for path in map(Path, paths):
        folder = path.resolve().parent.name
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                name, value = rcmax(row) if "id" in row else hcsp(row, folder)
                known[name] = value
    return known


def of(known, row):
    """All known values for the instance of a row."""
    found = [known[name] for name in [row["instance"].removesuffix(".txt")] if name in known]
    return found + ([parse(row["known"])] if row["known"] else [])


def rcmax(row):
    name = f"{row['class']}/{row['id']}"
    status, value, lower = row["status"], Decimal(row["best_value"]), Decimal(row["lower_bound"])
    if status == "conflict":
        claims = " or ".join(sorted({row["lr_value"], row["gurobi_value"]}))
        return name, Known(status, Decimal(row["lp_dual_bound"]), None, claims)
    claims = f"{value}" if lower == value else f"{lower}..{value}"
    return name, Known(status, lower, value, claims)


def hcsp(row, folder):
    value, lower = Decimal(row["best_known"]), Decimal(row["lower_bound_recomputed"])
    return f"{folder}/{row['instance']}", Known("open", lower, value, f"{lower}..{value}")
