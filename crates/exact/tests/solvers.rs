//! One suite for every SAT back end: answers against brute force and against formulas whose answer
//! is known by construction, cores, stopping, and proofs replayed by a checker that knows only unit
//! propagation.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use gridsat_encodings::{ClauseSink, Cnf, Lit, Var};
use gridsat_exact::sat::{Answer, LratWriter, ProofSink, SatSolver, SolverChoice};
use gridsat_model::Stop;
use gridsat_test_support::outside::installed;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Clauses = Vec<Vec<i32>>;

/// The solvers that write proofs.
fn embedded() -> Vec<SolverChoice> {
    let mut choices = vec![SolverChoice::Varisat];
    if cfg!(feature = "cadical") {
        choices.push(SolverChoice::Cadical);
    }
    choices
}

fn every_solver() -> Vec<SolverChoice> {
    let mut choices = embedded();
    for command in ["cadical -q", "minisat"] {
        if installed(command.split(' ').next().expect("a word")).is_some() {
            choices.push(SolverChoice::External(command.to_owned()));
        }
    }
    choices
}

fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("not 0")
}

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().copied().map(lit).collect()
}

fn fill(sink: &mut dyn ClauseSink, variables: usize, clauses: &Clauses) {
    for _ in 0..variables {
        sink.new_var();
    }
    for clause in clauses {
        sink.add_clause(&lits(clause));
    }
}

fn cnf(clauses: &Clauses) -> Cnf {
    let variables = clauses.iter().flatten().map(|lit| lit.unsigned_abs());
    let mut formula = Cnf::new();
    fill(&mut formula, variables.max().unwrap_or(0) as usize, clauses);
    formula
}

fn solver(choice: &SolverChoice, variables: usize, clauses: &Clauses) -> Box<dyn SatSolver> {
    let mut solver = choice.build().expect("available");
    fill(solver.as_mut(), variables, clauses);
    solver
}

fn ask(solver: &mut dyn SatSolver, assumptions: &[Lit]) -> Answer {
    solver.solve(assumptions, &Stop::never()).expect("a working solver")
}

/// `pigeons` pigeons in `holes` holes, no two of them in one hole.
fn pigeonhole(pigeons: i32, holes: i32) -> Clauses {
    let var = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let mut clauses: Clauses =
        (0..pigeons).map(|pigeon| (0..holes).map(|hole| var(pigeon, hole)).collect()).collect();
    for hole in 0..holes {
        for one in 0..pigeons {
            for other in 0..one {
                clauses.push(vec![-var(one, hole), -var(other, hole)]);
            }
        }
    }
    clauses
}

fn random_clauses(rng: &mut ChaCha8Rng, variables: i32, count: usize, width: usize) -> Clauses {
    let clause = |_| {
        (0..width)
            .map(|_| rng.random_range(1..=variables) * if rng.random() { 1 } else { -1 })
            .collect()
    };
    (0..count).map(clause).collect()
}

fn holds(clauses: &Clauses, value: impl Fn(i32) -> bool) -> bool {
    let is_true = |&lit: &i32| value(lit.abs()) == (lit > 0);
    clauses.iter().all(|clause| clause.iter().any(is_true))
}

fn is_satisfiable(clauses: &Clauses, variables: i32) -> bool {
    (0..1u32 << variables).any(|bits| holds(clauses, |var| bits >> (var - 1) & 1 == 1))
}

fn assert_model(solver: &dyn SatSolver, clauses: &Clauses) {
    let value = |var: i32| solver.value(lit(var).var());
    assert!(holds(clauses, value), "{}: not a model", solver.name());
}

#[test]
fn answers_equal_brute_force() {
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    for round in 0..40 {
        let clauses = random_clauses(rng, 8, 20 + round, 3);
        let expected = is_satisfiable(&clauses, 8);
        for choice in every_solver() {
            let mut solver = solver(&choice, 8, &clauses);
            let answer = ask(solver.as_mut(), &[]);
            assert_eq!(answer == Answer::Sat, expected, "{choice}, {clauses:?}");
            if expected {
                assert_model(solver.as_ref(), &clauses);
            }
        }
    }
}

#[test]
fn pigeons_need_as_many_holes() {
    for choice in every_solver() {
        let mut tight = solver(&choice, 42, &pigeonhole(7, 6));
        assert_eq!(ask(tight.as_mut(), &[]), Answer::Unsat, "{choice}");
        assert_eq!(tight.core(), [], "{choice}");
        let roomy = pigeonhole(6, 6);
        let mut solver = solver(&choice, 36, &roomy);
        assert_eq!(ask(solver.as_mut(), &[]), Answer::Sat, "{choice}");
        assert_model(solver.as_ref(), &roomy);
    }
}

