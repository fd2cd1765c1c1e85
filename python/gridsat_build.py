"""Builds the wheel. maturin compiles the module; the command `gridsat` is compiled first and goes into the same wheel.

The command is a program of its own, not a script that calls the module: campaigns and plans start it again, and record
which executable did the work.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import maturin
from maturin import (  # noqa: F401
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

# Named in pyproject.toml: what is in scripts/ there is installed beside the interpreter.
SCRIPTS = Path("python/gridsat.data/scripts")
# maturin wants the folder even for what does not contain it.
SCRIPTS.mkdir(parents=True, exist_ok=True)


def command() -> None:
    """Compiles the command and puts it where maturin looks for it."""
    cargo = os.environ.get("CARGO", "cargo")
    # With the package of the module, so that both are built from the same crates with the same features.
    words = [cargo, "build", "--release", "--package", "gridsat-python", "--package", "gridsat", "--bin", "gridsat"]
    words += ["--message-format", "json-render-diagnostics"]
    built = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    reported = [json.loads(line) for line in built.stdout.splitlines() if line.startswith("{")]
    programs = [one["executable"] for one in reported if one.get("executable")]
    for program in programs:
        shutil.copy2(program, SCRIPTS)


def build_wheel(*arguments: Any, **options: Any) -> str:
    """The wheel with the command."""
    command()
    wheel: str = maturin.build_wheel(*arguments, **options)
    return wheel


def build_editable(*arguments: Any, **options: Any) -> str:
    """The same for `pip install --editable .`."""
    command()
    wheel: str = maturin.build_editable(*arguments, **options)
    return wheel


if __name__ == "__main__":
    command()
