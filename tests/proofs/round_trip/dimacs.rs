//! DIMACS files, answered by varisat and by every solver that is installed.

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
    let mut lits: Vec<i64> = line.split(' ').map(|word| word.parse().expect("a literal")).collect();
    assert_eq!(lits.pop(), Some(0), "{line}");
    assert!(!lits.contains(&0), "{line}");
    lits
}
