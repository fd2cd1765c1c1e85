"""Files of the repository that tests read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture
def repository() -> Path:
    here = Path(__file__).resolve().parents[2]
    return Path(os.environ.get("GRIDSAT_REPOSITORY", here))
