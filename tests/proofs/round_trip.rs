//! Exchange with other programs: exported files have the right meaning, and the answers and checks
//! of other programs agree with ours.
//!
//! DIMACS is read by varisat's own parser and by every solver that is installed; OPB and MPS are
//! read by a tiny evaluator that tries every assignment; VeriPB proofs go to `veripb`. Programs
//! that are not installed are skipped with a note.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use gridsat_exact::export::opb::Opb;
use gridsat_exact::export::{write_dimacs, write_mps};
use gridsat_exact::reason::{OpenCase, Reason};
use gridsat_exact::sat::SolverChoice;
use gridsat_exact::strategy::EncodingChoice;
use gridsat_exact::veripb::{Refuter, write_proof};
use gridsat_model::certificate::Node;
use gridsat_model::io::{Format, ReadOptions, read_file, write};
use gridsat_model::{Instance, Mapping, Stop, Ticks};
use gridsat_test_support::outside::installed;
use gridsat_test_support::program::{Folder, Run};
use gridsat_test_support::tiny::{self, Kind};

/// Options of `export`, each after the name of its load encoding, which `decode` needs.
const ENCODINGS: [(&str, &str); 10] = [
    ("thesis", "--encoding thesis"),
    ("adder", "--encoding adder"),
    ("bdd", "--encoding bdd"),
    ("totalizer", "--encoding totalizer"),
    ("counter", "--encoding counter"),
    ("adder", "--encoding adder --no-symmetry"),
    ("adder", "--encoding adder --at-most-one ladder"),
    ("bdd", "--encoding bdd --at-most-one product"),
    ("totalizer", "--encoding totalizer --at-most-one commander"),
    ("counter", "--encoding counter --at-most-one ladder --no-symmetry"),
];

/// A folder with the instance in `a.json`.
fn folder(instance: &Instance) -> Folder {
    let folder = Folder::default();
    let mut json = Vec::new();
    write(instance, Format::Json, &mut json).expect("writable");
    folder.write("a.json", json);
    folder
}

/// A folder with a reference instance in `a.json`.
fn reference(name: &str) -> Folder {
    let folder = Folder::default();
    folder.copy(&format!("instances/reference/{name}.json"), "a.json");
    folder
}

/// Instances without huge times, which the thesis encoding refuses.
fn instances(count: u64) -> impl Iterator<Item = (u64, Instance)> {
    let seeds = (0..count).filter(|&seed| Kind::of(seed) != Kind::Huge);
    seeds.map(|seed| (seed, tiny::instance(seed)))
}

mod dimacs {
    use super::*;

    /// The answer to `f.cnf` in solver notation.
    type Decide = dyn Fn(&Folder) -> String;

    fn check(seed: u64, instance: &Instance, decide: &Decide) {
        let optimum = tiny::optimum(instance);
        let folder = folder(instance);
        let (name, options) = ENCODINGS[seed as usize % ENCODINGS.len()];
        let export = |k: Ticks| {
            folder.run(&format!("export a.json -k {k} {options} --output f.cnf")).ends(0);
            decide(&folder)
        };
        let answer = export(optimum);
        assert!(answer.contains("s SATISFIABLE"), "seed {seed}, {options}: {answer}");
        folder.write("answer", answer);
        let words = format!("decode a.json -k {optimum} --encoding {name} answer --format json");
        let decoded = folder.run(&words).ends(0);
        assert_eq!(decoded.json()["makespan"], optimum.0, "seed {seed}, {options}");
        folder.write("mapping.json", decoded.out);
        folder.run("verify a.json mapping.json").ends(0);
        folder.run(&format!("decide a.json -k {optimum} {options}")).ends(10);
        if let Some(below) = optimum.checked_sub(Ticks(1)) {
            let answer = export(below);
            assert!(answer.contains("s UNSATISFIABLE"), "seed {seed}, {options}: {answer}");
            folder.run(&format!("decide a.json -k {below} {options}")).ends(20);
        }
    }

    /// varisat parses the file itself.
    fn varisat(folder: &Folder) -> String {
        let mut solver = varisat::Solver::new();
        solver.add_dimacs_cnf(folder.read("f.cnf").as_bytes()).expect("DIMACS");
        if !solver.solve().expect("no limits") {
            return "s UNSATISFIABLE\n".to_owned();
        }
        let model = solver.model().expect("satisfiable");
        let lits: String = model.iter().map(|lit| format!(" {}", lit.to_dimacs())).collect();
        format!("s SATISFIABLE\nv{lits} 0\n")
    }

