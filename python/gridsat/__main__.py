"""`python -m gridsat`: the command, which is installed beside the interpreter."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig


def command() -> str:
    """The path of the command that belongs to this package."""
    name = "gridsat" + (sysconfig.get_config_var("EXE") or "")
    user = sysconfig.get_preferred_scheme("user")
    for folder in (sysconfig.get_path("scripts"), sysconfig.get_path("scripts", scheme=user)):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"the command {name} is not installed beside {sys.executable}")
    return found


def main() -> int:
    """Runs the command with the arguments of this program."""
    words = [command(), *sys.argv[1:]]
    if sys.platform == "win32":
        return subprocess.run(words, check=False).returncode
    os.execv(words[0], words)


if __name__ == "__main__":
    sys.exit(main())
