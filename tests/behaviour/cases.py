"""The recorded cases: files, and commands on them.

A case gets every file whose name is one of its words: files of `tests/data`, which the tests of the program use as
well, files that `text` adds below, and files of the project's folder `instances`, without their folder. `more` names
further files, such as those that a scenario reads.
"""

import functools
import gzip
import hashlib
import json
import re
import shlex
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INSTANCES = ROOT / "instances"

ALL = []
TEXTS = {path.name: path.read_bytes() for path in (ROOT / "tests/data").iterdir() if path.is_file()}


def _project_files():
    found = {}
    folders = [INSTANCES, INSTANCES / "reference", INSTANCES / "bench", INSTANCES / "bench/certificates", ROOT / "crates/scenario/templates"]
    for folder in folders:
        for path in sorted(folder.iterdir()):
            if path.is_file() and path.name != "README.md":
                found[path.name] = path
    return found


PROJECT = _project_files()


def text(name, content):
    assert name not in TEXTS, name
    TEXTS[name] = content if isinstance(content, bytes) else content.encode()
    return name


def content_of(name):
    if name in TEXTS:
        return TEXTS[name]
    return PROJECT[name].read_bytes() if name in PROJECT else None


class Case:
    def __init__(self, name, commands, more="", setup=(), norm=(), stdin=None, interrupt=None, close_stdout=False):
        self.name = name
        self.commands = [commands] if isinstance(commands, str) else commands
        self.more = more.split()
        self.setup = [setup] if isinstance(setup, str) or callable(setup) else list(setup)
        self.norm, self.stdin, self.interrupt, self.close_stdout = list(norm), stdin, interrupt, close_stdout

    def files(self):
        words = list(self.more) + ([self.stdin] if self.stdin else [])
        for command in [*self.commands, *(step for step in self.setup if isinstance(step, str))]:
            words += command if isinstance(command, list) else shlex.split(command)
        plain = [word[2:] if word.startswith("./") else word for word in words]
        return {name: content_of(name) for name in plain if content_of(name) is not None}


def case(name, commands, **options):
    assert re.fullmatch(r"[A-Za-z0-9_.+-]+", name), name
    assert all(one.name != name for one in ALL), name
    ALL.append(Case(name, commands, **options))


# --- normalising -----------------------------------------------------------------------------------------------------------

SECONDS = (r"\b\d+\.\d+ s\b", "TIME s")
JSON_SECONDS = (r'("(?:seconds|scheduling_seconds)": )[0-9.e-]+', r"\1TIME")
TIMES_JSON = (r'("[\w-]+\.jsonl": )[0-9.e-]+', r"\1TIME")
# The last column of a table.
LAST_COLUMN = (r"(?m) +\d+\.\d{3}((?:  [^\n]*)?)$", r" TIME\1")
CSV_LAST = (r"(?m),\d+(?:\.\d+)?(?:e-\d+)?$", ",TIME")


def kept_keys(*keys):
    """Keeps only the values of these keys of a JSON answer, and the names of all keys."""

    def rule(name, text):
        if name != "stdout":
            return text
        answer = json.loads(text)
        kept = {key: answer[key] for key in keys}
        return json.dumps({"keys": sorted(answer), "kept": kept}, indent=1) + "\n"

    return rule


def csv_column(column):
    """Replaces this column by TIME in CSV, whose header may be anywhere in the text."""

    def rule(name, text):
        lines, place = text.split("\n"), None
        for number, line in enumerate(lines):
            cells = line.split(",")
            if column in cells:
                place = cells.index(column)
            elif place is not None and len(cells) > place:
                cells[place] = "TIME"
                lines[number] = ",".join(cells)
        return "\n".join(lines)

    return rule


def dropped(*names):
    """Leaves out the content of these files."""
    return lambda name, text: "DROPPED\n" if name in names else text


# --- instances -------------------------------------------------------------------------------------------------------------

text("late.json", '{ "etc": [[1, 2], [2, 1]], "ready": [50, 0] }')
text("zero.json", '{ "etc": [[0, 0], [0, 0]] }')
text("one.json", '{ "etc": [[7]] }')
text("six.json", '{"etc": [[4, 5, 9], [4, 5, 9], [4, 5, 9], [7, 8, 3], [6, 6, 6], [2, 9, 4]], "name": "six"}')
text("quotes.csv", 'task,"host ""a""","b,c"\n"fetch, all",3,4\nsort,inf,2.50\n')
text("plain.csv", "5,5\n5,5\n5,5\n")
text("other.xyz", "3 2\n5\n5\n5\n5\n5\n5\n")

# A SAT solver for tiny formulas, in place of an external program.
text("solver", """#!/usr/bin/env python3
import sys
def solve(clauses, model):
    while True:
        unit, left = None, []
        for clause in clauses:
            if any(lit in model for lit in clause):
                continue
            rest = [lit for lit in clause if -lit not in model]
            if not rest:
                return None
            if len(rest) == 1:
                unit = rest[0]
            left.append(rest)
        clauses = left
        if unit is None:
            break
        model = model | {unit}
    if not clauses:
        return model
    lit = clauses[0][0]
    return solve(clauses, model | {lit}) or solve(clauses, model | {-lit})
sys.setrecursionlimit(10000)
clauses, count = [], 0
for line in open(sys.argv[1]):
    if line.startswith("p"):
        count = int(line.split()[2])
    elif line[0] not in "c%":
        clauses.append([int(word) for word in line.split()[:-1]])
model = solve(clauses, frozenset())
text = "s UNSATISFIABLE\\n"
if model is not None:
    text = "s SATISFIABLE\\nv " + " ".join(str(v if v in model else -v) for v in range(1, count + 1)) + " 0\\n"
if len(sys.argv) > 2:  # as for MiniSat
    open(sys.argv[2], "w").write("UNSAT\\n" if model is None else "SAT\\n" + text.split("v ")[1])
else:
    sys.stdout.write(text)
sys.exit(10 if model is not None else 20)
""")
text("crash", "#!/bin/sh\necho oops >&2\nexit 3\n")

HARD = "generate etc --class jobcorr --tasks 60 --hosts 6 --seed 1 --output hard.json"

# --- help ------------------------------------------------------------------------------------------------------------------

COMMANDS = "solve decide export decode verify map compare bench experiment report generate simulate".split()
case("help-long", "--help")
case("help-short", "-h")
case("help-version", ["--version", "-V"])
case("help-command", ["help", "help solve", "help generate", "help generate etc", "help nothing"])
case("help-nothing", ["", "generate"])
for command in COMMANDS:
    case(f"help-{command}", f"{command} --help")
    case(f"help-{command}-short", f"{command} -h")
for kind in "etc utility scenario experiment workload".split():
    case(f"help-generate-{kind}", f"generate {kind} --help")
    case(f"help-generate-{kind}-short", f"generate {kind} -h")

# --- solve -----------------------------------------------------------------------------------------------------------------

for file in ["braun-demo.json", "braun-demo.csv", "u_c_hilo_10x4.hcsp", "jobcorr_12x4.txt"]:
    case(f"solve-sample-{file}", f"solve {file} --no-times --certificate cert.json --gantt gantt.svg")
for file in ["demo.json", "even.json", "odd.json", "late.json", "zero.json", "one.json", "six.json"]:
    name = file.removesuffix(".json")
    case(f"solve-tiny-{name}", [f"solve {file} --no-times --certificate cert.json --gantt gantt.svg",
                                f"solve {file} --no-times --format json", f"solve {file} --format csv",
                                f"verify {file} cert.json"])
case("solve-exact-decimals", ["solve cents.json --no-times --format json", "solve large.json --no-times --format json"])
case("solve-names-with-control-characters", ["solve evil.json --no-times --gantt g.svg", "solve evil.json --no-times --format json",
                                             "solve evil.json --format csv"])
case("solve-csv-quotes", ["solve quotes.csv --no-times", "solve quotes.csv --format csv", "solve plain.csv --no-times"])
case("solve-from", ["solve bare --from hcsp --tasks 3 --hosts 2 --no-times", "solve other.xyz --from hcsp --no-times",
                    "solve bare --from csv --no-times", "solve bare --from hcsp --no-times", "solve bare --no-times"])
case("solve-stdin", ["solve - --from json --no-times --format json", "solve - --no-times"], stdin="demo.json")
for name in "U1-100 U100-200 decimal jobcorr maccorr ready sparse u_c_hihi u_c_lolo u_i_hihi u_i_lolo u_s_hihi u_s_lolo".split():
    case(f"solve-reference-{name}", [f"solve {name}_6x3.json --no-times --format json",
                                     f"solve {name}_9x3.json --no-times --certificate cert.json"])
for name in ["U1-100_16x4", "U100-200_16x4", "jobcorr_16x4", "maccorr_16x4", "decimal_16x4", "u_i_hihi_16x4", "u_c_lolo_24x4",
             "U100-200_30x5", "ready_30x5", "sparse_30x5"]:
    case(f"solve-larger-{name}", f"solve {name}.json --no-times --format json --certificate cert.json --gantt g.svg -o out.json")
for name in ["u_i_hihi_32x4_2", "u_i_lohi_32x4_2", "u_s_lohi_32x4_2", "U1-100_64x8_1", "jobcorr_64x8_2", "u_c_hihi_64x8_2"]:
    case(f"solve-bench-{name}", [f"solve {name}.json --no-times --format json --certificate cert.json -q",
                                 f"verify {name}.json cert.json"])
ENCODINGS = "adder bdd totalizer counter thesis".split()
AT_MOST_ONE = "pairwise ladder product commander".split()
for encoding in ENCODINGS:
    more = " --no-surrogate" if encoding == "adder" else ""
    case(f"solve-sat-{encoding}", [
        f"solve U1-100_9x3.json --strategy sat --encoding {encoding}{more} --no-times --format json --certificate cert.json",
        f"solve odd.json --strategy sat --encoding {encoding} --no-times --certificate odd-cert.json"])
for at_most_one in AT_MOST_ONE:
    case(f"solve-sat-{at_most_one}", [
        f"solve sparse_30x5.json --strategy sat --encoding bdd --at-most-one {at_most_one} --no-times --format json",
        f"solve odd.json --strategy sat --encoding counter --at-most-one {at_most_one} --no-times --certificate cert.json"])
case("solve-sat-descend", "solve maccorr_9x3.json --strategy sat --search descend --no-times --format json")
case("solve-sat-oracle", "solve maccorr_9x3.json --strategy sat --extract oracle --no-times")
case("solve-sat-no-symmetry", ["solve odd.json --strategy sat --no-symmetry --no-times --certificate c.json",
                               "solve six.json --strategy sat --no-symmetry --no-surrogate --no-times --certificate d.json"])
case("solve-auto-descend", "solve jobcorr_16x4.json --search descend --extract oracle --no-times --format json")
case("solve-thesis", ["solve U1-100_6x3.json --strategy thesis --no-times --format json --certificate cert.json",
                      "solve odd.json --strategy thesis --no-times --certificate odd-cert.json"])
case("solve-thesis-oracle", "solve U1-100_6x3.json --strategy thesis --extract oracle --no-times")
case("solve-thesis-options", ["solve odd.json --strategy thesis --encoding adder", "solve odd.json --strategy thesis --encoding thesis --no-times",
                              "solve odd.json --strategy thesis --at-most-one ladder --no-times", "solve U1-100_6x3.json --strategy thesis --max-clauses 10 --no-times"])
case("solve-max-clauses", ["solve U1-100_9x3.json --strategy sat --max-clauses 10 --no-times",
                           "solve U1-100_9x3.json --strategy sat --encoding bdd --max-clauses 10 --no-times"])
case("solve-gap", ["solve jobcorr_24x4.json --gap 0.5 --no-times --format json", "solve odd.json --gap 0.5 --no-times",
                   "solve u_c_hihi_64x8_2.json --gap 0.01 --no-times --format json"])
case("solve-seed", ["solve U100-200_30x5.json --seed 7 --no-times", "solve U100-200_30x5.json --seed 8 --no-times --format json"])
case("solve-times", ["solve demo.json", "solve odd.json --strategy sat --format json"], norm=[SECONDS, JSON_SECONDS])
case("solve-threads", "solve jobcorr_24x4.json --threads 2 --format json",
     norm=[kept_keys("status", "makespan", "lower_bound", "gap", "instance", "tasks", "hosts", "solver", "seed")])
for strategy in ["auto", "sat", "thesis"]:
    case(f"solve-out-of-time-{strategy}", [
        f"solve hard.json --strategy {strategy} --time-limit 0 --no-times --format json --certificate cert.json",
        "verify hard.json cert.json", f"solve hard.json --strategy {strategy} --time-limit 0 --no-times"], setup=HARD)
case("solve-interrupted", "solve hard.json --strategy sat --format json", setup=HARD, interrupt=0.7,
     norm=[kept_keys("status", "instance", "tasks", "hosts")])
case("solve-external-solver", ["solve odd.json --strategy sat --solver ./solver --no-times --format json --certificate c.json",
                               "solve odd.json --strategy sat --solver './solver {cnf} {out}' --no-times",
                               "solve odd.json --strategy sat --encoding adder --solver './solver {cnf}' --no-times"], more="solver")