    #[test]
    fn through_varisat() {
        instances(120).for_each(|(seed, instance)| check(seed, &instance, &varisat));
    }

    #[test]
    fn through_cadical() {
        let Some(program) = installed("cadical") else { return };
        let decide = move |folder: &Folder| {
            Run::of(Command::new(&program).arg("-q").arg(folder.path("f.cnf"))).out
        };
        instances(60).for_each(|(seed, instance)| check(seed, &instance, &decide));
    }

    /// MiniSat writes `SAT` and the model, or `UNSAT`, to a file.
    #[test]
    fn through_minisat() {
        let Some(program) = installed("minisat") else { return };
        let decide = move |folder: &Folder| {
            let (cnf, out) = (folder.path("f.cnf"), folder.path("out"));
            Run::of(Command::new(&program).arg("-verb=0").arg(cnf).arg(out));
            let text = folder.read("out");
            match text.strip_prefix("SAT\n") {
                Some(model) => format!("s SATISFIABLE\nv {model}"),
                None => format!("s {}ISFIABLE\n", text.trim()),
            }
        };
        instances(60).for_each(|(seed, instance)| check(seed, &instance, &decide));
    }

    /// The same solvers with `--solver`.
    #[test]
    fn as_solver_of_the_search() {
        let folder = reference("U1-100_6x3");
        for (program, solver) in [("cadical", "cadical"), ("minisat", "minisat {cnf} {out}")] {
            if installed(program).is_none() {
                continue;
            }
            let mut command =
                folder.command("solve a.json --strategy sat --format json --certificate c.json");
            let run = Run::of(command.args(["--solver", solver])).ends(0);
            assert_eq!(run.json()["makespan"], 56, "{solver}");
            folder.run("verify a.json c.json").ends(0);
        }
    }

    /// The header has the right counts.
    #[test]
    fn the_header_is_right() {
        for (seed, instance) in instances(60) {
            let encodings = crate::search::encodings();
            let encoding = &encodings[seed as usize % encodings.len()];
            let mut out = Vec::new();
            let k = tiny::optimum(&instance);
            write_dimacs(&instance, k, encoding, encodings_budget(), &mut out).expect("small");
            let text = String::from_utf8(out).expect("text");
            let header = text.lines().find_map(|line| line.strip_prefix("p cnf "));
            let sizes: Vec<usize> = header
                .expect("a header")
                .split(' ')
                .map(|word| word.parse().expect("a number"))
                .collect();
            let body = text.lines().filter(|line| !line.starts_with(['c', 'p']));
            let clauses: Vec<Vec<i64>> = body.map(literals).collect();
            assert_eq!(clauses.len(), sizes[1], "seed {seed}, {encoding}");
            let largest = clauses.iter().flatten().map(|lit| lit.unsigned_abs()).max();
            assert!(largest.unwrap_or(0) as usize <= sizes[0], "seed {seed}, {encoding}");
        }
    }

    fn encodings_budget() -> gridsat_encodings::Budget<'static> {
        gridsat_encodings::Budget::clauses(2_000_000)
    }

    fn literals(line: &str) -> Vec<i64> {
        let mut lits: Vec<i64> =
            line.split(' ').map(|word| word.parse().expect("a literal")).collect();
        assert_eq!(lits.pop(), Some(0), "{line}");
        assert!(!lits.contains(&0), "{line}");
        lits
    }
}

mod linear {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Relation {
        AtLeast,
        AtMost,
        Equal,
    }

    /// `Σ factor·variable`, compared with a constant.
    #[derive(Clone, Debug)]
    struct Row {
        terms: Vec<(i128, String)>,
        relation: Relation,
        right: i128,
    }

    /// A problem in 0/1 variables and, in MPS, with the makespan.
    #[derive(Debug, Default)]
    struct Problem {
        objective: Vec<(i128, String)>,
        rows: Vec<Row>,
    }

    type Values = BTreeMap<String, i128>;

    fn sum(terms: &[(i128, String)], values: &Values) -> i128 {
        terms.iter().map(|(factor, name)| factor * values.get(name).copied().unwrap_or(0)).sum()
    }

