#!/usr/bin/env python3
"""Differences between two recordings: python3 diff.py OUTA OUTB [--lines 15] [--all] [--common]; exit code 1 if there are any."""

import argparse
import difflib
import signal
import sys
from pathlib import Path


def files(folder):
    return {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}


def lines(path):
    return path.read_bytes().decode(errors="replace").splitlines()


def shortened(line, most=240):
    return line if len(line) <= most else f"{line[:most]}… ({len(line)} characters)"


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    parser = argparse.ArgumentParser()
    parser.add_argument("one", type=Path)
    parser.add_argument("other", type=Path)
    parser.add_argument("--lines", type=int, default=15, help="of each difference (default 15)")
    parser.add_argument("--all", action="store_true", help="also name the cases that are equal")
    parser.add_argument("--common", action="store_true", help="pass over cases that only one of them has (record.py --only)")
    args = parser.parse_args()
    for folder in (args.one, args.other):
        if not folder.is_dir():
            sys.exit(f"{folder}: no folder")

    # Compared by name without the number: a case may have another number in the other recording.
    def cases(folder):
        return {entry.name.split("-", 1)[1]: entry for entry in folder.iterdir() if entry.is_dir()}

    one, other = cases(args.one), cases(args.other)
    names = list(dict.fromkeys(sorted(one, key=lambda n: one[n].name) + sorted(other)))
    if args.common:
        names = [name for name in names if name in one and name in other]
    different = 0
    for name in names:
        if name not in one or name not in other:
            different += 1
            print(f"=== {name}: only in {args.one if name in one else args.other}")
            continue
        a, b = files(one[name]), files(other[name])
        found = []
        for file in sorted(set(a) | set(b)):
            if file not in a or file not in b:
                found.append((file, [f"only in {args.one if file in a else args.other}"]))
            elif a[file].read_bytes() != b[file].read_bytes():
                diff = difflib.unified_diff(lines(a[file]), lines(b[file]), "a", "b", lineterm="", n=1)
                diff = [line for line in diff if line not in ("--- a", "+++ b")]
                found.append((file, diff or ["(line ends differ)"]))
        if not found:
            if args.all:
                print(f"    {one[name].name}: equal")
            continue
        different += 1
        print(f"=== {one[name].name}: {(one[name] / 'cmd').read_text().splitlines()[0]}")
        for file, diff in found:
            print(f"  --- {file}")
            for line in diff[:args.lines]:
                print(f"  {shortened(line)}")
            if len(diff) > args.lines:
                print(f"  … {len(diff) - args.lines} lines more")
    print(f"{len(names)} cases, {different} different")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