case("solve-bad-solvers", ["solve odd.json --strategy sat --solver no-such-solver --no-times",
                           "solve odd.json --strategy sat --solver cadical --no-times",
                           "solve odd.json --strategy sat --solver ./mute --no-times",
                           "solve odd.json --strategy sat --solver ./all-false --no-times",
                           "solve odd.json --strategy sat --solver ./babble --no-times",
                           "solve odd.json --strategy sat --solver ./crash --no-times",
                           "solve U1-100_9x3.json --strategy sat --solver ./deny --no-times --format json",
                           "solve odd.json --strategy sat --solver ''", "solve odd.json --strategy sat --solver \"'x\""],
     more="mute all-false babble crash deny")
for encoding in ENCODINGS:
    case(f"solve-veripb-{encoding}", [f"solve odd.json --strategy sat --encoding {encoding} --no-times --certificate c.pbp",
                                      f"solve six.json --strategy sat --encoding {encoding} --no-times --certificate six.pbp"])
case("solve-veripb-reasons", ["solve demo.json --no-times --certificate longest.pbp", "solve even.json --no-times --certificate weights.pbp",
                              "solve late.json --no-times --certificate ready.pbp", "solve zero.json --no-times --certificate zero.pbp"])
case("solve-veripb-auto", ["solve braun-demo.json --no-times --certificate a.pbp --format json",
                           "solve U1-100_6x3.json --no-times --certificate b.pbp"])
case("solve-veripb-out-of-time", "solve hard.json --time-limit 0 --no-times --certificate c.pbp", setup=HARD)
case("solve-veripb-at-most-one", [f"solve six.json --strategy sat --at-most-one {one} --no-times --certificate {one}.pbp"
                                  for one in AT_MOST_ONE])

# --- decide, export, decode ------------------------------------------------------------------------------------------------

for encoding in ENCODINGS:
    case(f"decide-{encoding}", [f"decide demo.json -k {k} --encoding {encoding}" for k in ("5.5", "5.4", "0", "1e3")]
         + [f"decide U1-100_9x3.json -k {k} --encoding {encoding} --no-surrogate" for k in (97, 96)])
case("decide-at-most-one", [f"decide sparse_16x4.json -k 88 --at-most-one {one}" for one in AT_MOST_ONE])
case("decide-formats", ["decide braun-demo.csv -k 355.4", "decide braun-demo.json -k 355.39", "decide u_c_hilo_10x4.hcsp -k 11103.93",
                        "decide jobcorr_12x4.txt -k 166", "decide jobcorr_12x4.txt -k 167 --no-symmetry"])
case("decide-between-ticks", ["decide demo.json -k 5.59", "decide demo.json -k 5.49"])
case("decide-output", ["decide demo.json -k 6 --output answer", "decide demo.json -k 5 -o no"])
case("decide-out-of-time", "decide hard.json -k 900 --time-limit 0", setup=HARD)
case("decide-external-solver", ["decide odd.json -k 10 --solver ./solver", "decide odd.json -k 9 --solver './solver {cnf} {out}'"], more="solver")
case("decide-bad-solvers", [f"decide odd.json -k 10 --solver {solver}" for solver in
                            ("no-such-solver", "./odd.json", "./mute", "./all-false", "./babble", "./crash", "cadical")],
     more="mute all-false babble crash")
case("decide-bad-k", [["decide", "demo.json", f"-k={k}"] for k in ("x", "-1", "nan", "inf", "1e999", "")] + ["decide demo.json"])
case("decide-max-clauses", ["decide demo.json -k 9 --encoding thesis --max-clauses 3", "decide U1-100_9x3.json -k 90 --max-clauses 3"])

for encoding in ENCODINGS:
    case(f"export-dimacs-{encoding}", [f"export demo.json -k 6 --encoding {encoding}", f"export six.json -k 11 --encoding {encoding} -o six.cnf",
                                       f"export odd.json -k 9 --encoding {encoding} --no-symmetry"])
for at_most_one in AT_MOST_ONE:
    case(f"export-dimacs-{at_most_one}", f"export sparse_30x5.json -k 149 --encoding adder --at-most-one {at_most_one} -o a.cnf")
case("export-opb", ["export demo.json --format opb", "export demo.json --format opb -k 6", "export braun-demo.csv --format opb -o a.opb"])
case("export-mps", ["export demo.json --format mps", "export demo.json --format mps -k 6", "export sparse_9x3.json --format mps -o a.mps"])
case("export-certificate", ["export odd.json --certificate cert.json", "export odd.json --certificate cert.json -o formula.cnf"],
     setup="solve odd.json --strategy sat --certificate cert.json")
case("export-certificate-wrong", ["export odd.json --certificate cert.json", "export demo.json --certificate cert.json",
                                  "export odd.json --certificate odd.json", "export odd.json --certificate none.json",
                                  "export odd.json --certificate cert.json -k 3"],
     setup="solve demo.json --certificate cert.json")
case("export-wrong", ["export demo.json", "export demo.json -k six", "export demo.json --format xml",
                      "export demo.json -k 9 --encoding thesis --max-clauses 3 --output f", "export demo.json -k 9 --encoding thesis --at-most-one ladder"])
case("export-names-with-control-characters", ["export evil.json -k 5", "export evil.json --format opb", "export evil.json --format mps"])

text("answer-no", "s UNSATISFIABLE\n")
text("answer-none", "c nothing\n")
text("answer-late", "s SATISFIABLE\nv x1 -x2 x3 0\n")
text("answer-less", "v -1 -2 0\n")
text("answer-odd", "v 1 two 0\n")
text("answer-mixed", "v 1 x2 0\n")
text("answer-names", "s OPTIMUM FOUND\nv -x1 x2 x3 -x4 ~x5\n")
for encoding in ENCODINGS:
    case(f"decode-{encoding}", [f"decode demo.json -k 6 --encoding {encoding} answer {more}".strip()
                                for more in ("", "--format json", "--format csv")],
         setup=f"decide demo.json -k 6 --encoding {encoding} --output answer")
case("decode-names", ["decode demo.json -k 6 answer-names", "decode demo.json -k 6 answer-names --format json -o out.json"])
case("decode-stdin", "decode demo.json -k 6 -", stdin="answer-names")
case("decode-wrong", [f"decode demo.json -k 6 {name}" for name in
                      ("answer-no", "answer-none", "answer-late", "answer-less", "answer-odd", "answer-mixed", "missing", ".")]
     + ["decode demo.json -k six answer-no", "decode demo.json -k 6 answer-names --encoding magic"])
case("decode-names-with-control-characters", "decode evil.json -k 5 answer", setup=lambda f: (f / "answer").write_text("v x1 x4\n"))

# --- verify ----------------------------------------------------------------------------------------------------------------

FORMATS = ("table", "json", "csv")
CERTIFICATES = ["U1-100_16x4_1", "U1-100_32x4_1", "U1-100_64x8_1", "jobcorr_64x8_2", "maccorr_64x8_2", "u_i_hihi_32x4_2",
                "u_i_lohi_32x4_2", "u_s_hihi_32x4_2", "u_s_lohi_32x4_2", "u_s_hilo_64x8_2", "u_i_hilo_64x8_1", "u_c_lolo_64x8_1"]


def proofs(name):
    return " ".join(one for one in PROJECT if one.startswith(f"{name}.cert."))


case("verify-bench-certificates", [f"verify {name}.json {name}.cert.json" for name in CERTIFICATES],
     more=" ".join(proofs(name) for name in CERTIFICATES))
case("verify-formats", [f"verify u_i_hihi_32x4_2.json u_i_hihi_32x4_2.cert.json --format {form}" for form in FORMATS]
     + ["verify u_i_hihi_32x4_2.json u_i_hihi_32x4_2.cert.json -o verdict", "verify u_i_hihi_32x4_1.json u_i_hihi_32x4_2.cert.json --format json"],
     more=proofs("u_i_hihi_32x4_2"))


def changed(change, file="cert.json"):
    def step(folder):
        path = folder / file
        content = json.loads(path.read_text())
        change(content)
        path.write_text(json.dumps(content))
    return step


def assign(*place):
    *keys, value = place

    def change(content):
        for key in keys[:-1]:
            content = content[key]
        content[keys[-1]] = value
    return change


CERTIFIED = "solve {}.json --strategy sat --certificate cert.json"
DAMAGES = [
    ("mapping", "odd", assign("mapping", [0, 0, 0])), ("mapping-host", "odd", assign("mapping", [0, 1, 2])),
    ("mapping-short", "odd", assign("mapping", [0, 1])), ("bound", "odd", assign("lower_bound", 9)),
    ("bound-high", "odd", assign("lower_bound", 11)), ("makespan", "odd", assign("makespan", 11)),
    ("no-steps", "odd", assign("steps", [])), ("step-k", "odd", assign("steps", 0, "k", 10)), ("step-k-low", "odd", assign("steps", 0, "k", 8)),
    ("weights", "even", assign("steps", 0, "weights", [1, 0])), ("weights-long", "even", assign("steps", 0, "weights", [1, 1, 1])),
    ("task", "demo", assign("steps", 0, "task", 1)), ("task-number", "demo", assign("steps", 0, "task", 99)),
    ("version", "odd", assign("version", 2)), ("format", "odd", assign("format", "certificate")),
    ("encoding", "odd", assign("steps", 0, "encoding", "thesis")), ("encoding-name", "odd", assign("steps", 0, "encoding", "magic")),
    ("at-most-one", "odd", assign("steps", 0, "at_most_one", "none")), ("rule", "odd", assign("steps", 0, "rule", "luck")),
    ("key", "odd", assign("more", 1)), ("digest", "odd", assign("instance", "sha256", "0" * 64)),
    ("decimals", "odd", assign("instance", "decimals", 3)), ("tasks", "odd", assign("instance", "tasks", 7)),
    ("proof-name", "odd", assign("steps", 0, "proof", "../cert.lrat")), ("proof-digest", "odd", assign("steps", 0, "proof_sha256", "0" * 64)),
    ("missing-key", "odd", lambda content: content.pop("mapping")), ("ready", "late", assign("steps", 0, "host", 1)),
    ("instance-list", "odd", lambda content: content.__setitem__("instance", list(content["instance"].values()))),
    ("negative", "odd", assign("lower_bound", -1)), ("fraction", "odd", assign("makespan", 10.5)),
]


def damaged_all(folder):
    """Each kind of damage to the valid certificates of all tiny instances."""
    for name, instance, change in DAMAGES:
        content = json.loads((folder / f"{instance}-cert.json").read_text())
        change(content)
        (folder / f"bad-{name}.json").write_text(json.dumps(content))


GOOD = [f"solve {name}.json --strategy sat --certificate {name}-cert.json" for name in ("odd", "even", "demo", "late")]
case("verify-good", [f"verify {name}.json {name}-cert.json" for name in ("odd", "even", "demo", "late")], setup=GOOD)
for start in range(0, len(DAMAGES), 10):
    group = DAMAGES[start:start + 10]
    case(f"verify-damaged-{start // 10 + 1}", [f"verify {instance}.json bad-{name}.json" for name, instance, _ in group],
         setup=[*GOOD, damaged_all])
case("verify-damaged-json", [f"verify odd.json bad-{name}.json --format {form}" for name in ("bound", "mapping") for form in ("json", "csv")],
     setup=[*GOOD, damaged_all])


def shortened_proof(folder):
    lines = (folder / "cert.lrat").read_text().splitlines()
    (folder / "cert.lrat").write_text("\n".join(lines[:-1]) + "\n")


def right_digest(folder):
    digest = hashlib.sha256((folder / "cert.lrat").read_bytes()).hexdigest()
    changed(assign("steps", 0, "proof_sha256", digest))(folder)


def proof_is(content):
    def step(folder):
        (folder / "cert.lrat").write_bytes(content)
        right_digest(folder)
    return step


ODD_CERTIFIED = CERTIFIED.format("odd")
case("verify-proof-shortened", "verify odd.json cert.json", setup=[ODD_CERTIFIED, shortened_proof])
case("verify-proof-shortened-with-digest", "verify odd.json cert.json", setup=[ODD_CERTIFIED, shortened_proof, right_digest])
case("verify-proof-missing", "verify odd.json cert.json --format json", setup=[ODD_CERTIFIED, lambda f: (f / "cert.lrat").unlink()])
for name, content in [("empty", b""), ("word", b"1 x 0\n"), ("early", b"1 0 1 0\n"), ("rat", b"999 1 0 -1 0\n"),
                      ("delete", b"999 d 77777 0\n"), ("hint", b"999 0 77777 0\n"), ("bytes", b"\xff\xfe")]:
    case(f"verify-proof-{name}", "verify odd.json cert.json", setup=[ODD_CERTIFIED, proof_is(content)])


def price(node):
    return lambda content: content["steps"][-1]["nodes"][node]["prices"].__setitem__(0, 0)


TREE = "u_s_lohi_32x4_2"


def tree_damages(folder):
    good = (folder / f"{TREE}.cert.json").read_text()
    for number in range(6):
        content = json.loads(good)
        nodes = content["steps"][-1].get("nodes", [])
        if number == 0:
            nodes.pop()
        elif number == 1:
            nodes.append({"rule": "nowhere"})
        elif number == 2:
            nodes[0] = {"rule": "nowhere"}
        elif number == 3:
            for node in nodes:
                if "prices" in node:
                    node["prices"] = [0] * len(node["prices"])
        elif number == 4:
            nodes[0] = {"rule": "branch", "task": 99, "host": 0}
        elif number == 5:
            for node in nodes:
                if node["rule"] == "unsat":
                    node["hosts"][0] = []
        (folder / f"tree-{number}.json").write_text(json.dumps(content))


