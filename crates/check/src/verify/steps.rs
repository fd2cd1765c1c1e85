//! The rules of certificates, each repeated with exact integers.
//!
//! Every function here returns `Ok` only if no mapping of the instance has makespan ≤ k. The
//! proofs are in `docs/certificates.md`. Sums are `u128` and checked: a step whose sums would
//! overflow is rejected, true or not.

use std::io::{self, BufReader, Read};

use gridsat_encodings::{Budget, OverBudget};
use thiserror::Error;

use super::fillings::Fillings;
use super::lrat::{LratChecker, LratError};
use super::tree::Tree;
use super::{part, prices};
use crate::formula::{self, Encoding, EncodingError};
use gridsat_model::certificate::{Hashing, RefutedFormula, Step};
use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// Opens a proof file by the name given in a certificate.
pub type OpenProof<'a> = &'a dyn Fn(&str) -> io::Result<Box<dyn Read>>;

/// Why a step does not refute its k.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum StepFault {
    #[error("there is no host {host}, only {hosts}")]
    NoSuchHost { host: u32, hosts: usize },
    #[error("there is no task {task}, only {tasks}")]
    NoSuchTask { task: u32, tasks: usize },
    #[error("host {host} is ready at {ready}, in time")]
    ReadyInTime { host: u32, ready: Ticks },
    #[error("task {task} ends in time on host {host}, at {end}")]
    TaskFits { task: u32, host: u32, end: Ticks },
    #[error("{found} weights for {hosts} hosts")]
    WrongWeightCount { found: usize, hosts: usize },
    #[error("all weights are 0")]
    NoWeight,
    #[error("host {host} is ready only at {ready}, use the rule 'ready'")]
    NotReady { host: u32, ready: Ticks },
    #[error("the weighted work {work} does not exceed the weighted room {room}")]
    WorkFits { work: u128, room: u128 },
    #[error("the hosts are not equal")]
    UnequalHosts,
    #[error("a task cannot run on every host, or takes no time on some hosts only")]
    NoWorks,
    #[error("the longest task left fits hosts of several rooms")]
    SeveralRooms,
    #[error("a part of {hosts} hosts and {tasks} tasks, but there are {all_hosts} and {all_tasks}")]
    NoSuchPart { hosts: u32, tasks: u32, all_hosts: usize, all_tasks: usize },
    #[error("the hosts of the part get {work}, but they have room for {room}")]
    PartFits { work: u128, room: u128 },
    #[error("the sums of times would need a table of {entries} entries")]
    SumsTooLarge { entries: u64 },
    #[error("{found} prices for {tasks} tasks")]
    WrongPriceCount { found: usize, tasks: usize },
    #[error("the prices add up to {total}, but the hosts can hold {packed}")]
    PricesFit { total: u128, packed: u128 },
    #[error("the knapsack of host {host} would need a table of {entries} entries")]
    TableTooLarge { host: u32, entries: u64 },
    #[error("node {index}: {fault}")]
    Node { index: usize, fault: Box<StepFault> },
    #[error("no earlier case has the same tasks and as many hosts")]
    NotSeen,
    #[error("a set of tasks takes {sum} beside the longest task, longer than the one of {longest}")]
    NotForced { longest: u64, sum: u64 },
    #[error("no host or no task is left")]
    NothingLeft,
    #[error("a task of {time} does not fit into {room}")]
    TooLong { time: u64, room: u64 },
    #[error("the order does not list each of {fillings} fillings once")]
    WrongOrder { fillings: usize },
    #[error("there are too many fillings of a host")]
    TooManyFillings,
    #[error("every task still has a host")]
    StillPossible,
    #[error("the cases are refuted after {used} nodes, but there are more")]
    NodesLeftOver { used: usize },
    #[error("{cases} cases are not refuted")]
    CasesLeftOver { cases: usize },
    #[error("node {index}: there are too many cases")]
    TooManyCases { index: usize },
    #[error("{found} lists of hosts for {tasks} tasks")]
    WrongHostLists { found: usize, tasks: usize },
    #[error("task {task} may be on host {host}, which the formula does not allow")]
    NotInFormula { task: u32, host: u32 },
    #[error("the weighted sums exceed 128 bits")]
    Overflow,
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    #[error("the formula cannot be rebuilt: {0}")]
    OverBudget(#[from] OverBudget),
    #[error("{name:?} is not a plain file name")]
    NotAFileName { name: String },
    #[error("cannot read proof {name:?}: {reason}")]
    NoProof { name: String, reason: String },
    #[error("SHA-256 of proof {name:?} is {found}, not {expected}")]
    WrongProof { name: String, found: String, expected: String },
    #[error("proof {name:?}, {error}")]
    BadProof { name: String, error: LratError },
}