#[test]
fn odd_formulas() {
    for choice in every_solver() {
        let unsat = |clauses: &Clauses| {
            let mut solver = solver(&choice, 3, clauses);
            ask(solver.as_mut(), &[]) == Answer::Unsat
        };
        assert!(!unsat(&vec![]), "{choice}: no clause");
        assert!(unsat(&vec![vec![]]), "{choice}: the empty clause");
        assert!(unsat(&vec![vec![1, 2], vec![]]), "{choice}: empty clause");
        assert!(!unsat(&vec![vec![1, -1]]), "{choice}: tautology");
        assert!(unsat(&vec![vec![2, 2], vec![-2, -2, -2]]), "{choice}");
        assert!(unsat(&vec![vec![3], vec![-3]]), "{choice}: units");
    }
}

#[test]
fn a_variable_without_clauses_has_a_value() {
    for choice in every_solver() {
        let mut solver = solver(&choice, 5, &vec![vec![1]]);
        assert_eq!(ask(solver.as_mut(), &[]), Answer::Sat);
        assert!(solver.value(Var::new(0)));
        solver.value(Var::new(4));
        solver.value(Var::new(1000));
        assert_eq!(ask(solver.as_mut(), &lits(&[5])), Answer::Sat);
        assert!(solver.value(Var::new(4)), "{choice}");
        assert_eq!(ask(solver.as_mut(), &lits(&[-5])), Answer::Sat);
        assert!(!solver.value(Var::new(4)), "{choice}");
    }
}

/// Variables and clauses are added between calls, assumptions change, and some are refuted for
/// good. The last two make varisat 0.2.2 reuse the slot of a refuted assumption, which then makes
/// about one core in a thousand insufficient unless the back end prevents it.
#[test]
fn incremental_answers_equal_brute_force() {
    for choice in every_solver() {
        let rounds = match choice {
            SolverChoice::External(_) => 5,
            _ => 2000,
        };
        for seed in 0..rounds {
            incremental_round(&choice, seed);
        }
    }
}

fn incremental_round(choice: &SolverChoice, seed: u64) {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let mut clauses = Clauses::new();
    let mut variables = 5;
    let mut solver = solver(choice, 5, &clauses);
    for _ in 0..8 {
        if rng.random() {
            variables += 1;
            solver.new_var();
        }
        for _ in 0..rng.random_range(1..4) {
            let width = rng.random_range(1..=3);
            for clause in random_clauses(rng, variables, 1, width) {
                solver.add_clause(&lits(&clause));
                clauses.push(clause);
            }
        }
        let count = rng.random_range(0..5);
        let assumptions = random_clauses(rng, variables, count, 1).concat();
        let answer = ask(solver.as_mut(), &lits(&assumptions));
        let under = |assumed: &[i32]| {
            let mut all = clauses.clone();
            all.extend(assumed.iter().map(|&lit| vec![lit]));
            all
        };
        if is_satisfiable(&under(&assumptions), variables) {
            assert_eq!(answer, Answer::Sat, "{choice}, seed {seed}");
            assert_model(solver.as_ref(), &under(&assumptions));
        } else {
            assert_eq!(answer, Answer::Unsat, "{choice}, seed {seed}");
            let core: Vec<_> = solver.core().iter().map(|lit| lit.to_dimacs()).collect();
            assert!(core.iter().all(|lit| assumptions.contains(lit)));
            let sufficient = !is_satisfiable(&under(&core), variables);
            assert!(sufficient, "{choice}, seed {seed}: core {core:?}");
        }
    }
}

#[test]
fn a_core_leaves_out_what_does_not_matter() {
    for choice in embedded() {
        let mut solver = solver(&choice, 4, &vec![vec![-1, -2], vec![3, 4]]);
        assert_eq!(ask(solver.as_mut(), &lits(&[3, 1, 4, 2])), Answer::Unsat);
        let mut core = solver.core().to_vec();
        core.sort_unstable();
        assert_eq!(core, lits(&[1, 2]), "{choice}");
        assert_eq!(ask(solver.as_mut(), &lits(&[3, 1])), Answer::Sat);
    }
}