case("verify-tree-damaged", [f"verify {TREE}.json tree-{number}.json" for number in range(6)],
     more=proofs(TREE), setup=tree_damages)
text("map-good", "1\n0\n")
text("map-bad", "2 0")
text("map-worse", "one\n")
text("map-list.json", "[1, 0]")
text("map-object.json", '{"mapping": [1, 0], "makespan": 5.50}')
text("map-lie.json", '{"mapping": [1, 0], "makespan": 5.4}')
text("map-cut.json", '{"mapping": [1, 0')
case("verify-mappings", [f"verify demo.json {name}" for name in
                         ("map-good", "map-list.json", "map-object.json", "map-bad", "map-lie.json", "map-worse", "map-cut.json", "missing", ".")]
     + [f"verify demo.json map-good --format {form}" for form in FORMATS])
case("verify-answer-of-solve", "verify demo.json answer.json", setup="solve demo.json --format json --output answer.json")

# --- map -------------------------------------------------------------------------------------------------------------------

SEARCHES = "ls-minmin ls-sufferage ls-mct ga ga-fitness ga-braun sa sa-braun gsa tabu tabu-braun astar aco ig multistart".split()
HEURISTICS = "olb met mct minmin maxmin sufferage duplex sufferage-rounds xsufferage xsufferage-passes qgmm fcfs fjfr fjbr minmax maxmax".split()
for form in FORMATS:
    case(f"map-all-{form}", [f"map jobcorr_24x4.json --no-times --format {form}", f"map sparse_30x5.json -a all --no-times --format {form}",
                             f"map demo.json --no-times --format {form}"])
case("map-each-heuristic", [f"map u_s_lolo_16x4.json -a {name} --no-times --format json" for name in HEURISTICS])
for name in SEARCHES:
    case(f"map-search-{name}", [f"map u_i_lolo_16x4.json -a {name} --seed 3 --no-times --format json",
                                f"map sparse_30x5.json --algorithm {name} --evaluations 500 --no-times"])
case("map-searches", "map ready_30x5.json -a all,searches --seed 2 --evaluations 2000 --no-times --format json")
case("map-gantt", ["map braun-demo.json --heuristic minmin,ls-minmin --no-times --gantt best.svg",
                   "map u_c_hilo_10x4.hcsp --no-times --gantt other.svg -o table -q"])
case("map-no-time", "map demo.json --heuristic minmin,ga,ig --time-limit 0 --format csv --no-times")
case("map-times", ["map demo.json -a mct,ga", "map demo.json -a mct --format csv", "map demo.json -a mct --format json"],
     norm=[SECONDS, JSON_SECONDS, LAST_COLUMN, CSV_LAST, (r"\b\d\.\d{6}\b", "TIME")])
case("map-wrong", ["map demo.json --algorithm minimax", "map demo.json --algorithm mct,", "map demo.json -a ga --time-limit=-1",
                   "map demo.json -a ga --evaluations x", "map none.json"])
case("map-names-with-control-characters", ["map evil.json --no-times", "map evil.json --format csv --no-times"])

# --- compare ---------------------------------------------------------------------------------------------------------------

text("grid-stopped.toml", TEXTS["grid.toml"].decode() + "\n[stop]\njobs = 1\n")
for form in FORMATS:
    case(f"compare-instance-{form}", [f"compare braun-demo.json --no-times --format {form}",
                                      f"compare jobcorr_24x4.json --no-times --algorithm mct,olb -r 3 --seed 7 --format {form}"])
    case(f"compare-grid-{form}", [f"compare grid.toml --no-times --format {form}", f"compare grid.json --policy mct,sat --no-times --format {form}",
                                  f"compare grid-stopped.toml --policy mct --no-times --format {form}"])
    case(f"compare-gsim-base-{form}", f"compare gsim-base.toml --no-times -r 3 --policies own,mct,minmin,qgmm,tlmm,tlqmm,sufferage --format {form}")
case("compare-gsim-base", "compare gsim-base.toml --no-times --seed 4")
case("compare-wwg", "compare wwg.toml --no-times --policies own,mct,mct-batch,fcfs,maxmin -q -o table")
case("compare-data-grid", "compare data-grid.toml --no-times --policies own,olb,xsufferage,fcfs")
case("compare-economy", "compare gridsim-economy.toml --no-times --policies own,broker-time,broker-cost-time,broker-none,mct")
case("compare-dside", "compare dside-desktop.toml --no-times --policies own,mct,fjfr")
case("compare-gap", ["compare hard.json --gap 0.5 --no-times -r 2 --format json", "compare hard.json --time-limit 0 --algorithm mct -r 1 --no-times"], setup=HARD)
case("compare-formats", ["compare u_c_hilo_10x4.hcsp --no-times -r 1 -a minmin", "compare bare --from hcsp --tasks 3 --hosts 2 -r 1 -a minmin --no-times",
                         "compare jobcorr_12x4.txt --no-times -r 1 -a minmin --format csv"])
case("compare-wrong", ["compare demo.json --policy mct", "compare grid.toml --gap 0.1", "compare grid.toml --algorithm mct",
                       "compare grid.toml --policy mct,minimax", "compare demo.json --algorithm minimax", "compare demo.json --replications 0",
                       "compare grid.toml --policy fixed", "compare none.toml", "compare none.json", "compare grid.json --from json",
                       "compare grid.toml --time-limit 3", "compare grid.toml --nodes 3", "compare demo.json --lenient", "compare gsim-base.toml --policy fcfs,easy"])

# --- bench -----------------------------------------------------------------------------------------------------------------

QUICK = "bench --only 16x4_1 --algorithms mct,minmin,ls-minmin --no-times"
for form in FORMATS:
    case(f"bench-{form}", f"{QUICK} --versus mct --format {form}")
case("bench-all", "bench --only jobcorr_32x4 -a all,searches --evaluations 300 --runs 2 --seed 5 --no-times")
case("bench-runs", "bench --only jobcorr_16x4_1 -a ga,mct --runs 3 --evaluations 50 --format csv --no-times")
case("bench-large", "bench --set all --only u_c_hihi_512x16 -a minmin,mct,olb --no-times -o table")
case("bench-check", ["bench --check --only 16x4", "bench --check --set all --only U1-100_128x8", "bench --check --only 64x8 -q"])


def bench_set(folder):
    manifest = json.loads((INSTANCES / "bench/manifest.json").read_text())
    some = [one for one in manifest["instances"] if one["name"] in ("jobcorr_16x4_1", "U1-100_32x4_1")]
    (folder / "set/certificates").mkdir(parents=True)
    for one in some:
        for name in [one["file"], *proofs(one["name"]).split()]:
            path = "certificates/" + name if ".cert." in name else name
            (folder / "set" / path).write_bytes(content_of(name))
    (folder / "set/manifest.json").write_text(json.dumps({**manifest, "instances": some}))
    (folder / "manifest.json").write_text(json.dumps({**manifest, "instances": some}))
    bad = [{**some[0], "sha256": "0" * 64}]
    (folder / "set/wrong.json").write_text(json.dumps({**manifest, "instances": bad}))
    bad = [{**some[0], "makespan": some[0]["makespan"] - 1, "lower_bound": some[0]["lower_bound"] - 1}]
    (folder / "set/lie.json").write_text(json.dumps({**manifest, "instances": bad}))
    (folder / "set/version.json").write_text(json.dumps({**manifest, "version": 2, "instances": some}))


case("bench-own-set", ["bench --set set/manifest.json -a mct,minmin --no-times", "bench --check --set set/manifest.json",
                       "bench --set manifest.json --data set -a mct,minmin --no-times --format json", "bench --check --set set/wrong.json",
                       "bench --set set/wrong.json -a mct --no-times", "bench --check --set set/lie.json", "bench --check --set set/version.json",
                       "bench --set manifest.json -a mct --no-times"], setup=bench_set)
case("bench-plot", "bench --only 16x4_2 -a mct,minmin --plot plot.svg --output table.txt", norm=[dropped("plot.svg", "table.txt")])
case("bench-wrong", ["bench --algorithms minimax", "bench --versus none", "bench --only nothing", "bench --set none.json", "bench --set demo.json",
                     "bench --data .", "bench --plot a.svg --no-times", "bench --runs 0"])

# --- generate --------------------------------------------------------------------------------------------------------------

CLASSES = [f"u_{c}_{a}{b}" for c in "csi" for a in ("hi", "lo") for b in ("hi", "lo")] + \
    "U1-100 U10-100 U100-120 U100-200 U1000-1100 U1-10 U1-1000 jobcorr maccorr".split()
for form in "json csv hcsp rcmax".split():
    case(f"generate-etc-{form}", [f"generate etc --class {one} --tasks 5 --hosts 3 --seed 7 --format {form}" for one in CLASSES])
case("generate-etc-options", ["generate etc --tasks 6 --hosts 3 --decimals 2 --forbidden 30 --ready 9 --output a.json",
                              "generate etc --tasks 8 --hosts 4 --class jobcorr --decimals 3 --format csv --forbidden 20",
                              "generate etc --tasks 6 --hosts 3 --ready 9 --format hcsp", "generate etc --tasks 6 --hosts 3 --forbidden 50 --format rcmax",
                              "generate etc --tasks 6 --hosts 3 --decimals 2 --format rcmax", "generate etc -o default.json"])
case("generate-etc-wrong", ["generate etc --class nonsense", "generate etc --tasks 0", "generate etc --hosts 0", "generate etc --forbidden 101",
                            "generate etc --decimals 99", "generate etc --tasks many", "generate etc --format xml", "generate etc --seed -1",
                            "generate etc --tasks 3 --hosts 2 --output no/out"])
case("generate-closed-pipe", "generate etc --tasks 4000 --hosts 50", close_stdout=True)
TEMPLATES = "wwg gsim-base gridsim-table gsim-table dside-desktop dside-tornado data-grid gridsim-economy gridsim-gridlets".split()
CLUSTER_TEMPLATES = "beosim-100 beosim-grid swf-kth".split()
case("generate-scenario-list", ["generate scenario --template list", "generate scenario --template list -o list"])
case("generate-scenarios", [f"generate scenario --template {name} --output {name}-new.toml" for name in TEMPLATES + CLUSTER_TEMPLATES]
     + ["generate scenario --template gsim-table"])
case("generate-scenario-wrong", ["generate scenario --template wwg2 --output x.toml", "generate scenario", "generate scenario --template gsim-base -o no/x"])
EXPERIMENTS = sorted(path.stem for path in (ROOT / "crates/lab/experiments").glob("*.toml"))
case("generate-experiments", [f"generate experiment --name {name} -o {name}.out" for name in EXPERIMENTS] + ["generate experiment --name mmm"])
case("generate-experiment-wrong", ["generate experiment --name no", "generate experiment", "generate experiment --name mmm -o no/x"])
text("loss.toml", TEXTS["qos.toml"].decode().replace('"times.json"', '"times.json"\nmatrix = "loss"', 1))
text("hard-wish.toml", "times = \"demo.json\"\ndecimals = 1\n[[wish]]\ndimension = \"time\"\nat_most = 8\n")
case("generate-utility", [f"generate utility qos.toml --format {form}" for form in "json csv hcsp rcmax".split()]
     + ["generate utility loss.toml", "generate utility hard-wish.toml -o etc.json", "generate utility hard-wish.toml --format hcsp", "solve etc.json --no-times"],
     more="times.json demo.json")
for number, (what, more) in enumerate([
        ("times = \"times.json\"\n[[wish]]\ndimension = \"speed\"\nfull = 1\n", ""), ("times = \"none.json\"\n", ""), ("times = 3\n", ""),
        ("times = \"times.json\"\n[[wish]]\ndimension = \"time\"\nat_most = 1\n", ""), ("time = \"times.json\"\n", ""),
        ("times = \"times.json\"\nmatrix = \"loss\"\ndecimals = 2\n", ""), ("times = \"times.json\"\n[[dimension]]\nname = \"time\"\nhosts = [1, 2, 3]\n", ""),
        ("times = \"times.json\"\n[[dimension]]\nname = \"a\"\nhosts = [1, 2]\n", ""), ("times = \"times.json\"\n[[wish]]\ndimension = \"time\"\n", ""),
        ("times = \"times.json\"\n[[wish]]\ndimension = \"time\"\nfull = 1\n", ""), ("times = \"times.json\"\n[[wish]]\ndimension = \"time\"\nfull = 1\nnone = 2\nweight = 2\n", ""),
        ("times = \"times.json\"\n[[wish]]\ndimension = \"time\"\ntasks = [\"x\"]\nat_most = 9\n", ""), ("times = \n", "")]):
    text(f"bad-utility-{number}.toml", what)
case("generate-utility-wrong", [f"generate utility bad-utility-{number}.toml" for number in range(13)] + ["generate utility none.toml"], more="times.json")
for name, words in [
        ("lublin", "--nodes 32"), ("lublin-batch", "--types batch --seed 3"), ("lublin-interactive", "--types interactive --decimals 3"),
        ("lublin-both", "--types both --set batch.umed=6 --nodes 256"), ("wang-zhang", "--model wang-zhang --attributes grid.csv"),
        ("wang-zhang-daily", "--model wang-zhang --arrivals daily --set schedulers=3 --set alpha=1.5 --set s=2"),
        ("beosim", "--model beosim --set gap=exp:3000 --set size=uniform:1:20 --decimals 2"), ("beosim-exp", "--model beosim --nodes 16 --set size=exp:9 --set run=uniform:10:500")]:
    more = "" if "attributes" in words else f" && generate workload {words} --jobs 50 --format scenario -o w.toml"
    case(f"generate-workload-{name}", [one for one in f"generate workload {words} --jobs 300 --output w.swf{more}".split(" && ")]
         + [f"generate workload {words} --jobs 5"])