    impl Problem {
        fn accepts(&self, values: &Values) -> bool {
            self.rows.iter().all(|row| {
                let left = sum(&row.terms, values);
                match row.relation {
                    Relation::AtLeast => left >= row.right,
                    Relation::AtMost => left <= row.right,
                    Relation::Equal => left == row.right,
                }
            })
        }
    }

    fn terms(words: &[&str]) -> Vec<(i128, String)> {
        let term = |pair: &[&str]| (pair[0].parse().expect("a factor"), pair[1].to_owned());
        words.chunks(2).map(term).collect()
    }

    fn read_opb(text: &str) -> Problem {
        let mut problem = Problem::default();
        for line in text.lines().filter(|line| !line.starts_with('*')) {
            let line = line.strip_suffix(" ;").expect("a full line");
            let words: Vec<_> = line.split_whitespace().collect();
            if words[0] == "min:" {
                problem.objective = terms(&words[1..]);
                continue;
            }
            let (left, right) = words.split_at(words.len() - 2);
            let relation = if right[0] == "=" { Relation::Equal } else { Relation::AtLeast };
            assert!(["=", ">="].contains(&right[0]), "{line}");
            let right = right[1].parse().expect("a number");
            problem.rows.push(Row { terms: terms(left), relation, right });
        }
        problem
    }

    /// Columns `x_t_h` must be bounded to 0/1; the bounds are checked, then dropped.
    fn read_mps(text: &str) -> Problem {
        let mut rows: Vec<(String, Option<Row>)> = Vec::new();
        let mut problem = Problem::default();
        let (mut section, mut columns, mut binary) = ("", Vec::new(), Vec::new());
        for line in text.lines().filter(|line| !line.starts_with('*')) {
            let words: Vec<_> = line.split_whitespace().collect();
            match (line.starts_with(' '), section, &words[..]) {
                (false, _, _) => section = words[0],
                (true, "ROWS", ["N", name]) => rows.push(((*name).to_owned(), None)),
                (true, "ROWS", [kind, name]) => {
                    let relation = if *kind == "E" { Relation::Equal } else { Relation::AtMost };
                    assert!(["E", "L"].contains(kind), "{line}");
                    let row = Row { terms: Vec::new(), relation, right: 0 };
                    rows.push(((*name).to_owned(), Some(row)));
                }
                (true, "COLUMNS", [_, "'MARKER'", _]) => {}
                (true, "COLUMNS", [column, row, factor]) => {
                    columns.push((*column).to_owned());
                    let term = (factor.parse().expect("a factor"), (*column).to_owned());
                    let (_, row) = rows.iter_mut().find(|(name, _)| name == row).expect("a row");
                    row.as_mut().map_or(&mut problem.objective, |row| &mut row.terms).push(term);
                }
                (true, "RHS", [_, row, right]) => {
                    let (_, row) = rows.iter_mut().find(|(name, _)| name == row).expect("a row");
                    row.as_mut().expect("not the objective").right =
                        right.parse().expect("a number");
                }
                (true, "BOUNDS", ["BV", _, column]) => binary.push((*column).to_owned()),
                _ => panic!("{section}: {line}"),
            }
        }
        assert_eq!(section, "ENDATA");
        columns.retain(|column| column.starts_with('x'));
        columns.dedup();
        assert_eq!(columns, binary);
        problem.rows = rows.into_iter().filter_map(|(_, row)| row).collect();
        problem
    }

    /// The name of each possible pair in both formats.
    fn pairs(instance: &Instance) -> Vec<(u32, u32, String, String)> {
        let opb = Opb::new(instance);
        let of_task = |task| {
            let hosts: Vec<_> = instance.times(task).map(|(host, _)| host).collect();
            hosts.into_iter().map(move |host| (task, host))
        };
        let pairs = instance.tasks().flat_map(of_task);
        pairs
            .map(|(t, h)| (t.0, h.0, format!("x{}", opb.pair(t, h)), format!("x_{}_{}", t.0, h.0)))
            .collect()
    }

    fn opb(instance: &Instance, k: Option<Ticks>) -> Problem {
        let mut out = Vec::new();
        Opb::new(instance).write(k, &mut out).expect("writable");
        let text = String::from_utf8(out).expect("text");
        let problem = read_opb(&text);
        let variables = pairs(instance).len()
            + if k.is_some() { 0 } else { Opb::new(instance).makespan_bits().count() };
        let sizes = format!("* #variable= {variables} #constraint= {}\n", problem.rows.len());
        assert!(text.starts_with(&sizes), "{text}");
        problem
    }