/// Checks the step by repeating it.
pub(super) fn check(instance: &Instance, step: &Step, open: OpenProof) -> Result<(), StepFault> {
    match step {
        &Step::Ready { k, host } => ready(instance, k, host),
        &Step::LongestTask { k, task } => longest_task(instance, k, task),
        Step::Weights { k, weights } => check_weights(instance, *k, weights),
        &Step::Part { k, hosts, tasks, sums } => part::check(instance, k, hosts, tasks, sums),
        Step::Prices { k, prices } => prices::check(instance, *k, prices),
        Step::Fillings { k, nodes } => {
            let mut fillings = Fillings::new(instance, *k)?;
            nodes.iter().try_for_each(|node| fillings.take(node))?;
            fillings.finish()
        }
        Step::Tree { k, nodes } => {
            let mut tree = Tree::new(instance, *k, open);
            nodes.iter().try_for_each(|node| tree.take(node))?;
            tree.finish()
        }
        Step::Unsat(refuted) => check_formula(instance, refuted, open),
    }
}

fn check_formula(
    instance: &Instance,
    refuted: &RefutedFormula,
    open: OpenProof,
) -> Result<(), StepFault> {
    let RefutedFormula { k, proof, proof_sha256, .. } = refuted;
    let encoding = Encoding::named(instance, refuted)?;
    let file = open_proof(proof, open)?;
    let mut checker = LratChecker::new();
    formula::encode(instance, *k, &encoding, &mut checker, &mut Budget::default())?;
    check_proof(checker, file, proof, proof_sha256)
}

fn ready(instance: &Instance, k: Ticks, host: u32) -> Result<(), StepFault> {
    let hosts = instance.host_count();
    let id = HostId(host);
    if id.index() >= hosts {
        return Err(StepFault::NoSuchHost { host, hosts });
    }
    match instance.ready(id) {
        ready if ready > k => Ok(()),
        ready => Err(StepFault::ReadyInTime { host, ready }),
    }
}

fn longest_task(instance: &Instance, k: Ticks, task: u32) -> Result<(), StepFault> {
    let tasks = instance.task_count();
    let id = TaskId(task);
    if id.index() >= tasks {
        return Err(StepFault::NoSuchTask { task, tasks });
    }
    let ends = instance.times(id).map(|(h, time)| (h.0, instance.ready(h) + time));
    match ends.min_by_key(|&(_, end)| end) {
        Some((host, end)) if end <= k => Err(StepFault::TaskFits { task, host, end }),
        _ => Ok(()),
    }
}

/// `Σ_t min_h w_h·p_th > Σ_h w_h·(k − ready_h)`, the minimum over the pairs that fit.
fn check_weights(instance: &Instance, k: Ticks, weights: &[u64]) -> Result<(), StepFault> {
    let (found, hosts) = (weights.len(), instance.host_count());
    if found != hosts {
        return Err(StepFault::WrongWeightCount { found, hosts });
    }
    if weights.iter().all(|&weight| weight == 0) {
        return Err(StepFault::NoWeight);
    }
    let room = weighted_room(instance, k, weights)?;
    match weighted_work(instance, k, weights)? {
        Some(work) if work <= room => Err(StepFault::WorkFits { work, room }),
        _ => Ok(()),
    }
}

pub(super) fn weighted_room(
    instance: &Instance,
    k: Ticks,
    weights: &[u64],
) -> Result<u128, StepFault> {
    let mut sum: u128 = 0;
    for (h, &weight) in instance.hosts().zip(weights) {
        let (host, ready) = (h.0, instance.ready(h));
        let room = instance.capacity(h, k);
        let room = room.ok_or(StepFault::NotReady { host, ready })?;
        sum = add(sum, product(weight, room))?;
    }
    Ok(sum)
}