case("generate-workload-default", "generate workload -o w.swf")
case("generate-workload-wrong", ["generate workload --model beosim --types both", "generate workload --arrivals daily", "generate workload --model wang-zhang --nodes 3",
                                 "generate workload --attributes a.csv", "generate workload --format scenario --jobs 0",
                                 "generate workload --model wang-zhang --format scenario --attributes a.csv", "generate workload --set umed",
                                 "generate workload --set umed=x", "generate workload --set nothing=1", "generate workload --model beosim --set run=exp",
                                 "generate workload --model beosim --set run=exp:-1", "generate workload --decimals 10", "generate workload --model best",
                                 "generate workload --jobs 3 -o no/x", "generate workload --model wang-zhang --jobs 3 --attributes no/x", "generate workload --set a1=-1"])

# --- simulate: grids -------------------------------------------------------------------------------------------------------

ALSO = "--jobs jobs.csv --events events.log --gantt gantt.svg"
for name in TEMPLATES:
    case(f"simulate-{name}", [f"simulate {name}.toml --no-times {ALSO}", f"simulate {name}.toml --no-times --format csv --seed 2"])
for name in "wwg gsim-base data-grid gridsim-economy".split():
    case(f"simulate-{name}-policies", [f"simulate {name}.toml --no-times --format json --policy {policy}"
                                       for policy in "olb met mct mct-batch minmin maxmin sufferage duplex xsufferage qgmm fcfs fjbr tlmm tlqmm".split()])
case("simulate-dside-policies", [f"simulate dside-desktop.toml --no-times --format json --policy {policy}" for policy in "mct minmin fjfr fjbr minmax maxmax".split()]
     + ["simulate dside-tornado.toml --no-times --format json --policy fjfr"])
case("simulate-table-policies", [f"simulate {name}.toml --no-times --format csv --policy {policy}" for name in ("gsim-table", "gridsim-table") for policy in ("olb", "minmin", "tlmm", "sat")])
case("simulate-gsim-base-sat", "simulate gsim-base.toml --no-times --format json --policy sat --events e.log")
case("simulate-gsim-base-tlsat", "simulate gsim-base.toml --no-times --policy tlsat --seed 3 --jobs j.csv")
case("simulate-economy-users", "simulate gridsim-economy.toml --no-times --format json --users u.csv")
case("simulate-economy-brokers", [f"simulate gridsim-economy.toml --no-times --policy {policy}" for policy in "broker-cost broker-time broker-cost-time broker-none".split()])

POLICIES = ("olb met mct mct-batch minmin maxmin sufferage duplex sufferage-rounds xsufferage xsufferage-passes qgmm fcfs fjfr fjbr minmax maxmax tlmm tlqmm sat tlsat "
            "broker-cost broker-time broker-cost-time broker-none").split() + SEARCHES
for policy in POLICIES:
    case(f"simulate-policy-{policy}", [f"simulate small.toml --no-times --policy {policy} --format json {ALSO}", f"simulate small.toml --no-times --policy {policy}"])
case("simulate-policy-wrong", ["simulate small.toml --policy best", "simulate small.toml --policy fixed", "simulate small.toml --policy ''"])
case("simulate-formats", [f"simulate small.toml --no-times --format {form}" for form in FORMATS] + ["simulate small.toml --no-times -o out -q"])
case("simulate-times", ["simulate small.toml", "simulate small.toml --format json", "simulate small.toml --format csv"],
     norm=[JSON_SECONDS, (r"(decisions +\d+ in )\d+\.\d+ s", r"\1TIME s"), csv_column("scheduling_seconds")])
GRIDS = {}


def grid(name, content, options=ALSO):
    text(f"{name}.toml", content)
    GRIDS[name] = options


A = "[[resource]]\nname = 'a'\nmips = 100\n"
JOB = "[[job]]\nmi = 5\n"
GRIDS["stuck"] = ALSO
grid("commands", "[[resource]]\nmips = 1\npes = 2\n[[job]]\nmi = 10\n[[job]]\nmi = 5\n[[job]]\nmi = 50\n[[job]]\nname = 'late one=%'\nmi = 7\nat = 3\n"
     "[[command]]\nat = 2\nhalt = 0\n[[command]]\nat = 4\nresume = 0\n[[command]]\nat = 5\ncancel = 3\n[[command]]\nat = 5\nresume = 1\n[[command]]\nat = 30\nend = true\n")
grid("stop-time", TEXTS["small.toml"].decode() + "\n[stop]\ntime = 8\n")
grid("stop-jobs", TEXTS["small.toml"].decode() + "\n[stop]\njobs = 3\n")
grid("stop-inactivity", "[[resource]]\nmips = 1\n[[job]]\nmi = 1\n[[job]]\nat = 500\nmi = 1\n[stop]\ninactivity = 100\n")
grid("output-files", TEXTS["small.toml"].decode() + "\n[output]\njobs = \"a.csv\"\nevents = \"a.log\"\ngantt = \"a.svg\"\n", "--jobs b.csv")
grid("machines", "[[resource]]\nmachines = [{ pes = 2, mips = 3 }, { mips = 1 }]\n[[resource]]\ncount = 2\npes = 2\nmips = 2\npolicy = 'time-shared'\nname = 't'\n"
     + "".join(f"[[job]]\nat = {at}\nmi = {mi}\n" for at, mi in [(0, 9), (0, 4), (1, 20), (1, 3), (2, 8), (2.5, 11), (3, 1), (3, 30), (7, 6)]))
for number, policy in enumerate("space-shared time-shared time-shared-gsim time-shared-gridsim".split()):
    grid(f"allocation-{policy}", f"[[resource]]\npes = 3\nmips = 2\npolicy = '{policy}'\nload = 20\n"
         + "".join(f"[[job]]\nat = {at}\nmi = {mi}\n" for at, mi in [(0, 9), (0.5, 4), (1, 20), (1, 3), (2, 8), (2.5, 11), (3, 1), (3, 30), (7, 6), (7, 5.25)]))
USERS = "[[users]]\ncount = 3\ntasks = 4\ngap = 20\nsize = 700\n"
grid("load-calendar", "start = '2005-01-07T20:00'\n[[resource]]\nname = 'office'\npes = 2\nmips = 1\n[resource.load]\nweekdays = [10, 90, 60]\nweekends = [5]\nholidays = [0, 50]\n"
     "holiday_weeks = [1, 52]\ntime_zone = 1.5\nrandomiser = 'binomial'\nperiod = 7200\n[[users]]\ncount = 4\ntasks = 5\ngap = 20000\nsize = { exponential = 20000 }\n")
grid("load-even", "[[resource]]\nname = 'r'\ncount = 3\nmips = 10\nload = { average = 50, randomiser = 'even', limit = 30, period = 60 }\n" + USERS)
grid("load-constant", "[[resource]]\nmips = 10\nload = 35\n[[resource]]\nmips = 10\nload = { average = 80 }\n" + USERS)
for name, law in [("constant", "{ constant = 500 }"), ("uniform", "{ uniform = [100, 1000] }"), ("exponential", "{ exponential = 700 }"), ("normal", "{ normal = [600, 100] }"),
                  ("weibull", "{ weibull = [0.7, 600] }"), ("lognormal", "{ lognormal = [6.2, 1.1] }"), ("gamma", "{ gamma = [0.5, 1200] }")]:
    grid(f"law-{name}", f"[[resource]]\ncount = 2\nmips = 10\n[[users]]\ncount = 4\ntasks = 3\ngap = {law}\nsize = {law}\nweights = [1]\napplications = 2\n", "--jobs jobs.csv")
FAILING = ("[[resource]]\nname = 'a'\ncount = 2\nmips = 1\n[resource.failure]\nchanges = [{{ at = 40, down = true }}, {{ at = 50, up = true }}, {{ at = 60, capacity = 50 }}, "
           "{{ at = 200, down = true }}, {{ at = 230, up = true }}]\n{}\n[[resource]]\nname = 'b'\nmips = 2\n[resource.failure]\nfails = {{ uniform = [0, 300] }}\nrestores = {{ exponential = 20 }}\n"
           "on_failure = 'resubmit'\n[[users]]\ncount = 4\ntasks = 4\ngap = 30\nsize = {{ uniform = [20, 200] }}\n[[scheduler]]\npolicy = 'mct'\n")
for name, rule in [("lost", "on_failure = 'lost'"), ("restart", "on_failure = 'restart'"), ("resubmit", "on_failure = 'resubmit'"),
                   ("checkpoint", "on_failure = 'checkpoint'\ncheckpoint = 30\ncheckpoint_cost = 5"), ("stay", "on_failure = 'checkpoint'\ncheckpoint = 30\nstay = true"),
                   ("migrate", "on_failure = 'migrate'\nmigration_cost = 10")]:
    grid(f"failure-{name}", FAILING.format(rule))


def trace():
    lines = ["# event component node platform name type start stop reason"]
    for node in range(3):
        time = 1_000_000_000 + node * 37
        for event in range(12):
            length = 40 + (event * 53 + node * 17) % 90
            lines.append(f"{event}\t0\t{node}\t3\t{node}.0\t{1 - event % 2}\t{time}\t{time + length}\tNULL")
            time += length
    return "\n".join(lines) + "\n"


text("event_trace.tab", trace())
text("event_trace.tab.gz", gzip.compress(trace().encode(), mtime=0))
text("broken.tab.gz", gzip.compress(trace().encode(), mtime=0)[:60])
grid("failure-trace", "[[resource]]\ncount = 2\nmips = 1\n[resource.failure]\ntrace = 'event_trace.tab'\ntrace_start = 1000000010\ntrace_node = 1\non_failure = 'checkpoint'\ncheckpoint = 10\n"
     "[[users]]\ncount = 2\ntasks = 5\ngap = 30\nsize = 40\n")
grid("failure-trace-gz", "[[resource]]\ncount = 3\nmips = 1\n[resource.failure]\ntrace = 'event_trace.tab.gz'\n[[users]]\ncount = 2\ntasks = 5\ngap = 30\nsize = 40\n")
COMPETITORS = "[[resource]]\nname = 'a'\nmips = 1\n[[resource]]\nname = 'b'\nmips = 0.5\nregisters = 70\n[[scheduler]]\nname = 'x'\n[[scheduler]]\nname = 'y'\npolicy = 'tlmm'\n" + "".join(
    f"[[job]]\nat = {at}\nmi = {mi}\nscheduler = '{who}'\n" for at, mi, who in [(10, 100, "x"), (20, 10, "y"), (62, 10, "y"), (66, 10, "y"), (67, 30, "x"), (90, 12, "y"), (91, 8, "x")])
grid("information", COMPETITORS + "[information]\nping = 60\ndelay = 5\n")
grid("information-forgetful", COMPETITORS + "[information]\nping = 60\nown_jobs = false\n")
grid("registers", COMPETITORS)
SITES = TEXTS["small.toml"].decode().replace("[[scheduler]]\npolicy = \"minmin\"\nwait = 5\n", "")
grid("hierarchy", SITES + "[[scheduler]]\nname = 'meta'\npolicy = 'mct'\ntargets = ['near', 'far-away']\n[[scheduler]]\nname = 'near'\npolicy = 'fjfr'\ntargets = ['site:grid']\n"
     "[[scheduler]]\nname = 'far-away'\npolicy = 'tlqmm'\nwait = 3\ntargets = ['other']\n")
grid("in-turn", SITES.replace("tasks = 6", "tasks = 6\nschedulers = ['one', 'two']") + "[[scheduler]]\nname = 'one'\npolicy = 'sufferage'\nmode = 'count'\njobs = 4\n"
     "[[scheduler]]\nname = 'two'\npolicy = 'maxmin'\nmode = 'when-free'\nestimator = 'exact'\n")
for name in "auto shares exact".split():
    grid(f"estimator-{name}", SITES + f"[[scheduler]]\npolicy = 'minmin'\nestimator = '{name}'\n[estimates]\nerror = 30\n")
grid("estimator-delay", "[[resource]]\ncount = 2\nmips = 3\n[[scheduler]]\nestimator = 'delay'\nmode = 'batch'\nwait = 2\n[estimates]\nless = 0.3\nmore = 0.5\n[[users]]\ncount = 3\ntasks = 4\ngap = 2\nsize = 9\n")
grid("sat-gap", SITES + "[[scheduler]]\npolicy = 'sat'\ngap = 0\ntime_limit = 50\nwait = 20\n")
grid("matrix", "[[resource]]\ncount = 3\nmips = 1\n[etc]\nmatrix = [[1, 2.5, \"inf\"], [3, \"0.123456789\", 4], [inf, 7e-9, 12]]\nat = 0.5\n")
grid("mapping", "[[resource]]\ncount = 4\nmips = 1\n[etc]\nfile = 'braun-demo.json'\nmapping = [0, 0, 0, 1, 1, 3, 1, 2, 1, 1, 0, 3]\n")
DATA = TEXTS.get("data") or PROJECT["data-grid.toml"].read_text()
grid("data-none", DATA.replace('model = "guts"', 'model = "none"').split("routers =")[0] + "[[file]]" + DATA.split("[[file]]", 1)[1])
grid("data-baud", DATA.replace('model = "guts"', 'model = "baud-rate"').split("routers =")[0] + "baud = 1e8\nrates = { archive = 1e9, north = 5e7 }\n[[file]]" + DATA.split("[[file]]", 1)[1])
grid("data-storage", DATA.replace("storage = 10e9", "storage = 27e8").replace("storage = 40e9", "storage = 5e9"))
grid("data-small", "[[resource]]\nname = 'a'\nmips = 1\nio = 5\nstorage = 9000\n[network]\nmodel = 'baud-rate'\nhosts = ['desk']\nbaud = 8000\n[[file]]\nname = 'x'\nsize = 3000\nhosts = ['desk']\n"
     "[[file]]\nname = 'y'\nsize = 500\n[[job]]\nmi = 10\nhome = 'desk'\ninput = 5000\noutput = 2000\n[[job]]\nmi = 10\ninputs = ['x']\noutputs = ['y']\n[[job]]\nmi = 3\ninputs = ['y']\n[[job]]\nio = 20\n")