#[test]
fn a_stopped_solver_can_be_used_again() {
    for choice in every_solver() {
        let mut solver = solver(&choice, 132, &pigeonhole(12, 11));
        let stop = Stop::never().within(Duration::from_millis(300));
        let answer = solver.solve(&[], &stop).expect("no failure");
        assert_eq!(answer, Answer::Unknown, "{choice}");
        // If the stop is due already, the solver does not start.
        assert_eq!(solver.solve(&[], &stop).expect("none"), Answer::Unknown);
        let roomy: Vec<_> = (1..=11).map(|hole| lit(-hole)).collect();
        assert_eq!(ask(solver.as_mut(), &roomy), Answer::Unsat, "{choice}");
        solver.add_clause(&lits(&[1]));
        solver.add_clause(&lits(&[-1]));
        assert_eq!(ask(solver.as_mut(), &[]), Answer::Unsat, "{choice}");
    }
}

#[test]
fn a_solver_gives_up_after_some_conflicts() {
    for choice in embedded() {
        let clauses = pigeonhole(9, 8);
        let brief = |conflicts| {
            let mut solver = solver(&choice, 72, &clauses);
            let answer = solver.solve_briefly(conflicts, &Stop::never()).expect("embedded");
            (answer, solver)
        };
        let (answer, mut given_up) = brief(100);
        assert_eq!(answer, Answer::Unknown, "{choice}");
        assert_eq!(ask(&mut *given_up, &[]), Answer::Unsat, "{choice}");
        assert_eq!(brief(u64::MAX).0, Answer::Unsat, "{choice}");
    }
}

#[test]
fn a_request_from_another_thread_stops() {
    for choice in embedded() {
        let mut solver = solver(&choice, 132, &pigeonhole(12, 11));
        let stop = Stop::never();
        let remote = stop.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            remote.request();
        });
        let answer = solver.solve(&[], &stop).expect("no failure");
        assert_eq!(answer, Answer::Unknown, "{choice}");
        thread.join().expect("it only sleeps");
    }
}

/// Replays a refutation strictly: every hint must exist and become unit, the last one false.
struct Replay {
    clauses: HashMap<u64, Vec<Lit>>,
    last: u64,
    refuted: bool,
}

impl Replay {
    fn new(formula: &Cnf) -> Self {
        let clauses = (1..).zip(formula.clauses().map(<[Lit]>::to_vec)).collect();
        Self { clauses, last: formula.len() as u64, refuted: false }
    }

    fn is_implied(&self, clause: &[Lit], hints: &[u64]) -> Result<(), String> {
        let mut assigned: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
        for (index, hint) in hints.iter().enumerate() {
            let hinted = self.clauses.get(hint).ok_or("hint at no clause")?;
            let mut open: Vec<_> =
                hinted.iter().copied().filter(|&lit| !assigned.contains(&!lit)).collect();
            open.dedup();
            match open[..] {
                [] if index + 1 == hints.len() => return Ok(()),
                [] => return Err(format!("hints go on after hint {index}")),
                [lit] if !assigned.contains(&lit) => assigned.push(lit),
                _ => return Err(format!("hint {index} is not unit")),
            }
        }
        Err("no conflict".to_owned())
    }
}

impl ProofSink for Replay {
    fn derive(&mut self, id: u64, clause: &[Lit], hints: &[u64]) -> io::Result<()> {
        assert!(!self.refuted, "a step after the empty clause");
        assert!(id > self.last, "{id} after {}", self.last);
        self.is_implied(clause, hints)
            .map_err(|reason| io::Error::other(format!("clause {id} {clause:?}: {reason}")))?;
        self.last = id;
        self.refuted = clause.is_empty();
        self.clauses.insert(id, clause.to_vec());
        Ok(())
    }

    fn delete(&mut self, ids: &[u64]) -> io::Result<()> {
        for id in ids {
            assert!(self.clauses.remove(id).is_some(), "no clause {id}");
        }
        Ok(())
    }
}

fn assert_proof(choice: &SolverChoice, clauses: &Clauses) {
    let formula = cnf(clauses);
    let solver = choice.build().expect("available");
    let mut replay = Replay::new(&formula);
    let answer =
        solver.prove(&formula, &mut replay, &Stop::never()).map_err(|error| error.to_string());
    assert_eq!(answer, Ok(Answer::Unsat), "{choice}, {clauses:?}");
    assert!(replay.refuted, "{choice}: no empty clause");
}

#[test]
fn refutations_of_pigeonholes_replay() {
    for choice in embedded() {
        for holes in 1..=7 {
            assert_proof(&choice, &pigeonhole(holes + 1, holes));
        }
    }
}

#[test]
fn refutations_of_random_formulas_replay() {
    let rng = &mut ChaCha8Rng::seed_from_u64(2);
    for _ in 0..12 {
        let clauses = random_clauses(rng, 60, 330, 3);
        let mut solver = solver(&SolverChoice::Varisat, 60, &clauses);
        if ask(solver.as_mut(), &[]) == Answer::Unsat {
            for choice in embedded() {
                assert_proof(&choice, &clauses);
            }
        }
    }
}