/// The left side of the inequality; `None` if some task fits nowhere, which alone refutes k.
pub(super) fn weighted_work(
    instance: &Instance,
    k: Ticks,
    weights: &[u64],
) -> Result<Option<u128>, StepFault> {
    // Of equal hosts one with the least weight is enough.
    let least = |hosts: Vec<HostId>| hosts.into_iter().min_by_key(|h| weights[h.index()]);
    let hosts: Vec<HostId> = instance.host_classes().into_iter().filter_map(least).collect();
    let mut sum: u128 = 0;
    for t in instance.tasks() {
        let fits =
            |&(h, time): &(HostId, Ticks)| instance.capacity(h, k).is_some_and(|room| time <= room);
        let pairs = hosts.iter().filter_map(|&h| Some((h, instance.time(t, h)?))).filter(fits);
        match pairs.map(|(h, time)| product(weights[h.index()], time)).min() {
            Some(least) => sum = add(sum, least)?,
            None => return Ok(None),
        }
    }
    Ok(Some(sum))
}

fn product(weight: u64, time: Ticks) -> u128 {
    u128::from(weight) * u128::from(time)
}

fn add(sum: u128, more: u128) -> Result<u128, StepFault> {
    sum.checked_add(more).ok_or(StepFault::Overflow)
}

/// Opens a proof. Only names of files next to the certificate are allowed.
pub(super) fn open_proof(name: &str, open: OpenProof) -> Result<Box<dyn Read>, StepFault> {
    let is_plain = !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', ':', '\0']);
    let name = name.to_owned();
    if !is_plain {
        return Err(StepFault::NotAFileName { name });
    }
    open(&name).map_err(|error| no_proof(name, error))
}

fn no_proof(name: String, error: io::Error) -> StepFault {
    let reason = error.to_string();
    StepFault::NoProof { name, reason }
}