ECONOMY = "[[resource]]\nname = 'cheap'\nmips = 1\nprice = 1\n[[resource]]\nname = 'dear'\nmips = 2\nprice = 5\n[[users]]\ncount = 2\ngap = {{ constant = 3 }}\ntasks = 4\nsize = {{ constant = 10 }}\n{}\n[[scheduler]]\npolicy = '{}'\nwait = 1\n"
grid("economy-cost", ECONOMY.format("deadline = 30\nbudget = 70", "broker-cost"))
grid("economy-time-limit", ECONOMY.format("d_factor = 0.5\nb_factor = 0.3", "broker-cost-time") + "mode = 'time-limit'\n")
grid("economy-poor", ECONOMY.format("deadline = 12\nbudget = 35", "broker-none"))
RESERVED = "[[resource]]\nname = 'a'\npes = 2\nmips = 1\n[[job]]\nmi = 100\n[[job]]\nmi = 100\n[[job]]\nmi = 10\n[[job]]\nat = 10\nmi = 15\nreservation = 'R'\n[[reservation]]\nname = 'R'\nresource = 'a'\npes = 1\nstart = 40\nduration = 20\n"
grid("reservation", RESERVED)
grid("reservations", RESERVED + "".join(f"[[reservation]]\nname = '{name}'\nresource = 'a'\npes = {pes}\nstart = {start}\nduration = 20\n{more}\n" for name, pes, start, more in [
    ("refused", 2, 50, ""), ("moved", 2, 50, "on_conflict = 'move'"), ("expired", 1, 100, "commit = 95\ntimeout = 5"), ("cancelled", 1, 150, "cancel = 155"),
    ("offered", 1, 900, "commit = 880\nrequested = 100"), ("active", 1, 300, "")]) + "[[job]]\nat = 20\nmi = 30\nreservation = 'active'\n[stop]\ntime = 850\n")
grid("reservation-failure", RESERVED.replace("mips = 1\n", "mips = 1\nfailure = { changes = [{ at = 45, down = true }, { at = 52, up = true }], on_failure = 'checkpoint', checkpoint = 5 }\n", 1))
grid("names", "name = \"a <b> & 'c'\"\n[[resource]]\nname = 'x y=%<'\nmips = 1\n[[job]]\nname = 'the \"job\", <1>'\nmi = 3\n[[job]]\nmi = 4\n")
grid("defaults", "[[resource]]\nmips = 100\n[[job]]\nmi = 500\n")
GRID_FILES = {"failure-trace": "event_trace.tab", "failure-trace-gz": "event_trace.tab.gz", "mapping": "braun-demo.json"}
for name, options in GRIDS.items():
    case(f"simulate-grid-{name}", [f"simulate {name}.toml --no-times {options}", f"simulate {name}.toml --no-times --format json"], more=GRID_FILES.get(name, ""))
case("simulate-grid-fixed", ["simulate mapping.toml --no-times --policy fixed", "simulate mapping.toml --no-times --policy minmin --format json",
                             "compare mapping.toml --policy own,fixed,mct --no-times"], more="braun-demo.json")


@functools.cache
def as_json(name):
    import tomllib
    return json.dumps(tomllib.loads(content_of(name).decode()), indent=1)


text("gsim-base-2.json", as_json("gsim-base.toml"))
text("data-grid-2.json", as_json("data-grid.toml"))
text("beosim-grid-2.json", as_json("beosim-grid.toml"))
case("simulate-json", [f"simulate gsim-base-2.json --no-times {ALSO}", "simulate data-grid-2.json --no-times --format json",
                       "simulate beosim-grid-2.json --no-times --format json", "compare beosim-grid-2.json --policy fcfs,easy"])
case("simulate-stdin", "simulate -", stdin="small.toml")
case("simulate-interrupted", "simulate endless.toml --policy mct --format json --no-times", interrupt=0.5, norm=[kept_keys("end", "scenario", "seed", "gridsat")])

# --- simulate: clusters ----------------------------------------------------------------------------------------------------

SWF = "--jobs jobs.csv --swf log.swf --view page.html"
for name in "beosim-100 beosim-grid".split():
    case(f"clusters-{name}", [f"simulate {name}.toml --no-times {SWF}", f"simulate {name}.toml --no-times --format csv --seed 5", f"simulate {name}.toml --no-times --format json --policy conservative"])
case("clusters-swf-kth", ["simulate swf-kth.toml", "compare swf-kth.toml"])
CLUSTER_POLICIES = ("fcfs sjf longest smjf ljf swjf bjf priority fcfs-scan sjf-scan longest-scan smjf-scan ljf-scan swjf-scan bjf-scan priority-scan fcfs-scan-no-starvation "
                    "fcfs-scan-backfill fcfs-scan-backfill-var easy conservative preemptive").split()
for policy in CLUSTER_POLICIES:
    case(f"clusters-policy-{policy}", [f"simulate lublin.toml --no-times --format json --policy {policy} --jobs jobs.csv", f"simulate priorities.toml --no-times --policy {policy} --jobs p.csv"])
text("priorities.toml", "overrun = 'kill'\n[[cluster]]\nnodes = 8\n[scheduler]\nmax_hops = 2\ndelay_percent = 30\nkeeps_work = false\n" + "".join(
    f"[[job]]\nat = {3 * i}\nnodes = {1 + i * 5 % 8}\nrun = {5 + i * 7 % 31}\nestimate = {9 + i * 11 % 37}\npriority = {i * 3 % 5}\nuser = {i % 4}\n" for i in range(40)))
case("clusters-policy-names", [f"simulate lublin.toml --no-times --format csv --policy {name}" for name in
                               "FCFS SJF_SCAN FCFS_SCANNoStarvation FCFS_SCANBackfill FCFS_SCANBackfill_Var EASY Conservative Pre_Emptive".split()] + ["simulate lublin.toml --policy best"])
case("clusters-formats", [f"simulate lublin.toml --no-times --format {form}" for form in FORMATS] + ["simulate lublin.toml -o out -q --seed 3", f"simulate lublin.toml {SWF} -q"])
CLUSTERS = {}


def clusters(name, content, options=SWF):
    text(f"{name}.toml", content)
    CLUSTERS[name] = options


clusters("clusters-least", "[[cluster]]\nnodes = 4\n[[job]]\nnodes = 2\nrun = 5\n")
clusters("clusters-many", "[[cluster]]\ncount = 9\nnodes = 1\n[[job]]\nrun = 1\n")
clusters("requests", "overrun = 'kill'\n[penalty]\nfixed = 1\nper_node = 1\n[[cluster]]\nname = 'a'\nnodes = 4\n[[cluster]]\nname = 'b'\ngroups = [{ nodes = 1, speed = 2.0 }, { nodes = 1, speed = 2.0 }]\n"
         "[[job]]\nnodes = 3\nrun = 10\n[[job]]\nat = 1\nnodes = 3\nrun = 10\n[[job]]\nat = 2\nrequest = 'ordered'\ncomponents = [4, 0]\nrun = 5\n[[job]]\nat = 3\nrequest = 'unordered'\ncomponents = [1, 2]\nhome = 'b'\nrun = 4\n"
         "[[job]]\nat = 4\nnodes = 2\nrequest = 'single'\nhome = 'b'\nrun = 8\n[[job]]\nname = 'molded'\nat = 5\nrun = 12\nmoldable = { most = 4, amdahl = 0.0 }\n[[job]]\nat = 50\nnodes = 6\nrun = 9\nestimate = 7\n[[job]]\nat = 51\nnodes = 9\nrun = 1\n")
clusters("moldable", "decimals = 2\n[[cluster]]\ncount = 2\nnodes = 8\n" + "".join(f"[[job]]\nat = {2 * i}\nnodes = 4\nrun = {20 + i}.25\nmoldable = {{ least = 2, most = 8, {curve} }}\n" for i, curve in enumerate(
    ["amdahl = 0.1", "downey = [6, 0.5]", "downey = [3, 2]", "table = [1, 1.9, 2.7, 3.2]"] * 3)))
clusters("model-moldable", "[[cluster]]\nnodes = 64\n[jobs]\nmodel = 'beosim'\ncount = 200\nmoldable = { least = 1, amdahl = 0.05 }\nset = { gap = { exponential = 500 } }\n")
clusters("local-queues", "threshold = 60\n[[cluster]]\nname = 'a'\nnodes = 32\n[[cluster]]\nname = 'b'\nnodes = 16\nspeed = 1.7\n[scheduler]\nqueue = 'local'\npolicy = 'conservative'\n[jobs]\nmodel = 'beosim'\ncount = 400\nhome = 'random'\n"
         "set = { gap = { exponential = 4000 } }\n[estimates]\nfactor = [0.5, 2]\n")
clusters("nearest", "[[cluster]]\nname = 'a'\nnodes = 32\n[[cluster]]\nname = 'b'\nnodes = 16\n[[cluster]]\nname = 'c'\nnodes = 8\n[scheduler]\nchoice = 'nearest-fit'\npolicy = 'ljf-scan'\n[penalty]\nper_node = 5\n[jobs]\nmodel = 'lublin'\ntypes = 'both'\n"
         "count = 300\nhome = 'c'\nrequest = 'single'\nnodes = 32\n[estimates]\nexact = true\n")
clusters("wang-zhang", "[[cluster]]\ncount = 4\nnodes = 128\n[scheduler]\npolicy = 'fcfs-scan'\n[jobs]\nmodel = 'wang-zhang'\narrivals = 'daily'\ncount = 300\nset = { alpha = 1.5, s = 2 }\n")
clusters("unordered", "[[cluster]]\ncount = 3\nnodes = 16\n[jobs]\nmodel = 'beosim'\ncount = 300\nrequest = 'unordered'\ncomponent = 8\nset = { gap = { exponential = 6000 }, size = { uniform = [1, 40] } }\n")
clusters("clusters-stopped", "[stop]\ntime = 100000\n[[cluster]]\nnodes = 32\n[jobs]\nmodel = 'beosim'\ncount = 400\n")
clusters("clusters-stopped-jobs", "[stop]\njobs = 100\n[[cluster]]\nnodes = 32\n[jobs]\nmodel = 'beosim'\ncount = 400\nset = { gap = { exponential = 2000 } }\n")
clusters("clusters-output", "[[cluster]]\nnodes = 4\n[[job]]\nnodes = 2\nrun = 5\n[output]\njobs = 'j.csv'\nswf = 'l.swf'\nview = 'v.html'\n", "--swf other.swf")
clusters("preemptive", "[scheduler]\npolicy = 'preemptive'\n[[cluster]]\nnodes = 8\n" + "".join(f"[[job]]\nat = {2 * i}\nnodes = {1 + i * 5 % 8}\nrun = {5 + i * 7 % 31}\npriority = {i * 3 % 5}\n" for i in range(30)))
clusters("trace-options", "decimals = 1\n[[cluster]]\nnodes = 4\n[jobs]\ntrace = 'messy.swf'\nprocessors = 'asked'\nrun_time = 'cpu'\nzero_run = 'keep'\npriority = 'queue'\nstart = 'first-job'\ncount = 5\n")
clusters("trace-skip", "[[cluster]]\nname = 'p1'\nnodes = 4\n[[cluster]]\nname = 'p2'\nnodes = 2\n[scheduler]\npolicy = 'easy'\n[jobs]\ntrace = 'messy.swf'\nzero_run = 'skip'\nhome = 'in-turn'\n")
text("messy.swf", "; Version: 2.2\r\n;  MaxNodes:  4   \r\n;\u00e9t\u00e9\n\n\t  1 10  -1 12.50 4 0.33 -1 4 60 -1 1 1 1 -1 0 -1 -1 -1\r\n; a remark: in between\n2\t15 -1 3 1 -1 -1 2 2 -1 0 1 1 -1 0 -1 -1 -1   \n\r\n"
     "3 15 -1 0 1 -1 -1 1 60 -1 1 2 1 -1 3 -1 2 10\n4 16 -1 -1 -1 -1 -1 1 60 -1 5 2 1 -1 3 -1 -1 -1\n5 17 -1 4 3 7 -1 3 -1 -1 2 2 1 -1 3 -1 -1 -1\n6 17 -1 4 3 7 -1 3 0 -1 1 2 1 -1 3 -1 -1 -1\n7 20 -1 8 9 7 -1 3 10 -1 1 2 1 -1 3 -1 -1 -1")