/// Small widths make units, repeated literals, tautologies and duplicates common.
#[test]
fn refutations_of_untidy_formulas_replay() {
    let rng = &mut ChaCha8Rng::seed_from_u64(3);
    let mut unsatisfiable = 0;
    for round in 0..1500 {
        let mut clauses = Clauses::new();
        for width in [1, 2, 2, 3, 3, 3] {
            clauses.extend(random_clauses(rng, 6, round % 7, width));
        }
        if round % 3 == 0 {
            clauses.reverse();
        }
        clauses.extend_from_within(..clauses.len() / 3);
        if !is_satisfiable(&clauses, 6) {
            unsatisfiable += 1;
            for choice in embedded() {
                assert_proof(&choice, &clauses);
            }
        }
    }
    assert!(unsatisfiable > 500, "only {unsatisfiable}");
}

#[test]
fn refutations_of_odd_formulas_replay() {
    let unit_then_pigeons = [vec![vec![1], vec![1], vec![-2, -2]], pigeonhole(4, 3)].concat();
    for clauses in [
        vec![vec![]],
        vec![vec![1, 2], vec![], vec![3]],
        vec![vec![1], vec![-1], vec![2, 3]],
        vec![vec![1], vec![2, -2], vec![-1, -1], vec![1], vec![-1]],
        vec![vec![1, 1], vec![-1, 2, -1], vec![-2, -1], vec![1]],
        [pigeonhole(3, 2), pigeonhole(3, 2)].concat(),
        unit_then_pigeons,
    ] {
        for choice in embedded() {
            assert_proof(&choice, &clauses);
        }
    }
}

#[test]
fn no_refutation_of_what_is_satisfiable() {
    for choice in embedded() {
        let formula = cnf(&pigeonhole(4, 4));
        let mut replay = Replay::new(&formula);
        let solver = choice.build().expect("available");
        let answer = solver.prove(&formula, &mut replay, &Stop::never());
        assert_eq!(answer.expect("no failure"), Answer::Sat, "{choice}");
        assert!(!replay.refuted);
    }
}

fn lrat(choice: &SolverChoice, clauses: &Clauses) -> Vec<u8> {
    let formula = cnf(clauses);
    let mut writer = LratWriter::new(Vec::new(), formula.len() as u64);
    let solver = choice.build().expect("available");
    let answer = solver.prove(&formula, &mut writer, &Stop::never());
    assert_eq!(answer.expect("no failure"), Answer::Unsat);
    writer.finish().expect("memory").0
}

#[test]
fn the_same_formula_has_the_same_proof() {
    for choice in embedded() {
        let clauses = pigeonhole(7, 6);
        let first = lrat(&choice, &clauses);
        assert!(first.ends_with(b" 0\n"));
        assert_eq!(first, lrat(&choice, &clauses), "{choice}");
    }
}

#[test]
fn a_proof_can_be_stopped() {
    for choice in embedded() {
        let formula = cnf(&pigeonhole(12, 11));
        let solver = choice.build().expect("available");
        let mut writer = LratWriter::new(io::sink(), formula.len() as u64);
        let stop = Stop::never().within(Duration::from_millis(300));
        let answer = solver.prove(&formula, &mut writer, &stop);
        assert_eq!(answer.expect("no failure"), Answer::Unknown, "{choice}");
    }
}

/// A sink that accepts a few steps and then fails, like a full disk.
struct Full(u32);

impl ProofSink for Full {
    fn derive(&mut self, _: u64, _: &[Lit], _: &[u64]) -> io::Result<()> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
        Ok(())
    }

    fn delete(&mut self, _: &[u64]) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_sink_that_fails_ends_the_proof() {
    for choice in embedded() {
        let solver = choice.build().expect("available");
        let formula = cnf(&pigeonhole(12, 11));
        let result = solver.prove(&formula, &mut Full(2000), &Stop::never());
        let error = result.expect_err("the sink is full").to_string();
        assert!(error.contains("cannot write the proof"), "{choice}: {error}");
    }
}

/// Scripts in the place of solver programs.
#[cfg(unix)]
mod programs {
    use super::*;

    /// The answer of a script to `x1 ∧ (x2 ∨ ¬x3)`.
    fn answer(script: &str, stop: &Stop) -> Result<Answer, String> {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("my solver.sh");
        std::fs::write(&path, script).expect("room on the disk");
        let choice = SolverChoice::External(format!("sh '{}'", path.display()));
        let mut solver = solver(&choice, 3, &vec![vec![1], vec![2, -3]]);
        solver.solve(&[], stop).map_err(|error| error.to_string())
    }