    fn mps(instance: &Instance, k: Option<Ticks>) -> Problem {
        let mut out = Vec::new();
        write_mps(instance, k, &mut out).expect("writable");
        read_mps(&String::from_utf8(out).expect("text"))
    }

    /// Every 0/1 assignment of the pairs, and the makespan if it is a mapping.
    fn assignments(instance: &Instance) -> Vec<(Values, Values, Option<Ticks>)> {
        let pairs = pairs(instance);
        let hosts =
            |mapping: &Mapping| mapping.hosts().iter().map(|host| host.0).collect::<Vec<_>>();
        let mappings = tiny::mappings(instance);
        let mappings: BTreeMap<_, _> = mappings.iter().map(|m| (hosts(m), m.makespan())).collect();
        let assignment = |bits: u32| {
            let chosen: Vec<_> = pairs
                .iter()
                .enumerate()
                .filter(|(i, _)| bits >> i & 1 == 1)
                .map(|(_, p)| p)
                .collect();
            let hosts: Vec<_> = chosen.iter().map(|pair| pair.1).collect();
            let in_order = chosen.iter().map(|pair| pair.0).eq(0..instance.task_count() as u32);
            let makespan = if in_order { mappings.get(&hosts).copied() } else { None };
            let values = |name: fn(&(u32, u32, String, String)) -> String| {
                chosen.iter().map(|pair| (name(pair), 1)).collect()
            };
            (values(|pair| pair.2.clone()), values(|pair| pair.3.clone()), makespan)
        };
        (0..1 << pairs.len()).map(assignment).collect()
    }

    /// Up to 4 tasks on up to 3 hosts, with few enough pairs for all their subsets.
    fn instances() -> impl Iterator<Item = (u64, Instance)> {
        let all = (0..400).map(|seed| (seed, tiny::sized(seed, 4, 3)));
        all.filter(|(_, instance)| pairs(instance).len() <= 8)
    }