text("lenient.swf", "; MaxNodes: 4\n0 1000 -5 12 4 -1 -1 4 60 -1 9 1 1 -1 0 -1 -1 -1 77\n2 1010 -1 3 1 -1 -1 1 60 -1 1 1 1 -1 0 -1 -1 -1\n")
text("packed.swf.gz", gzip.compress(TEXTS["x.swf"], mtime=0))
text("cut.swf.gz", gzip.compress(TEXTS["messy.swf"] * 20, mtime=0)[:100])
text("bad.swf", TEXTS["x.swf"].replace(b"3 2 -1 3", b"3 2 -1 x"))
text("none.swf", TEXTS["x.swf"].replace(b"MaxProcs: 4", b"no nodes"))
text("back.swf", TEXTS["x.swf"].replace(b"3 2 -1 3", b"3 0 -1 3"))
text("short.swf", TEXTS["x.swf"] + b"1 2 3\n")
for name, options in CLUSTERS.items():
    case(f"clusters-file-{name}", [f"simulate {name}.toml --no-times {options}", f"simulate {name}.toml --no-times --format json"], more="messy.swf")
case("clusters-traces", [f"simulate x.swf {more}".strip() for more in ("", "--policy easy", "--nodes 8", "--nodes 3 --format json", "--format csv", SWF)]
     + ["simulate packed.swf.gz --policy conservative --format json", "simulate messy.swf", "simulate messy.swf --format json --lenient", "simulate lenient.swf --lenient --jobs l.csv", "simulate lenient.swf"])
case("clusters-traces-wrong", ["simulate bad.swf --swf l.swf", "simulate none.swf", "simulate missing.swf", "simulate back.swf", "simulate back.swf --lenient", "simulate short.swf", "simulate cut.swf.gz",
                               "simulate x.swf --gantt g", "simulate x.swf --events e", "simulate x.swf --nodes 0", "simulate x.swf --policy best", "simulate x.swf --view same.html --jobs same.html"])
case("clusters-log-again", ["simulate w.swf --policy easy --swf 1.swf --jobs 1.csv", "simulate 1.swf --policy easy --swf 2.swf --jobs 2.csv"],
     setup="generate workload --model beosim --nodes 64 --jobs 500 --set gap=exp:9000 --output w.swf")
case("clusters-generated-scenario", ["simulate w.toml --policy fcfs --jobs 1.csv", "simulate w.toml --format json"],
     setup="generate workload --types batch --nodes 32 --jobs 300 --seed 3 --format scenario --output w.toml")
for form in FORMATS:
    case(f"clusters-compare-{form}", [f"compare lublin.toml --format {form}", f"compare x.swf --policy fcfs,easy,own --format {form}", f"compare beosim-grid.toml --policies own,fcfs,conservative -r 2 --seed 4 --format {form}"])
case("clusters-compare-more", ["compare beosim-100.toml --policies fcfs,easy,conservative,sjf-scan", "compare x.swf --nodes 8 --policies fcfs --format csv", "compare packed.swf.gz -o table -q", "compare lenient.swf --lenient --policy fcfs",
                               "compare priorities.toml --policies " + ",".join(CLUSTER_POLICIES)])
case("clusters-compare-wrong", ["compare lublin.toml --policy best", "compare lublin.toml --gap 0.1", "compare lublin.toml --nodes 8", "compare bad.swf", "compare missing.swf", "compare lublin.toml --policy own,,fcfs"])
text("heavy.csv", "gap,service,servers\n10,20,2\n")
text("columns.csv", "gap,service\n10,20\n")
text("words.csv", "gap,service,servers\n10,x,2\n")
case("clusters-check", ["simulate --check mmm", "simulate --check mmm one.csv", "simulate --check mmm one.csv --seed 5 --format json", "simulate --check mmm one.csv --format csv -o out.csv", "simulate --check mmm tiny.csv"])
case("clusters-check-wrong", ["simulate --check mmm heavy.csv", "simulate --check mmm columns.csv", "simulate --check mmm words.csv", "simulate --check mmm none.csv", "simulate --check mmm --policy fcfs", "simulate --check mm1"])
text("endless-clusters.toml", TEXTS["lublin.toml"].decode().replace("count = 300", "count = 1000000000000"))
case("clusters-interrupted", "simulate endless-clusters.toml --format json", interrupt=0.4, norm=[kept_keys("end", "scenario", "seed", "policy")])

# --- experiments -----------------------------------------------------------------------------------------------------------

for form in FORMATS:
    case(f"experiment-list-{form}", f"experiment list --format {form}")
SLOW = {"optimal-grid-size": "-r 1 -a mct,minmin,tlmm", "optimal-information": "-r 1 -a mct,minmin,tlmm", "optimal-qos-share": "-r 1 -a minmin,sat", "optimal-heterogeneity": "-r 1",
        "strategies": "-r 1", "optimal-wait-time": "-r 1"}
for name in EXPERIMENTS:
    norm = []
    if name == "local-search":
        # The last metric, and with it the last table, is wall-clock time.
        norm = [lambda file, content: re.sub(r'("values":\[[^\]]*),[^,\]]*\]', r"\1,TIME]", content) if file.endswith(".jsonl") else content,
                lambda file, content: re.sub(r"(?s)Mean[^\n]*\(s\)[^\n]*\n.*?\n\n", "Mean TIME\n\n", content) if file == "stdout" else content]
    case(f"experiment-{name}", f"experiment {name} --quick --threads 1 {SLOW.get(name, '')}".strip(), norm=norm)
text("sweep.json", json.dumps(__import__("tomllib").loads(TEXTS["sweep.toml"].decode())))
SWEEP = "experiment sweep.toml --threads 1"
for form in FORMATS:
    case(f"experiment-sweep-{form}", f"{SWEEP} --format {form}")
case("experiment-options", ["experiment sweep.toml -t 1 --quick -q", "experiment sweep.toml --threads 1 -r 3 --seed 9 --algorithms mct,tlqmm,olb --result other.jsonl -o out.txt", "experiment sweep.json --threads 1 --quick --result json.jsonl --format csv"])
case("experiment-threads", "experiment sweep.toml --threads 3")
case("experiment-all-cores", "experiment sweep.toml --format csv")
case("experiment-shown-again", [SWEEP, f"{SWEEP} --format json"], setup=SWEEP)


# As if killed after two parts.
LEFT = ["plan experiment sweep.toml --parts 12 --out sweep.jsonl.parts",
        *(f"work sweep.jsonl.parts --part {part}" for part in (0, 7))]


def damaged_part(folder):
    (folder / "sweep.jsonl.parts/parts/7").write_bytes(b'{"gridsat_part":1,"pl')


case("experiment-resumed", SWEEP, setup=LEFT)
case("experiment-resumed-from-nothing", SWEEP, setup=LEFT[:1])
case("experiment-resumed-damaged", SWEEP, setup=[*LEFT, damaged_part])
case("experiment-resumed-other", [f"{SWEEP} -r 2", f"{SWEEP} -r 2 --fresh"], setup=LEFT)
case("experiment-other-result", [f"{SWEEP} --seed 3", f"{SWEEP} --seed 3 --fresh"], setup=SWEEP)


def other_version(folder):
    path = folder / "sweep.jsonl"
    path.write_text(path.read_text().replace('"gridsat":"0.1.0"', '"gridsat":"0.0.9"'))


case("experiment-other-version", [SWEEP, f"{SWEEP} --fresh"], setup=[SWEEP, other_version])
CLUSTER_SWEEP = """
title = "Clusters"
replications = 2
algorithms = ["own", "fcfs", "conservative"]
metrics = ["wait", "max_wait", "flow", "slowdown", "bounded_slowdown", "queue_depth", "utilisation", "throughput", "makespan", "finished"]
baseline = "fcfs"
[base]
scenario = "lublin.toml"
set = { "jobs.count" = 100 }
[[sweep]]
keys = ["cluster[a].nodes", "cluster[1].nodes"]
values = [[16, 8], [32, 32]]
labels = ["few", "many"]
"""
text("clusters-sweep.toml", CLUSTER_SWEEP)
case("experiment-clusters", ["experiment clusters-sweep.toml --threads 1", "experiment clusters-sweep.toml --threads 1 --format json"], more="lublin.toml")
text("failing-sweep.toml", "replications = 2\nalgorithms = ['own', 'mct']\nmetrics = ['lost_jobs', 'lost_work', 'useful_work', 'downtime', 'missed', 'spent', 'bound']\n[base]\nscenario = 'failure-lost.toml'\n"
     "[[sweep]]\nkey = 'users.size.uniform[1]'\nrange = { from = 50, to = 250, step = 100 }\n[[sweep]]\nkey = 'resource[b].mips'\nvalues = [1, 2]\nfactors = [2]\nlog = true\n")
case("experiment-failures", ["experiment failing-sweep.toml --threads 1", "experiment failing-sweep.toml --threads 1 --format csv"], more="failure-lost.toml")
text("no-sweep.toml", "replications = 2\nseed = 5\nname = 'some name/with slash'\nabout = 'nothing swept'\nalgorithms = ['own']\nmetrics = ['makespan']\n[base]\nscenario = 'small.toml'\n")
case("experiment-no-sweep", "experiment no-sweep.toml --threads 1", more="small.toml")
SUBJECTS = {
    "table": ("algorithms = ['own', 'space-shared', 'time-shared']\nmetrics = ['arrival', 'start', 'end', 'elapsed']", "template = 'gsim-table', job = 2"),
    "randomiser": ("algorithms = ['even', 'binomial']\nmetrics = ['mean', 'error', 'off', 'deviation', 'standard_error', 'min', 'max']", "average = 30, limit = 10, draws = 500"),
    "exponential": ("algorithms = ['inversion']\nmetrics = ['mean', 'error', 'deviation', 'ks', 'p', 'beyond', 'first_cell', 'max']", "rate = 2, draws = 500"),
    "queue": ("algorithms = ['pool', 'clusters', 'wide']\nmetrics = ['wait', 'wait_formula', 'wait_error', 'response', 'utilisation', 'agrees']", "gap = 10, service = 8, servers = 2, jobs = 2000"),
    "workload": ("algorithms = ['wang-zhang']\nmetrics = ['serial', 'powers', 'ratio', 'gap']", "jobs = 2000, arrivals = 'daily', alpha = 2"),
    "etc": ("algorithms = ['mct', 'minmin', 'ga', 'ig']\nmetrics = ['makespan', 'bound', 'excess', 'evaluations']", "class = 'jobcorr', tasks = 20, hosts = 4, evaluations = 500"),
    "decision": ("algorithms = ['bdd/varisat', 'adder/varisat', 'thesis/varisat', 'counter']\nmetrics = ['variables', 'clauses', 'literals', 'right', 'conflicts', 'steps']", "class = 'U1-10', tasks = 6, hosts = 3, question = 'below-optimum', surrogate = true"),
    "strategy": ("algorithms = ['thesis', 'sat', 'sat-descend', 'auto', 'auto-descend']\nmetrics = ['decisions', 'limit', 'within', 'questions', 'pairs', 'optimal']", "class = 'U1-10', tasks = 6, hosts = 3, extract = 'oracle'"),
}
for name, (head, settings) in SUBJECTS.items():
    text(f"subject-{name}.toml", f"replications = 2\n{head}\n[base]\nsubject = '{name}'\nset = {{ {settings} }}\n")
    text(f"subject-{name}-wrong.toml", f"replications = 2\n{head}\n[base]\nsubject = '{name}'\nset = {{ nothing = 1 }}\n")
    case(f"experiment-subject-{name}", f"experiment subject-{name}.toml --threads 1")
case("experiment-subjects-wrong", [f"experiment subject-{name}-wrong.toml" for name in SUBJECTS])


def bad_sweeps():
    base = TEXTS["sweep.toml"].decode()
    changes = [
        ("replications = 4", "replicatons = 4"), ("replications = 4", "replications = 0"), ("replications = 4", "replications = 4000000000"), ('"mct", "minmin", ', '"mct", "mct", '),
        ('"mct", "minmin"', '"mct", "minmax2"'), ('"ratio"', '"speed"'), ('baseline = "mct"', 'baseline = "met"'), ('"minmin"]]', '"x"]]'), ("gsim-base", "gsim"),
        ('template = "gsim-base"', 'subject = "moon"'), ('template = "gsim-base"', ""), ('template = "gsim-base"', 'scenario = "no/where.toml"'), ('"users.count" = 10', '"users[9].count" = 10'),
        ('"users.count" = 10', '"users.cuont" = 10'), ('key = "scheduler.wait"', 'key = "scheduler."'), ('key = "scheduler.wait"', ""), ("scheduler.wait", "scheduler.wiat"), ("from = 10", "from = 0"),
        ("log_range", "values = [1]\nlog_range"), ("count = 3 }", "}"), ("log_range = { from = 10, to = 1000, count = 3 }", "range = { from = 0, to = 1, step = 0.3 }"),
        ("log_range = { from = 10, to = 1000, count = 3 }", "values = []"), ("log_range = { from = 10, to = 1000, count = 3 }", "values = [1, 2]\nlabels = ['x']"),
        ("log_range = { from = 10, to = 1000, count = 3 }", "values = [1, 2]\nfactors = [1, 2]"), ("metrics", "metrix"), ('title = "A sweep"', "title = "), ("key = \"scheduler.wait\"", "key = \"scheduler[x].wait\"")]
    for number, (old, new) in enumerate(changes):
        assert old in base, old
        yield text(f"bad-sweep-{number:02}.toml", base.replace(old, new, 1))


