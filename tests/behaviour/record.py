#!/usr/bin/env python3
"""Records the behaviour of gridsat: python3 record.py BINARY OUTDIR [--only SUBSTRING] [--jobs 1] [--list]

Each case of cases.py runs in a fresh folder. OUTDIR/NNN-name/ gets `cmd`, `stdout`, `stderr`, `code` and, under `files/`,
the files that the command wrote or changed (over 200 kB: `NAME.sha256` with digest and size). Files that the command
removed are listed in `removed`. A case of several commands has them one after the other, with a line `$ …` before each.
`python3 diff.py OUTA OUTB` compares two recordings.
"""

import argparse
import concurrent.futures
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import cases  # noqa: E402

LIMIT = 60.0
WHOLE = 200_000


def environment(folder):
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "RUST_BACKTRACE": "0",
    }


def run(binary, folder, words, stdin=None, interrupt=None, close_stdout=False):
    """Exit code (or the reason why there is none), stdout, stderr."""
    source = open(folder / stdin, "rb") if stdin else subprocess.DEVNULL
    try:
        child = subprocess.Popen(
            [binary, *words], cwd=folder, env=environment(folder), stdin=source,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    finally:
        if stdin:
            source.close()
    if close_stdout:
        child.stdout.close()
        child.stdout = None
    if interrupt:
        time.sleep(interrupt)
        child.send_signal(signal.SIGINT)
    try:
        out, err = child.communicate(timeout=LIMIT)
        code = str(child.returncode)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
        code = "timeout"
    return code, out or b"", err or b""


def snapshot(folder):
    """Digest of every file, by name."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def normalised(case, name, data, folder):
    data = data.replace(str(folder).encode(), b"TMP")
    # Temporary files have random names.
    data = re.sub(rb"\.gridsat-\w{6}\b", b".gridsat-DRAFT", data)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data
    for rule in case.norm:
        if not callable(rule):
            text = re.sub(rule[0], rule[1], text)
            continue
        try:
            text = rule(name, text)
        except Exception as error:  # For example invalid JSON: the recording shows it.
            text = f"NOT NORMALISED ({type(error).__name__}: {error})\n{text}"
    return text.encode()


def record(binary, case, target):
    folder = Path(tempfile.mkdtemp(prefix="gridsat-record-"))
    try:
        for name, content in case.files().items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            if content.startswith(b"#!"):
                path.chmod(0o755)
        setup = []
        for step in case.setup:
            if callable(step):
                try:
                    step(folder)
                except Exception as error:  # For example a missing file of an earlier command.
                    setup.append(f"{type(error).__name__}: {error}\n".replace(str(folder), "TMP"))
                continue
            code, _, err = run(binary, folder, shlex.split(step))
            setup.append(f"$ gridsat {step}\n{code} {err.decode(errors='replace')}")
        before = snapshot(folder)
        parts = []
        several = len(case.commands) > 1
        for command in case.commands:
            words = command if isinstance(command, list) else shlex.split(command)
            code, out, err = run(binary, folder, words, case.stdin, case.interrupt, case.close_stdout)
            shown = shlex.join(words)
            if several:
                head = f"$ gridsat {shown}\n".encode()
                out, err, code = head + out, head + err, head.decode() + code
            parts.append((shown, code, out, err))
        after = snapshot(folder)
        target.mkdir(parents=True)
        (target / "cmd").write_text("".join(f"gridsat {shown}\n" for shown, *_ in parts))
        (target / "code").write_text("".join(f"{code}\n" for _, code, *_ in parts))
        for name, place in (("stdout", 2), ("stderr", 3)):
            data = b"".join(part[place] for part in parts)
            (target / name).write_bytes(normalised(case, name, data, folder))
        if setup:
            (target / "setup").write_text("".join(setup))
        removed = sorted(set(before) - set(after))
        if removed:
            (target / "removed").write_text("".join(f"{name}\n" for name in removed))
        for name in sorted(after):
            if before.get(name) == after[name]:
                continue
            data = normalised(case, name, (folder / name).read_bytes(), folder)
            path = target / "files" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if len(data) > WHOLE:
                digest = hashlib.sha256(data).hexdigest()
                path.with_name(path.name + ".sha256").write_text(f"{digest} {len(data)} bytes\n")
            else:
                path.write_bytes(data)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("outdir")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="only say what would be run")
    args = parser.parse_args()
    binary = str(Path(args.binary).resolve())
    chosen = [(number, case) for number, case in enumerate(cases.ALL, 1) if args.only in case.name]
    if args.list:
        for number, case in chosen:
            print(f"{number:03}-{case.name}")
        return
    if not os.access(binary, os.X_OK):
        sys.exit(f"{binary}: no program")
    outdir = Path(args.outdir)
    if outdir.exists() and any(outdir.iterdir()):
        known = re.compile(r"\d{3}-")
        if not all(known.match(entry.name) for entry in outdir.iterdir()):
            sys.exit(f"{outdir}: holds something else than a recording")
        shutil.rmtree(outdir)
    outdir.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()

    def one(entry):
        number, case = entry
        begun = time.monotonic()
        record(binary, case, outdir / f"{number:03}-{case.name}")
        return time.monotonic() - begun, case.name

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        times = sorted(pool.map(one, chosen), reverse=True)
    commands = sum(len(case.commands) for _, case in chosen)
    print(f"{len(chosen)} cases, {commands} commands, {time.monotonic() - start:.1f} s")
    print("slowest: " + ", ".join(f"{name} {seconds:.1f} s" for seconds, name in times[:12]))


if __name__ == "__main__":
    main()