    #[test]
    fn decision_problems_accept_exactly_the_mappings_in_time() {
        let mut seen = 0;
        for (seed, instance) in instances() {
            let optimum = tiny::optimum(&instance);
            let assignments = assignments(&instance);
            for k in [optimum.saturating_sub(Ticks(1)), optimum, optimum + Ticks(2)] {
                let (opb, mps) = (opb(&instance, Some(k)), mps(&instance, Some(k)));
                assert!(opb.objective.is_empty() && mps.objective.is_empty());
                for (opb_values, mps_values, makespan) in &assignments {
                    let expected = makespan.is_some_and(|makespan| makespan <= k);
                    assert_eq!(opb.accepts(opb_values), expected, "seed {seed}, k = {k}");
                    assert_eq!(mps.accepts(mps_values), expected, "seed {seed}, k = {k}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 30_000, "{seen}");
    }

    /// Of the values that the makespan's bits may take with a mapping, its makespan is the
    /// smallest.
    #[test]
    fn optimisation_problems_cost_the_makespan() {
        for (seed, instance) in instances() {
            let (opb, mps) = (opb(&instance, None), mps(&instance, None));
            let bits: Vec<_> = Opb::new(&instance).makespan_bits().collect();
            let objective: Vec<_> =
                bits.iter().map(|(value, bit)| (i128::from(*value), format!("x{bit}"))).collect();
            assert_eq!(opb.objective, objective);
            assert_eq!(mps.objective, [(1, "makespan".to_owned())]);
            for (opb_values, mps_values, makespan) in assignments(&instance) {
                let with = |cost: Ticks| {
                    let (mut opb_values, mut mps_values) = (opb_values.clone(), mps_values.clone());
                    let set = |(value, bit): &(u64, u32)| {
                        (format!("x{bit}"), i128::from(cost.0 & value != 0))
                    };
                    opb_values.extend(bits.iter().map(set));
                    mps_values.insert("makespan".to_owned(), i128::from(cost));
                    assert_eq!(sum(&opb.objective, &opb_values), i128::from(cost), "seed {seed}");
                    (opb.accepts(&opb_values), mps.accepts(&mps_values))
                };
                let Some(makespan) = makespan else {
                    let most = bits.iter().map(|(value, _)| value).sum();
                    assert_eq!(with(Ticks(most)), (false, false), "seed {seed}");
                    continue;
                };
                assert_eq!(with(makespan), (true, true), "seed {seed}");
                if let Some(less) = makespan.checked_sub(Ticks(1)) {
                    assert_eq!(with(less), (false, false), "seed {seed}");
                }
            }
        }
    }

    /// The program writes what the library does.
    #[test]
    fn the_program_writes_the_same() {
        let instance = tiny::sized(3, 4, 3);
        let folder = folder(&instance);
        let mut expected = Vec::new();
        Opb::new(&instance).write(None, &mut expected).expect("writable");
        let run = folder.run("export a.json --format opb").ends(0);
        assert_eq!(run.out.as_bytes(), expected);
        let mut expected = Vec::new();
        write_mps(&instance, Some(Ticks(9)), &mut expected).expect("writable");
        let run = folder.run("export a.json --format mps -k 9").ends(0);
        assert_eq!(run.out.as_bytes(), expected);
    }
}

mod veripb {
    use super::*;

    /// The verdict of `veripb` on the files `c.opb` and `c.pbp`.
    fn check(program: &Path, folder: &Folder) -> Run {
        let mut command = Command::new(program);
        Run::of(command.arg(folder.path("c.opb")).arg(folder.path("c.pbp")))
    }

    fn verified(optimum: Ticks) -> String {
        format!("s VERIFIED BOUNDS {optimum} <= obj <= {optimum}")
    }

    #[track_caller]
    fn accepts(program: &Path, folder: &Folder, optimum: Ticks, context: &str) {
        let run = check(program, folder);
        assert_eq!(run.code, Some(0), "{context}: {run:?}");
        assert!(run.out.lines().any(|line| line == verified(optimum)), "{context}: {run:?}");
    }

    #[track_caller]
    fn rejects(program: &Path, folder: &Folder, optimum: Ticks, context: &str) {
        let run = check(program, folder);
        assert!(!run.out.contains(&verified(optimum)), "{context}: {run:?}");
    }

    #[test]
    fn tiny_instances_of_all_kinds() {
        let Some(program) = installed("veripb") else { return };
        for seed in 0..100 {
            let instance = tiny::instance(seed);
            let folder = folder(&instance);
            let load = ["adder", "bdd", "totalizer", "counter"][seed as usize / 10 % 4];
            let strategy = if seed % 3 == 0 { "auto" } else { "sat" };
            let words =
                format!("solve a.json --strategy {strategy} --encoding {load} --certificate c.pbp");
            folder.run(&words).ends(0);
            let context = format!("seed {seed}, {strategy}, {load}");
            accepts(&program, &folder, tiny::optimum(&instance), &context);
        }
    }

    #[test]
    fn reference_instances_in_every_encoding() {
        let Some(program) = installed("veripb") else { return };
        let known = [
            ("U1-100_6x3", 56),
            ("ready_6x3", 69),
            ("sparse_6x3", 84),
            ("decimal_6x3", 3479),
            ("u_i_hihi_6x3", 0),
            ("U1-100_9x3", 97),
        ];
        for (name, ticks) in known {
            for load in ["adder", "bdd", "totalizer", "counter"] {
                let folder = reference(name);
                let words = format!(
                    "solve a.json --strategy sat --encoding {load} --format json --certificate \
                     c.pbp"
                );
                let makespan = folder.run(&words).ends(0).json()["makespan"].clone();
                let ticks = if ticks == 0 { makespan.as_u64().expect("whole") } else { ticks };
                accepts(&program, &folder, Ticks(ticks), &format!("{name}, {load}"));
            }
        }
    }

    #[test]
    fn the_thesis_strategy_has_a_proof_too() {
        let Some(program) = installed("veripb") else { return };
        for (seed, instance) in instances(20) {
            let folder = folder(&instance);
            folder.run("solve a.json --strategy thesis --certificate c.pbp").ends(0);
            accepts(&program, &folder, tiny::optimum(&instance), &format!("seed {seed}"));
        }
    }

    /// If the search is stopped at once, the proof is about the bounds known by then.
    #[test]
    fn unfinished_searches_prove_their_bounds() {
        let Some(program) = installed("veripb") else { return };
        let folder = reference("jobcorr_16x4");
        let words = "solve a.json --time-limit 0 --format json --certificate c.pbp";
        let run = folder.run(words);
        assert_eq!(run.code, Some(3), "{run:?}");
        let (lower, upper) = (&run.json()["lower_bound"], &run.json()["makespan"]);
        let expected = format!("s VERIFIED BOUNDS {lower} <= obj <= {upper}");
        let checked = check(&program, &folder);
        assert!(checked.out.contains(&expected), "{expected}: {checked:?}");
    }

    /// Optima that rest on prices, on fixed pairs and on a formula for the rest of a tree.
    #[test]
    fn prices_and_cases_have_proofs() {
        let Some(program) = installed("veripb") else { return };
        for (name, optimum, rule) in [
            ("U100-200_30x5", 704, "prices"),
            ("sparse_9x3", 105, "tree"),
            ("u_i_hihi_16x4", 1_924_996, "tree"),
        ] {
            let folder = reference(name);
            folder.run("solve a.json --certificate c.pbp").ends(0);
            accepts(&program, &folder, Ticks(optimum), name);
            folder.run("solve a.json --certificate c.json").ends(0);
            assert!(folder.read("c.json").contains(&format!("\"rule\": \"{rule}\"")), "{name}");
        }
        let (folder, optimum) = by_cases();
        accepts(&program, &folder, optimum, "fixed pairs and a formula");
    }

    /// An optimum that rests on fixed pairs and a formula for what is left.
    fn by_cases() -> (Folder, Ticks) {
        let folder = Folder::default();
        let words = "generate etc --class jobcorr --tasks 40 --hosts 8 --seed 7 --output a.json";
        folder.run(words).ends(0);
        let makespan = folder.run("solve a.json --format json --certificate c.json").ends(0);
        let certificate = folder.read("c.json");
        for rule in ["fix", "unsat"] {
            assert!(certificate.contains(&format!("\"rule\": \"{rule}\"")), "{certificate}");
        }
        folder.run("solve a.json --certificate c.pbp").ends(0);
        (folder, Ticks(makespan.json()["makespan"].as_u64().expect("whole")))
    }

    /// A tree that branches on every pair, with pairs fixed by arbitrary prices in between.
    #[test]
    fn any_tree_of_a_tiny_instance_has_a_proof() {
        let Some(program) = installed("veripb") else { return };
        let mut proven = 0;
        for seed in 0..60 {
            let instance = tiny::instance(seed);
            let (n, m) = (instance.task_count(), instance.host_count());
            let optimum = tiny::optimum(&instance);
            let Some(k) = optimum.checked_sub(Ticks(1)).filter(|_| n * m <= 9) else { continue };
            let nodes = every_case(n, m, seed);
            accepts_tree(&program, &instance, k, nodes, &format!("seed {seed}"));
            proven += 1;
        }
        assert!(proven > 20, "{proven}");
    }

    /// Two long tasks have a price and need a host each. The third has none, so it takes no part in
    /// the sums, but with it on a host no long task fits there.
    #[test]
    fn tasks_without_a_price_are_ruled_out_too() {
        let Some(program) = installed("veripb") else { return };
        let instance = Instance::from_rows([[5, 5], [5, 5], [4, 4]]).expect("valid");
        let nodes = vec![Node::Fix { prices: vec![1, 1, 0] }, Node::Nowhere];
        accepts_tree(&program, &instance, Ticks(8), nodes, "no price");
    }

    /// Writes the proof that the tree refutes k, and has it checked.
    #[track_caller]
    fn accepts_tree(
        program: &Path,
        instance: &Instance,
        k: Ticks,
        nodes: Vec<Node<OpenCase>>,
        context: &str,
    ) {
        let (folder, reason) = (folder(instance), Reason::Tree { k, nodes });
        let mut statement = Vec::new();
        Opb::new(instance).write(None, &mut statement).expect("writable");
        folder.write("c.opb", statement);
        let stop = Stop::never();
        let solver = SolverChoice::Varisat.build().expect("embedded");
        let weights = vec![1; instance.host_count()];
        let encoding = EncodingChoice::default().resolve(instance, k, &weights);
        let refuter = Refuter { encoding: &encoding, solver: &*solver, stop: &stop };
        let (mapping, mut proof) = (tiny::best(instance), Vec::new());
        write_proof(instance, &mapping, &reason.into(), &refuter, &mut proof)
            .unwrap_or_else(|error| panic!("{context}: {error}"));
        folder.write("c.pbp", proof);
        accepts(program, &folder, k + Ticks(1), context);
    }

    /// In depth-first order; every branch is preceded by prices.
    fn every_case(tasks: usize, hosts: usize, seed: u64) -> Vec<Node<OpenCase>> {
        let mut nodes = Vec::new();
        let mut open = vec![0];
        while let Some(pair) = open.pop() {
            if pair == tasks * hosts {
                nodes.push(Node::Nowhere);
                continue;
            }
            let price = |t: usize| (seed + 7 * t as u64 + 3 * pair as u64) % 11;
            nodes.push(Node::Fix { prices: (0..tasks).map(price).collect() });
            let (task, host) = ((pair / hosts) as u32, (pair % hosts) as u32);
            nodes.push(Node::Branch { task, host });
            open.extend([pair + 1, pair + 1]);
        }
        nodes
    }

    /// A proof that is too large is not written; the JSON certificate is.
    #[test]
    fn a_proof_beyond_the_limit_is_replaced_by_the_certificate() {
        let folder = reference("U100-200_30x5");
        let run = folder.run("solve a.json --certificate c.pbp --proof-limit 100kB");
        assert_eq!(run.code, Some(3), "{run:?}");
        assert!(run.err.contains("the VeriPB proof would take 1 MB"), "{run:?}");
        assert_eq!(folder.list(), ["a.json", "c.json"]);
        folder.run("verify a.json c.json").ends(0);
        let run = folder.run("solve a.json --certificate c.pbp --proof-limit 1TB");
        assert!(run.err.contains("expected a size such as 500MB or 4GB"), "{run:?}");
    }

    /// An instance whose proof needs a search, and its optimum.
    fn proven() -> (Folder, Ticks) {
        let folder = reference("U1-100_6x3");
        folder.run("solve a.json --strategy sat --certificate c.pbp").ends(0);
        (folder, Ticks(56))
    }

    /// The same by prices.
    fn by_prices() -> (Folder, Ticks) {
        let folder = reference("sparse_16x4");
        folder.run("solve a.json --certificate c.pbp").ends(0);
        (folder, Ticks(88))
    }

    #[test]
    fn damaged_proofs_are_rejected() {
        let Some(program) = installed("veripb") else { return };
        for (folder, optimum) in [proven(), by_prices(), by_cases()] {
            damaged(&program, &folder, optimum);
        }
    }

    fn damaged(program: &Path, folder: &Folder, optimum: Ticks) {
        accepts(program, folder, optimum, "undamaged");
        let proof = folder.read("c.pbp");
        let lines: Vec<_> = proof.lines().collect();
        let half = lines[..lines.len() / 2].join("\n") + "\n";
        let ending = lines[lines.len() - 3..].join("\n") + "\n";
        let claim = |lower: Ticks| {
            let told = format!("BOUNDS {optimum} ");
            assert!(proof.contains(&told));
            proof.replace(&told, &format!("BOUNDS {lower} "))
        };
        for (what, damaged, claimed) in [
            ("a higher bound", claim(optimum + Ticks(1)), optimum + Ticks(1)),
            ("cut short", half.clone(), optimum),
            ("no middle", half + &ending, optimum),
            ("no first solution", proof.replacen("soli", "* soli", 1), optimum),
        ] {
            folder.write("c.pbp", damaged);
            rejects(program, folder, claimed, what);
            rejects(program, folder, optimum, what);
        }
    }

    /// The proof is about this matrix: with a shorter time it holds only if the optimum stays the
    /// same.
    #[test]
    fn a_proof_of_another_instance_is_rejected() {
        let Some(program) = installed("veripb") else { return };
        let (folder, optimum) = proven();
        let instance = read_file(folder.path("a.json"), &ReadOptions::default()).expect("valid");
        for (task, (host, _)) in
            instance.tasks().flat_map(|task| instance.times(task).map(move |pair| (task, pair)))
        {
            let other = tiny::with_time(&instance, task, host, Ticks(1));
            let mut statement = Vec::new();
            Opb::new(&other).write(None, &mut statement).expect("writable");
            folder.write("c.opb", statement);
            let run = check(&program, &folder);
            let still = run.out.contains(&verified(optimum));
            assert!(!still || tiny::optimum(&other) == optimum, "{task:?}, {host:?}: {run:?}");
        }
    }
}