case("experiment-wrong-files", [f"experiment {name} --threads 1" for name in bad_sweeps()])
text("broken.jsonl", '{"gridsat_result":1}\n')
text("foreign.jsonl", "no\n")
case("experiment-wrong", ["experiment no-such", "experiment no-such.toml", "experiment sweep.toml --algorithms mct,nim", "experiment sweep.toml --result broken.jsonl", "experiment sweep.toml --result foreign.jsonl",
                          "experiment sweep.toml --result no/x.jsonl", "experiment", "experiment sweep.toml -r 0", "experiment .", "experiment qos-share --only C1", "experiment sweep.toml --results x"])

CLAIMS = "experiment claims --only C13,C20 --quiet --threads 1"
CLAIM_NORM = [TIMES_JSON, (r"(?m)(\.jsonl: )\d+\.\d s$", r"\1TIME s")]
for form in FORMATS:
    case(f"claims-{form}", f"{CLAIMS} --results kept --format {form}", norm=CLAIM_NORM)
case("claims-again", [f"{CLAIMS} --results kept", f"{CLAIMS} --results kept --format json"], setup=f"{CLAIMS} --results kept", norm=CLAIM_NORM)
case("claims-page", f"{CLAIMS} --output page.md --fresh", norm=CLAIM_NORM)
case("claims-quick", "experiment claims --only C14,C15,c22,C28 --quick --quiet --threads 1 --format csv --seed 2 -r 3", norm=CLAIM_NORM)
# Every claim with a single small replication: mostly undecidable, but every judge has to say so.
case("claims-all-quick", "experiment claims --only C1,C2,C3,C4,C5,C6,C7,C8,C9,C10,C11,C13,C14,C15,C16,C20,C21,C22,C23,C24,C25,C26,C27,C28,C29 --quick --quiet --threads 1 -r 2 --format csv", norm=CLAIM_NORM)
case("claims-wrong", ["experiment claims --only C30", "experiment claims --algorithms mct", "experiment claims --result x", "experiment claims --only C13 --results odd.json"])

# --- report ----------------------------------------------------------------------------------------------------------------

MADE = "experiment tiny.toml --threads 1 --quiet --output out.txt"
case("report-page", "report tiny.jsonl", setup=MADE)
case("report-figures", "report tiny.jsonl --figures out/f --csv out --gantt 50/minmin@2 --gantt 0/mct -o page.html", setup=MADE)
case("report-no-gantt", "report tiny.jsonl --no-gantt -q", setup=MADE)
case("report-several", "report tiny.jsonl b.jsonl tiny.jsonl --no-gantt --csv c --figures f", setup=[MADE, "experiment tiny.toml --threads 1 --seed 5 --result b.jsonl -q -o out.txt"])
for name in "qos-share dside-recovery beosim-policies encodings workload-shares gsim-table mmm braun randomisers".split():
    case(f"report-{name}", f"report {name}-quick.jsonl --figures f --csv c", setup=f"experiment {name} --quick --threads 1 {'-r 1' if name == 'qos-share' else ''}")
case("report-sweep", "report sweep.jsonl --figures f --csv c", setup=SWEEP)
case("report-clusters", "report clusters-sweep.jsonl --figures f --csv c", more="lublin.toml", setup="experiment clusters-sweep.toml --threads 1")
case("report-failing", "report failing-sweep.jsonl --figures f --csv c", more="failure-lost.toml", setup="experiment failing-sweep.toml --threads 1")
case("report-no-sweep", "report x.jsonl --figures f --gantt own@6 --csv c", more="small.toml", setup="experiment no-sweep.toml --threads 1 --result x.jsonl")


def failed_run(folder):
    lines = (folder / "tiny.jsonl").read_text().splitlines()
    lines[2] = lines[2].split('"values"')[0] + '"error":"out of <img src=x> luck"}'
    (folder / "tiny.jsonl").write_text("\n".join(lines) + "\n")


def other_values(folder):
    path = folder / "tiny.jsonl"
    path.write_text(path.read_text().replace('"values":[', '"values":[1'))


case("report-failed-runs", ["report tiny.jsonl --csv c", "report tiny.jsonl --gantt 0/minmin -o no.html", "experiment tiny.toml --threads 1"], setup=[MADE, failed_run])
case("report-other-values", ["report tiny.jsonl --gantt 50/mct", "report tiny.jsonl"], setup=[MADE, other_values])