/// Checks and hashes the proof in one pass; both must be right. Reading ends at the first wrong
/// line, however long the file is.
pub(super) fn check_proof(
    checker: LratChecker,
    file: Box<dyn Read>,
    name: &str,
    expected: &str,
) -> Result<(), StepFault> {
    let mut reader = BufReader::with_capacity(1 << 16, Hashing::new(file));
    let name = || name.to_owned();
    let bad = |error| StepFault::BadProof { name: name(), error };
    checker.check(&mut reader).map_err(bad)?;
    io::copy(&mut reader, &mut io::sink()).map_err(|error| no_proof(name(), error))?;
    let found = reader.into_inner().finish();
    if found != expected {
        let expected = expected.to_owned();
        return Err(StepFault::WrongProof { name: name(), found, expected });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_encodings::{ClauseSink, Lit};
    use gridsat_model::certificate::sha256_hex;

    fn demo() -> Instance {
        let text = r#"{"etc": [[4, 6], [4, null], [4, 6]], "ready": [1, 3]}"#;
        text.parse().expect("valid")
    }

    #[test]
    fn ready_holds_up_to_the_ready_time() {
        assert_eq!(ready(&demo(), Ticks(2), 1), Ok(()));
        let in_time = StepFault::ReadyInTime { host: 1, ready: Ticks(3) };
        assert_eq!(ready(&demo(), Ticks(3), 1), Err(in_time));
        let nobody = StepFault::NoSuchHost { host: 2, hosts: 2 };
        assert_eq!(ready(&demo(), Ticks(0), 2), Err(nobody));
    }

    #[test]
    fn longest_task_counts_from_the_ready_time() {
        assert_eq!(longest_task(&demo(), Ticks(4), 1), Ok(()));
        let fits = |task| StepFault::TaskFits { task, host: 0, end: Ticks(5) };
        assert_eq!(longest_task(&demo(), Ticks(5), 1), Err(fits(1)));
        assert_eq!(longest_task(&demo(), Ticks(5), 0), Err(fits(0)));
        let nothing = StepFault::NoSuchTask { task: 3, tasks: 3 };
        assert_eq!(longest_task(&demo(), Ticks(0), 3), Err(nothing));
    }

    #[test]
    fn weights_are_compared_exactly() {
        // At k = 8 the slow pairs do not fit and all work is on host 0:
        // 12·1 > 1·(8 − 1) + 0·5.
        assert_eq!(check_weights(&demo(), Ticks(8), &[1, 0]), Ok(()));
        let even = StepFault::WorkFits { work: 12, room: 12 };
        assert_eq!(check_weights(&demo(), Ticks(8), &[1, 1]), Err(even));
        // At k = 9 they do: 3·4·3 ≤ 3·8 + 2·6, an equality.
        let fits = StepFault::WorkFits { work: 36, room: 36 };
        assert_eq!(check_weights(&demo(), Ticks(9), &[3, 2]), Err(fits));
    }

    #[test]
    fn weights_must_make_sense() {
        let error = |k, weights: &[u64]| check_weights(&demo(), k, weights).expect_err("nonsense");
        let count = StepFault::WrongWeightCount { found: 1, hosts: 2 };
        assert_eq!(error(Ticks(8), &[1]), count);
        assert_eq!(error(Ticks(8), &[0, 0]), StepFault::NoWeight);
        assert_eq!(error(Ticks(2), &[1, 1]), StepFault::NotReady { host: 1, ready: Ticks(3) });
    }

    #[test]
    fn a_task_that_fits_nowhere_needs_no_arithmetic() {
        assert_eq!(check_weights(&demo(), Ticks(4), &[0, 1]), Ok(()));
    }

    #[test]
    fn weighted_sums_never_wrap() {
        let large: u64 = 1 << 61;
        let one = Instance::from_rows([[large, large]]).expect("valid");
        // Here both sums stay below 2^127.
        let fits = check_weights(&one, Ticks(large), &[u64::MAX, u64::MAX]);
        assert!(matches!(fits, Err(StepFault::WorkFits { .. })));
        // Here they exceed 2^128.
        let over = check_weights(&one, Ticks(u64::MAX), &[u64::MAX, u64::MAX]);
        assert_eq!(over, Err(StepFault::Overflow));
    }

    #[test]
    fn only_plain_names_are_opened() {
        let open: OpenProof = &|_| Ok(Box::new(io::empty()));
        assert!(open_proof("a b..lrat", open).is_ok());
        for name in ["", ".", "..", "../x", "/etc/passwd", "a/b", "a\\b", "c:x", "a\0"] {
            let name = name.to_owned();
            let fault = open_proof(&name, open).err();
            assert_eq!(fault, Some(StepFault::NotAFileName { name }));
        }
    }

    #[test]
    fn hash_and_proof_must_both_be_right() {
        let check = |text: &'static str, hash: &str| {
            let mut checker = LratChecker::new();
            let lit: Lit = checker.new_var().positive();
            checker.add_clause(&[lit]);
            checker.add_clause(&[!lit]);
            check_proof(checker, Box::new(text.as_bytes()), "p", hash)
        };
        let (good, bad) = ("3 0 1 2 0\nrest", "3 0 1 0\nrest");
        assert_eq!(check(good, &sha256_hex(good.as_bytes())), Ok(()));
        let wrong = |fault| matches!(fault, Err(StepFault::WrongProof { .. }));
        assert!(wrong(check(good, &sha256_hex(bad.as_bytes()))));
        for hash in [sha256_hex(bad.as_bytes()), sha256_hex(good.as_bytes())] {
            let error = check(bad, &hash).expect_err("no contradiction");
            assert_eq!(
                error.to_string(),
                r#"proof "p", line 1: the hints for clause 3 do not lead to a contradiction"#
            );
        }
    }

    /// The rest of this proof never ends.
    #[test]
    fn reading_ends_at_the_first_wrong_line() {
        let endless = io::Cursor::new("1 0 0\n").chain(io::repeat(b' '));
        let fault = check_proof(LratChecker::new(), Box::new(endless), "p", "");
        assert!(matches!(fault, Err(StepFault::BadProof { .. })), "{fault:?}");
    }
}