    fn quick(script: &str) -> Result<Answer, String> {
        answer(script, &Stop::never())
    }

    #[test]
    fn honest_ones_are_believed() {
        let sat = "echo c hi; echo s SATISFIABLE; echo v 1; echo v -3 0; exit 10";
        assert_eq!(quick(sat), Ok(Answer::Sat));
        assert_eq!(quick("echo s UNSATISFIABLE; exit 20"), Ok(Answer::Unsat));
        assert_eq!(quick("echo s UNKNOWN"), Ok(Answer::Unknown));
        assert_eq!(quick("grep -q '^p cnf 3 2$' $1 && echo s UNKNOWN"), Ok(Answer::Unknown));
    }

    #[track_caller]
    fn assert_refused(script: &str, reason: &str) {
        let error = quick(script).expect_err(script);
        assert!(error.contains(reason), "{script}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }

    #[test]
    fn liars_are_caught() {
        assert_refused("echo s SATISFIABLE; echo v -1 2 3 0", "violates clause 1, [1]");
        assert_refused("echo s SATISFIABLE; echo v 1 -2 3 0", "violates clause 2, [2, -3]");
        assert_refused("echo s SATISFIABLE; echo v 1 0; exit 20", "exit code");
        assert_refused("echo s UNSATISFIABLE; exit 10", "exit code");
    }

    #[test]
    fn failures_are_told_in_one_line() {
        assert_refused("echo out of luck >&2; exit 3", "exit status: 3, out of luck");
        assert_refused("kill -SEGV $$", "signal");
        assert_refused("exit 20", "no line 's ...'");
        assert_refused("echo s PERHAPS", "'s PERHAPS' is not an answer");
        assert_refused("echo s SATISFIABLE; echo v 1 two 0", "'two'");
        assert_refused("head -c 100000 /dev/urandom", "no usable answer");
        assert_refused("while echo v 1 1 1 1 1 1; do :; done | head -c 1000000", "too long");
        let choice = SolverChoice::External("/no/such/program".to_owned());
        let error = solver(&choice, 1, &vec![]).solve(&[], &Stop::never());
        let error = error.expect_err("nothing to run").to_string();
        assert_eq!(error, "cannot run solver '/no/such/program': there is no such program");
    }

    #[test]
    fn much_noise_does_no_harm() {
        let noise = "yes c hello | head -c 3000000; yes c | head -c 300000 >&2";
        let script = format!("{noise}; echo s UNSATISFIABLE");
        assert_eq!(quick(&script), Ok(Answer::Unsat));
    }

    /// Programs that a script started are killed too, and the formula's file is removed.
    #[test]
    fn hanging_ones_are_ended() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let (note, place) = (folder.path().join("note"), folder.path().join("place"));
        let script = format!(
            "echo $1 > '{}'; (sleep 2; echo > '{}') & sleep 100; echo",
            place.display(),
            note.display()
        );
        let stop = Stop::never().within(Duration::from_millis(300));
        assert_eq!(answer(&script, &stop), Ok(Answer::Unknown));
        std::thread::sleep(Duration::from_millis(2500));
        assert!(!note.exists(), "a child of the script lived on");
        let formula = std::fs::read_to_string(place).expect("written by the script");
        assert!(formula.ends_with(".cnf\n"), "{formula}");
        assert!(!std::path::Path::new(formula.trim()).exists(), "{formula}");
    }

    #[test]
    fn the_answer_may_come_in_a_file() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("solver.sh");
        std::fs::write(&path, "echo noise; echo SAT > $1; echo 1 2 3 0 >> $1; test -s $2")
            .expect("room");
        let choice = SolverChoice::External(format!("sh {} {{out}} {{cnf}}", path.display()));
        let mut solver = solver(&choice, 3, &vec![vec![1], vec![2, -3]]);
        assert_eq!(ask(solver.as_mut(), &lits(&[3])), Answer::Sat);
        assert!(solver.value(Var::new(2)));
        let refused = solver.solve(&lits(&[-3]), &Stop::never());
        let error = refused.expect_err("3 is true").to_string();
        assert!(error.contains("violates the assumption -3"), "{error}");
    }

    #[test]
    fn programs_give_no_proofs() {
        let solver = SolverChoice::External("true".to_owned());
        let solver = solver.build().expect("a command");
        let formula = Cnf::new();
        let result = solver.prove(&formula, &mut Replay::new(&formula), &Stop::never());
        let error = result.expect_err("no proofs").to_string();
        assert_eq!(error, "true cannot write proofs");
    }
}