def bad_results(folder):
    whole = (folder / "tiny.jsonl").read_text()
    (folder / "empty.jsonl").write_text("")
    (folder / "foreign-2.jsonl").write_text('{"a":1}\n')
    (folder / "page.html").write_text(whole)
    (folder / "cut.jsonl").write_text(whole[:len(whole) * 2 // 3])
    (folder / "short.jsonl").write_text("\n".join(whole.splitlines()[:4]) + "\n")
    (folder / "future.jsonl").write_text(whole.replace('"gridsat_result":1', '"gridsat_result":9', 1))
    (folder / "bytes.jsonl").write_bytes(b"\xff\xfe\n")


case("report-wrong", ["report no.jsonl", "report .", "report empty.jsonl", "report foreign-2.jsonl", "report cut.jsonl", "report short.jsonl", "report future.jsonl", "report bytes.jsonl", "report tiny.toml",
                      "report tiny.jsonl cut.jsonl", "report page.html", "report tiny.jsonl -o tiny.jsonl", "report tiny.jsonl --gantt 51/mct", "report tiny.jsonl --gantt mct --no-gantt", "report",
                      "report tiny.jsonl --png", "report tiny.jsonl --png --figures f", "report tiny.jsonl -o no/page.html", "report tiny.jsonl --figures tiny.toml", "report tiny.jsonl --csv tiny.toml/x",
                      "report tiny.jsonl -o /dev/full"], setup=[MADE, bad_results])

# --- what is wrong ---------------------------------------------------------------------------------------------------------

BAD_FILES = [
    ("ragged.json", '{"etc": [[1, 2], [3]]}'), ("negative.json", '{"etc": [[1, -2]]}'), ("nan.json", '{"etc": [[1,\n NaN]]}'), ("nan.csv", "1,2\n3,NaN\n"), ("no-tasks.json", '{"etc": []}'),
    ("no-hosts.json", '{"etc": [[]]}'), ("nowhere.json", '{"etc": [[1], [null]]}'), ("huge.json", '{"etc": [[99999999999999999999]]}'), ("fine.json", '{"etc": [[4000000000000000000, 0.01]]}'),
    ("sum.json", '{"etc": [[4000000000000000000], [4000000000000000000]]}'), ("key.json", '{"etc": [[1]], "speed": 2}'), ("twice.json", '{"etc": [[1]], "etc": [[1]]}'),
    ("names.json", '{"etc": [[1]], "hosts": ["a", "b"]}'), ("same.json", '{"etc": [[1, 1]], "hosts": ["a", "a"]}'), ("word.json", '{"etc": [[1, "x"]]}'), ("escape.json", '{"etc": [[1, "\\u001b[31m"]]}'),
    ("raw-escape.json", b'{"etc": [[1, \x1b[31m]]}'), ("list.json", "[[1]]"), ("empty.json", ""), ("cut.json", '{"etc": [[1, 2'), ("bytes.json", b"\xff\xfe\x00"), ("ready.json", '{"etc": [[1, 1]], "ready": [1]}'),
    ("exponent.json", '{"etc": [[1e-30]]}'), ("deep.json", '{"etc": ' + "[" * 5000), ("ragged.csv", "a,b\n1,2\n3\n"), ("quote.csv", 'a,b\n1,"2\n'), ("empty.csv", ""), ("short.hcsp", "2 2\n1\n2\n3\n"),
    ("word.hcsp", "1 2\n1\ntwo\n"), ("word.txt", "many\n"), ("short.txt", "2\n2\n1 2\n"), ("instance.xyz", "1 2\n"), ("two-sizes.hcsp", "0 0\n"), ("empty.txt", "")]
for name, content in BAD_FILES:
    text(name, content)
case("wrong-instances", [f"solve {name} --output out --certificate cert.json --gantt g.svg" for name, _ in BAD_FILES])
case("wrong-instance-everywhere", [words.replace("FILE", file) for file in ("negative.json", "missing.json", ".") for words in
                                   ("solve FILE", "decide FILE -k 5", "export FILE -k 5", "decode FILE -k 5 demo.json", "verify FILE demo.json", "map FILE", "compare FILE")], more="demo.json")
case("wrong-usage", ["conquer demo.json", "solve", "solve demo.json --fast", "solve demo.json --format xml", "solve demo.json --strategy luck", "solve demo.json --encoding magic", "solve demo.json --time-limit=-1",
                     "solve demo.json --time-limit=nan", "solve demo.json --gap 2", "solve demo.json --threads 0", "solve demo.json --threads two", "solve demo.json --seed x", "solve demo.json --search up", "solve demo.json --extract luck",
                     "solve demo.json --at-most-one x", "solve demo.json --from xml", "solve demo.json extra", "verify demo.json", "decide demo.json -k 5 --encoding thesis --at-most-one ladder", "simulate", "simulate small.toml --format xml",
                     "simulate small.toml --seed x", "export demo.json --format x", "generate", "generate nothing", "experiment", "compare", "map", "solve demo.json --max-clauses x", "solve demo.json --gap"])
case("wrong-places", ["solve demo.json --output no/out.json", "solve demo.json --gantt no/g.svg", "solve odd.json --strategy sat --certificate no/cert.json", "solve odd.json --strategy sat --certificate no/cert.pbp",
                      "map demo.json --output no/out", "decide demo.json -k 6 --output no/out", "export demo.json -k 6 --output no/out", "export demo.json --format opb --output no/out", "verify demo.json even.json --output no/out",
                      "map demo.json --no-times --gantt no/g.svg", "compare demo.json -r 1 --no-times -o no/out", "bench --only 16x4_1 -a mct --no-times -o no/out", "solve demo.json -o .", "solve demo.json --gantt .", "solve demo.json --certificate ."],
     norm=[SECONDS])
case("wrong-places-full", ["solve demo.json --no-times -o /dev/full", "solve demo.json --no-times --gantt /dev/full", "solve demo.json --no-times --certificate /dev/full", "map demo.json --no-times -o /dev/full",
                           *(f"simulate small.toml --no-times --{option} /dev/full" for option in ("jobs", "events", "gantt", "output")),
                           *(f"simulate lublin.toml --{option} /dev/full" for option in ("jobs", "swf", "output", "view"))])
case("wrong-places-simulate", [*(f"simulate small.toml --{option} no/such/file" for option in ("jobs", "events", "gantt", "output")), "simulate small.toml --jobs x --gantt x", "simulate none.toml --jobs x",
                               *(f"simulate lublin.toml --{option} no/such/file" for option in ("jobs", "swf", "output", "view")), "simulate lublin.toml --jobs x --swf x", "simulate lublin.toml --nodes 3",
                               "simulate lublin.toml --gantt g", "simulate lublin.toml --events g", "simulate small.toml --swf l.swf", "simulate small.toml --view v.html", "simulate small.toml --lenient", "simulate small.toml --nodes 4", "simulate ."])
case("wrong-keeps-what-was-there", ["export demo.json -k 9 --encoding thesis --max-clauses 3 --output precious", "solve empty.json --output precious --certificate precious --gantt precious", "generate etc --tasks 0 --output precious",
                                    "solve demo.json --format csv --output precious"], setup=lambda f: (f / "precious").write_text("precious"))


def group(name, texts, command="simulate {} --no-times", more="", ending="toml"):
    files = [text(f"{name}-{number:02}.{ending}", content) for number, content in enumerate(texts)]
    case(f"wrong-{name}", [command.format(file) for file in files], more=more)


def with_(more):
    return A + JOB + more


group("text", ["name = \n", "[stop\n", with_("[stop]\ntime = 'x'\n"), with_("[stop]\ntimes = 1\n"), with_("[[job]]\nat = 1\n"), f"seed = -1\n{A}{JOB}", f"{JOB}[[resource]]\nmips = {{ unifrom = [1, 2] }}\n",
               f"{JOB}[[resource]]\nmips = {{ uniform = [1, 2], constant = 3 }}\n", f"{JOB}[[resource]]\nmips = 'fast'\n", f"{A}load = 101\n{JOB}", b"name = '\xff'", "", with_("[nothing]\n"), with_("colour = 1\n")])
group("json", ['{ "seed": 1,\n  "job": 5 }', '{ "seed": 1', "[]", '{ "resource": [{ "mips": 1 }], "job": [{ "mi": 1, "x": 2 }] }', "", '{"cluster": 3}'], ending="json")
SLOWER = "[[resource]]\nname = 'slow'\n"
group("resources", [JOB, *(f"{A}{SLOWER}{keys}\n{JOB}" for keys in (
    "", "mips = 0", "mips = -2", "mips = nan", "mips = { uniform = [9, 3] }", "mips = { uniform = [0, 0] }", "mips = 1\npes = 0", "mips = 1\ncount = 0", "mips = 1\ncount = 1000000", "mips = 1\ncount = 1000\npes = 100000",
    "mips = 1\nmachines = []", "machines = []", "machines = [{ mips = 1 }, { mips = 0 }]", "machines = [{ mips = 1 }, { mips = 2 }]\npolicy = 'time-shared'", "mips = 1\npolicy = 'shared'", "mips = 1\nprice = -1", "mips = 1\nqos = -1",
    "mips = 1\nregisters = -1", "mips = 1\nio = 0", "mips = 1\nstorage = -3")), f"{A}{A}{JOB}", f"[[resource]]\nname = '*'\nmips = 1\n{JOB}", f"[[resource]]\nname = 'site:x'\nmips = 1\n{JOB}",
    f"[[resource]]\nname = \"b\\n\\u001b[2J\"\nmips = 0\n{JOB}"])
group("loads", [f"{A}load = {{ {load} }}\n{JOB}" for load in (
    "limit = 5", "average = 101", "weekends = [1]", "average = 1, weekdays = [1]", "weekdays = []", "weekdays = [1], holidays = [2], holiday_weeks = [53]", "average = 5, randomiser = 'odd'",
    "average = 5, randomiser = 'even', limit = 51", "average = 5, randomiser = 'even'", "average = 5, limit = 3", "average = 5, period = 3", "average = 5, randomiser = 'binomial', period = 0", "weekdays = [1], time_zone = 15")])
GROUP = "[[users]]\ncount = 2\ntasks = 3\ngap = 1\nsize = 7\n"
group("jobs", [A, *(A + GROUP.replace(old, new) for old, new in (
    ("count = 2", "count = 0"), ("size = 7", "size = -7"), ("gap = 1", "gap = -1"), ("gap = 1", "gap = 1e10"), ("size = 7", "size = 7\nqos = 1.5"), ("size = 7", "size = 7\nqos = 0.1"), ("size = 7", "size = 7\nweights = [1, 0, 1, 0]"),
    ("size = 7", "size = 7\nqos = 0\nweights = [1]"), ("size = 7", "size = 7\nschedulers = ['b']"), ("size = 7", "size = 7\nschedulers = []"), ("tasks = 3", "tasks = 4000000000\napplications = 4000000000"), ("size = 7", "size = 1e14"))),
    *(f"{A}[[job]]\n{keys}\n" for keys in ("name = 'j'\nmi = 0", "mi = 1\nat = -0.5", "mi = 1\nat = nan", "mi = 1\nat = 2e10", "mi = 1\nscheduler = 'x'", "mi = 1\nqos = 1", "mi = 1\nio = 2", "io = 2")), f"{A}load = 100\n{JOB}",
    with_("[estimates]\nerror = 100\n"), with_("[estimates]\nerror = 1\nless = 0.5\n")])
ETC = "[[resource]]\ncount = 2\nmips = 1\n[etc]\n"
group("matrices", [f"{ETC}{keys}\n" for keys in (
    "at = 1", "file = '-'", "file = 'none.json'", "file = 'demo.json'", "matrix = []", "matrix = [[1, 2], [3]]", "matrix = [[1, 2, 3]]", "matrix = [[1, 2], ['inf', inf]]", "matrix = [[1, -2]]", "matrix = [[1, 'soon']]", "matrix = [[1, 0.1234567891]]",
    "matrix = [[1, 0.1234567890123456]]", "matrix = [[1, 1e11]]", "matrix = [[1, 2]]\nmapping = [0, 1]", "matrix = [[1, 2]]\nmapping = [2]", "matrix = [[1, inf]]\nmapping = [1]", "matrix = [[1, 2]]\nmapping = [1]\n[[job]]\nmi = 3",
    "matrix = [[1, 2]]\nmapping = [1]\n[[scheduler]]\npolicy = 'fixed'\ntargets = ['r0']", "matrix = [[inf, 2]]\n[[scheduler]]\ntargets = ['r0']", "matrix = [[1, 2]]\n[[scheduler]]\npolicy = 'fixed'")], more="demo.json")
group("schedulers", [*(with_(f"[[scheduler]]\nname = 'main'\n{keys}\n") for keys in (
    "policy = 'minmax2'", "mode = 'lazy'", "policy = 'tlmm'\nmode = 'batch'", "wait = 0", "wait = -1", "mode = 'count'", "mode = 'count'\njobs = 0", "estimator = 'guess'", "targets = []", "targets = ['b']", "targets = ['site:b']", "targets = ['*', 'a']",
    "targets = ['main']", "[[scheduler]]\nname = 'main'", "[[scheduler]]\nname = 'a'", "gap = 2", "time_limit = 0", "policy = 'broker-cost'\nmode = 'on-line'", "policy = 'mct'\ngap = 0.5", "jobs = 5")),
    f"{A}policy = 'time-shared'\n{JOB}[[scheduler]]\nestimator = 'delay'\n", with_("[[scheduler]]\nestimator = 'exact'\n[information]\nping = 5\n"), with_("[information]\nping = 0\n"), with_("[information]\nping = 5\ndelay = 6\n")])
group("rest", [*(with_(more) for more in (
    "[[command]]\nat = 1\n", "[[command]]\nat = 1\nhalt = 0\nend = true\n", "[[command]]\nat = 1\ncancel = 1\n", "[[command]]\nat = -1\nhalt = 0\n", "[stop]\ntime = 0\n", "[stop]\njobs = 0\n", "[output]\nevent = 'x'\n")), f"start = '2005-02-29'\n{A}{JOB}"])
group("failures", [f"{A}failure = {{ {keys} }}\n{JOB}" for keys in (
    "", "fails = 5", "restores = 5", "fails = 5, restores = 5, changes = []", "changes = [{ at = 5 }]", "changes = [{ at = 5, down = true, up = true }]", "changes = [{ at = 5, down = true }, { at = 3, up = true }]", "changes = [{ at = 1, capacity = 101 }]",
    "fails = 5, restores = 5, on_failure = 'weep'", "fails = 5, restores = 5, on_failure = 'checkpoint'", "fails = 5, restores = 5, checkpoint = 5", "fails = 5, restores = 5, migration_cost = 5", "trace = 'none.tab'", "trace = 'broken.tab.gz'",
    "trace = 'event_trace.tab', trace_node = 9", "trace_start = 5, fails = 1, restores = 1", "fails = 0, restores = 0", "fails = -1, restores = 1")], more="event_trace.tab broken.tab.gz")
NET = "[[resource]]\nname = 'a'\nmips = 1\n[network]\nmodel = 'baud-rate'\nhosts = ['desk']\n"
group("data", [NET + "[[job]]\nmi = 1\n" + keys for keys in (
    "inputs = ['x']\n", "home = 'x'\n", "input = 5\n", "input = -5\nhome = 'desk'\n", "outputs = ['x']\n", "[[file]]\nname = 'x'\nsize = -1\n", "[[file]]\nname = 'x'\nsize = 1\nhosts = ['y']\n", "inputs = ['x']\n[[file]]\nname = 'x'\nsize = 1\n",
    "inputs = ['x']\noutputs = ['x']\n[[file]]\nname = 'x'\nsize = 1\n", "[[file]]\nname = 'x'\nsize = 1\n[[file]]\nname = 'x'\nsize = 1\n")] + [
    NET.replace("baud-rate", "pigeon") + JOB, NET + "routers = ['r']\n" + JOB, NET.replace("'desk'", "'a'") + JOB, NET.replace("baud-rate", "guts") + "home = 3\n" + JOB, NET + "baud = 0\n" + JOB, NET + "rates = { x = 5 }\n" + JOB,
    NET.replace("baud-rate", "guts") + "[[network.link]]\nbetween = ['a', 'b']\nbandwidth = 1\n" + JOB, NET.replace("baud-rate", "guts") + "[[network.link]]\nbetween = ['a', 'desk']\nbandwidth = 0\n" + JOB,
    NET.replace("baud-rate", "guts") + "[[network.link]]\nbetween = ['a']\nbandwidth = 1\n" + JOB, NET.replace("baud-rate", "guts") + JOB + "home = 'desk'\ninput = 7\n"])
group("economy", [A + GROUP + keys for keys in ("deadline = -1\n", "budget = -1\n", "d_factor = -1\n", "deadline = 5\nd_factor = 1\n", "budget = 1\nb_factor = 1\n", "b_factor = nan\n")])
RESERVE = ("[[resource]]\nname = 'a'\npes = 2\nmips = 1\nqos = 1\n[[resource]]\nname = 'c'\ncount = 3\nmips = 1\n[[resource]]\nname = 't'\nmips = 1\npolicy = 'time-shared'\nqos = 2\n"
           "[[job]]\nmi = 1\n[[reservation]]\nname = 'R'\nresource = 'a'\npes = 1\nstart = 40\nduration = 20\n")
group("reservations", [RESERVE.replace(old, new) for old, new in (
    ("resource = 'a'", "resource = 'x'"), ("resource = 'a'", "resource = 'c'"), ("resource = 'a'", "resource = 't'"), ("pes = 1\nstart", "pes = 3\nstart"), ("pes = 1\nstart", "pes = 0\nstart"), ("start = 40", "start = -1"), ("duration = 20", "duration = 0"),
    ("duration = 20", "duration = 18446744060"))] + [RESERVE + more + "\n" for more in (
        "requested = 41", "requested = 9\ncommit = 8", "requested = 9\ncancel = 8", "timeout = -2", "on_conflict = 'x'", "starts = 3", "[[job]]\nmi = 1\nreservation = 'S'", "[[job]]\nmi = 1\nreservation = 'R'\nqos = 2", "[[job]]\nio = 1\nreservation = 'R'")])
C = "[[cluster]]\nname = 'a'\nnodes = 4\n"
CJOB = "[[job]]\nrun = 5\n"
group("clusters", ["[[cluster]]\n", "[[cluster]]\nnodes = 0\n", "[[cluster]]\nnodes = 1\ncount = 0\n", C + C, "[[cluster]]\nname = 'random'\nnodes = 1\n", "[[cluster]]\nnodes = 1\nspeed = -2\n", "[[cluster]]\ngroups = [{ nodes = 1 }, { nodes = 1, speed = 1e9 }]\n",
                   "[[cluster]]\nnodes = 4000000000\ncount = 2\n", "[[cluster]]\nnodes = 1\ncount = 10001\n", C, C + CJOB + "[jobs]\n", *(f"{C}[[job]]\nname = 'x'\n{keys}\n" for keys in (
                       "run = 0", "run = -1", "run = 1.5", "run = 1e30", "run = 1\nnodes = 0", "run = 1\nhome = 'b'", "run = 1\nrequest = 'all'", "run = 1\nrequest = 'ordered'", "run = 1\ncomponents = [1]",
                       "run = 1\nnodes = 4\nrequest = 'unordered'\ncomponents = [1, 2]", "run = 1\nmoldable = { least = 3, most = 2, amdahl = 0.5 }", "run = 1\nmoldable = { most = 9, amdahl = 0.5 }", "run = 1\nmoldable = { }", "run = 1\nmoldable = { amdahl = 2 }", "runs = 1"))])
group("cluster-jobs", [f"{C}[jobs]\n{keys}\n" for keys in (
    "", "model = 'x'\ncount = 1", "model = 'lublin'", "model = 'lublin'\ncount = 0", "model = 'lublin'\ncount = 1\nlenient = true", "model = 'lublin'\ncount = 1\narrivals = 'daily'", "model = 'lublin'\ncount = 1\nset = { umed = { exponential = 1 } }",
    "model = 'lublin'\ncount = 1\nset = { a1 = -1 }", "model = 'beosim'\ncount = 1\nset = { run = 5 }", "model = 'wang-zhang'\ncount = 1\nset = { schedulers = 2 }", "model = 'beosim'\ncount = 1\nhome = 'partition'", "model = 'beosim'\ncount = 1\nhome = 'b'",
    "model = 'beosim'\ncount = 1\nrequest = 'unordered'", "model = 'beosim'\ncount = 1\ncomponent = 3", "trace = 'x.swf'\nnodes = 3", "trace = 'none-there.swf'", "trace = 'x.swf'\nzero_run = 'never'", "trace = 'bad.swf'", "trace = 'x.swf'\nhome = 'partition'")],
    more="x.swf bad.swf")
group("cluster-rest", [f"{keys}\n{C}{CJOB}" for keys in (
    "decimals = 10", "overrun = 'stop'", "stop = { jobs = 0 }", "stop = { time = 0 }", "penalty = { fixed = -1 }", "estimates = { exact = true, factor = [1, 2] }", "estimates = { factor = [2, 1] }", "scheduler = { queue = 'none' }", "scheduler = { policy = 'best' }",
    "scheduler = { delay_percent = 0 }", "scheduler = { choice = 'best' }", "seed = 'x'", "colour = 1", "output = { gantt = 'x' }")])

# --- options not used above ---------------------------------------------------------------------------------------------

BARE = "--from hcsp --tasks 3 --hosts 2"
case("options-from", [f"decide bare {BARE} -k 10", f"decide bare {BARE} -k 9", f"export bare {BARE} -k 9", f"export bare {BARE} --format mps",
                      f"decode bare {BARE} -k 10 answer --quiet --output out", f"verify bare {BARE} mapping --quiet", f"map bare {BARE} --no-times --quiet -a mct"],
     setup=[f"decide bare {BARE} -k 10 --encoding adder -o answer", lambda f: (f / "mapping").write_text("0 1 0\n")])
case("options-quiet", ["solve odd.json --no-times --quiet", "compare demo.json --no-times --quiet --output table -r 1", "bench --only jobcorr_16x4 -a mct,ga --time-limit 0 --no-times --quiet",
                       "simulate small.toml --no-times --quiet", "simulate lublin.toml --quiet", "experiment sweep.toml --threads 1 --replications 2 --quiet --output table.txt",
                       "report sweep.jsonl --quiet --output page.html --no-gantt", "generate utility qos.toml --output etc.json", "generate experiment --name mmm --output mmm.toml"], more="times.json")
