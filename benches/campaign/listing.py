"""The instances of a campaign, and their names.

A list is a text file with one path per line, relative to the list, optionally followed by a tab and
the known optimum: `117`, or `113..117` for bounds. `#` starts a comment. A folder or a glob pattern
stands for the files in it whose names indicate a format.

An instance is named `folder/file`, which is short and must be unique (this is checked, because a
resumed run and the table of known values identify instances by name). Its class is that of Braun et
al. if the name contains one, the folder in the R||Cmax set, else the name up to the size.
"""

import glob
import re
from pathlib import Path
from typing import NamedTuple

BRAUN = re.compile(r"u_[csi]_(?:hi|lo){2}")
FORMATS = re.compile(r"\.(json|csv|txt|rcmax|hcsp|etc|0|u_[csi]_(?:hi|lo){2})$", re.IGNORECASE)
NO_INSTANCES = {"best_known.csv", "optima.json"}


class Instance(NamedTuple):
    path: Path
    known: str

    @property
    def name(self):
        return f"{self.path.parent.name}/{self.path.name}"

    @property
    def kind(self):
        """The class of the instance."""
        if braun := BRAUN.search(self.path.name):
            return braun.group()
        stem = self.path.stem
        return self.path.parent.name if stem.isdigit() else re.split(r"_\d+x\d+", stem)[0]


def read_list(source):
    """The instances of a list file, a folder or a glob pattern."""
    path = Path(source)
    if path.is_dir():
        found = from_names(path.iterdir())
    elif path.is_file():
        found = from_lines(path)
    else:
        found = from_names(Path(name) for name in glob.glob(source))
    if not found:
        raise ValueError(f"{source}: no instances")
    check_names(found)
    return found


def from_names(paths):
    files = (path.resolve() for path in paths if path.is_file())
    wanted = (p for p in files if FORMATS.search(p.name) and p.name not in NO_INSTANCES)
    return [Instance(path, "") for path in sorted(wanted)]


def from_lines(path):
    lines = (line.split("#")[0].rstrip() for line in path.read_text().splitlines())
    entries = (line.partition("\t") for line in lines if line.strip())
    folder = path.resolve().parent
    return [Instance((folder / file.strip()).resolve(), known.strip()) for file, _, known in entries]


def check_names(instances):
    seen = {}
    for instance in instances:
        other = seen.setdefault(instance.name, instance.path)
        if other is not instance.path:
            raise ValueError(f"two instances are called {instance.name}: {other}, {instance.path}")
