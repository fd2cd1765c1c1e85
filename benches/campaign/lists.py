#!/usr/bin/env python3
"""Writes the lists of instances of our campaigns, unpacking or making the files where needed.

    lists.py rcmax 100|200|500      R||Cmax set of Fanjul-Peyro and Ruiz, by number of tasks
    lists.py hcsp 512x16            ETC matrices of Braun et al.; also 1024x32, 2048x64,
                                    4096x128
    lists.py generated              ten of our own, 100x10, each of another class
    lists.py middle                 18 of our own, 1000x100, 2000x50 and 2000x100, six classes
    lists.py large                  four of our own, 10000x100
    lists.py reference              instances/reference, with proven optima
"""

import argparse
import gzip
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import known

PROJECT = Path(__file__).resolve().parent.parent.parent
GENERATED = (
    *("u_c_hihi", "u_c_lolo", "u_s_hilo", "u_s_lohi", "u_i_hihi", "u_i_lolo"),
    *("U1-100", "U100-200", "jobcorr", "maccorr"),
)


def rcmax(options, tasks):
    folder = options.data / "rcmax-fanjul-ruiz"
    values = known.load([folder / "best_known.csv"])
    archive = folder / f"instances_n{tasks}.tar.xz"
    if archive.exists():
        folder = unpacked(archive, options.scratch / f"rcmax-n{tasks}")
    # Files are named n + m + number, so those of n = 100 are 111 to 160.
    files = folder.glob(f"*/{tasks[0]}[1-6]?.txt")
    return [(path, values[f"{path.parent.name}/{path.stem}"]) for path in sorted(files)]


def unpacked(archive, folder):
    if not folder.exists():
        with tarfile.open(archive) as tar, tempfile.TemporaryDirectory(dir=folder.parent) as half:
            tar.extractall(half, filter="data")
            Path(half).rename(folder)
            Path(half).mkdir()  # the context manager removes it
    return folder


def hcsp(options, size):
    folder = options.data / f"hcsp-{size}"
    values = known.load([folder / "best_known.csv"])
    scratch = options.scratch / folder.name
    for packed in folder.glob("*.gz"):
        scratch.mkdir(exist_ok=True)
        (scratch / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
    files = [*folder.iterdir(), *(scratch.iterdir() if scratch.exists() else ())]
    named = {f"{folder.name}/{path.name}": path for path in sorted(files)}
    return [(path, values[name]) for name, path in named.items() if name in values]


def generated(options, _):
    return made(options, [(kind, 100, 10, i) for i, kind in enumerate(GENERATED, 1)])


def middle(options, _):
    sizes = [(1000, 100), (2000, 50), (2000, 100)]
    kinds = [f"u_{kind}_{spread}" for kind in "isc" for spread in ("hihi", "lolo")]
    return made(options, [(kind, *size, 1) for size in sizes for kind in kinds])


def large(options, _):
    kinds = ("u_i_hihi", "u_s_hihi", "u_c_hihi", "U1-100")
    return made(options, [(kind, 10000, 100, 1) for kind in kinds])


def made(options, specs):
    """Generates the instances, given as class, tasks, hosts and seed."""
    folder = options.scratch / "generated"
    folder.mkdir(exist_ok=True)
    paths = []
    for kind, tasks, hosts, seed in specs:
        path = folder / f"{kind}_{tasks}x{hosts}_seed{seed}.json"
        size = ["--tasks", str(tasks), "--hosts", str(hosts), "--seed", str(seed)]
        command = [options.gridsat, "generate", "etc", "--class", kind, *size, "--output", path]
        subprocess.run(command, check=True)
        paths.append(path)
    return [(path, None) for path in paths]


def reference(_options, _):
    folder = PROJECT / "instances/reference"
    optima = json.loads((folder / "optima.json").read_text(), parse_float=str)
    values = {name: known.parse(entry["optimum"]) for name, entry in optima.items()}
    return [(folder / f"{name}.json", value) for name, value in sorted(values.items())]


SETS = dict(
    rcmax=rcmax, hcsp=hcsp, generated=generated, middle=middle, large=large, reference=reference
)
SIZES = dict(rcmax=("100", "200", "500"), hcsp=("512x16", "1024x32", "2048x64", "4096x128"))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    scratch = Path(tempfile.gettempdir()) / "gridsat-campaign"
    add = parser.add_argument
    add("set", choices=SETS)
    add("size", nargs="?", default="")
    add("--data", type=Path, default=PROJECT.parent / "shared/data", help="folder of the data sets")
    add("--scratch", type=Path, default=scratch, help="folder for unpacked and generated files")
    add("--gridsat", type=Path, default=PROJECT / "target/release/gridsat", help="the program")
    options = parser.parse_args()
    if options.size not in SIZES.get(options.set, ("",)):
        parser.error(f"sizes of {options.set}: {', '.join(SIZES.get(options.set, ['none']))}")
    options.scratch.mkdir(parents=True, exist_ok=True)
    try:
        entries = SETS[options.set](options, options.size)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"lists.py: {error}")
    print(f"# {options.set} {options.size}".rstrip())
    for path, value in entries:
        # Conflicting claims give no bound; `report.py --known` lists them.
        plain = value is not None and value.upper is not None
        print(f"{path.resolve()}\t{value.claims}" if plain else path.resolve())


if __name__ == "__main__":
    main()
