//! A proof in parts: the open cases of one tree.
//!
//! The plan has the top of the tree and its open cases. A part explores some of them and returns
//! lists of nodes, in which cases may be left open; these are the parts of the next round. When no
//! case is open, all lists together are one tree, which becomes a certificate.
//!
//! All refute "makespan ≤ k". A part that finds a mapping goes on with a smaller k and saves the
//! mapping in `DIR/best`, where others see it. What is refuted for some k is refuted for every
//! smaller one, so no order of events makes a proof wrong; only refutations by SAT have to be
//! repeated if k has changed.

mod best;
mod entry;
mod explorer;
mod join;
mod round;
mod top;

use std::path::Path;
use std::time::Duration;

use gridsat_exact::bounds::{Ascent, linear};
use gridsat_exact::cases::whole;
use gridsat_exact::reason::OpenCase;
use gridsat_exact::sat::SolverChoice;
use gridsat_exact::solve::{Certificate, CertifyError, Solver, certificate_of_tree};
use gridsat_model::io::{ReadOptions, read_file};
use gridsat_model::{Instance, Mapping, Stop, Ticks};
use serde::{Deserialize, Serialize};

use self::entry::{Entry, Head, nodes_of, open, open_of, prove};
use self::explorer::Explorer;
use self::join::Tree;
use self::top::Top;
use super::error::PartsError;
use super::inputs::Input;
use super::sizes::{MOST, Sizes};

pub(super) use join::Found;
pub(super) use round::Round;

/// Open cases for which the top of the tree is grown, if no number of parts is given.
const CASES: usize = 24;
/// Parts of a further round for each part that left cases open.
const SPREAD: usize = 4;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProofWork {
    instance: Input,
    /// The best mapping when the plan was made.
    mapping: Vec<u32>,
    /// Cases that a part visits at most.
    visits: usize,
    /// The top of the tree.
    tree: Vec<Entry>,
    first: Round,
}

/// How planning a proof ended.
pub(super) enum Planned {
    /// There is work for parts.
    Open(Box<ProofWork>),
    /// The optimum was proven while planning.
    Proven(Box<Certificate>),
}

/// What all parts are together.
pub(super) enum Joined {
    /// Parts whose refutations are for too small a makespan.
    Weak(Vec<usize>),
    /// Cases of a further round, which is saved.
    Further(Vec<usize>),
    /// The whole proof.
    Whole(Box<Certificate>),
}

impl ProofWork {
    /// Searches for this long, then grows the top of the tree until it has enough open cases.
    /// `None` if a stop was requested.
    pub fn plan(
        path: &Path,
        sizes: Sizes,
        search: Duration,
        stop: &Stop,
    ) -> Result<Option<Planned>, PartsError> {
        let instance = load(path)?;
        let solved = Solver::new().stop(stop.clone()).time_limit(search).solve(&instance);
        let solution = solved.map_err(|error| PartsError::Proof { what: error.to_string() })?;
        if stop.is_requested() {
            return Ok(None);
        }
        if solution.is_optimal() {
            return Ok(Some(Planned::Proven(Box::new(solution.into_certificate()))));
        }
        let mut best = solution.mapping().clone();
        let weights = linear(&instance, stop).weights;
        let prices = Ascent::new(&instance, &weights, best.makespan()).prices();
        let mut top = Top::new(&instance, whole(&instance, prices));
        let most = sizes.parts.unwrap_or(CASES).min(MOST);
        if !top.grow(&mut best, most, stop) {
            return Ok(None);
        }
        let visits = sizes.time.as_secs_f64() / top.seconds_per_visit.max(1e-4);
        let tree = top_entries(&instance, top, &best, stop)?;
        let cases: Vec<OpenCase> = open_of(&tree).cloned().collect();
        if cases.is_empty() {
            let whole = certificate_of_tree(&instance, &best, nodes_of(tree)).map_err(certify)?;
            return Ok(Some(Planned::Proven(Box::new(whole))));
        }
        Ok(Some(Planned::Open(Box::new(Self {
            instance: Input::new(path.to_owned())?,
            mapping: best.hosts().iter().map(|host| host.0).collect(),
            visits: visits.clamp(10.0, 1e6) as usize,
            tree,
            first: Round { begin: 0, parts: cases.len().min(most), cases },
        }))))
    }

    pub fn check(&self) -> Result<(), String> {
        let cases = open_of(&self.tree).count();
        let is_right = self.first.begin == 0 && self.first.is_whole();
        if is_right && cases == self.first.cases.len() {
            return Ok(());
        }
        Err("its parts are not all open cases, each once".to_owned())
    }

    pub fn is_like(&self, other: &Self) -> bool {
        self.instance == other.instance
    }

    /// Whether this is the instance, unchanged.
    pub fn is_of(&self, path: &Path) -> Result<bool, PartsError> {
        Ok(self.instance == Input::new(path.to_owned())?)
    }

    /// The file name of the instance, without its ending.
    pub fn name(&self) -> &str {
        self.instance.path.file_stem().and_then(|name| name.to_str()).unwrap_or("proof")
    }

    /// All rounds so far.
    pub fn rounds(&self, folder: &Path) -> Result<Vec<Round>, PartsError> {
        round::all(&self.first, folder)
    }

    /// Explores the cases of a part; `None` if a stop was requested.
    pub fn work(
        &self,
        folder: &Path,
        rounds: &[Round],
        part: usize,
        stop: &Stop,
    ) -> Result<Option<Vec<String>>, PartsError> {
        let of = rounds.iter().map(|round| round.parts).sum();
        let round = rounds.iter().find(|round| round.has(part));
        let round = round.ok_or(PartsError::NoPart { part, of })?;
        self.instance.check()?;
        let instance = load(&self.instance.path)?;
        let best = best::find(&instance, &self.mapping, folder)?;
        let solver = SolverChoice::Varisat;
        let mut explorer =
            Explorer { instance: &instance, best, visits: self.visits, solver, stop };
        let mut lists = Vec::new();
        for case in round.of(part) {
            check_case(&instance, case, folder)?;
            let before = explorer.best.makespan();
            let Some(list) = explorer.list(case.clone()) else { return Ok(None) };
            if explorer.best.makespan() < before {
                best::save(folder, &explorer.best)?;
            }
            lists.push(list);
        }
        explorer.lines(lists).map_err(certify)
    }

    /// What the lines of a part contain; the error says why they do not.
    pub fn read(&self, rounds: &[Round], part: usize, lines: &[String]) -> Result<Found, String> {
        let round = rounds.iter().find(|round| round.has(part)).ok_or("no such part")?;
        let (head, rest) = lines.split_first().ok_or("it is empty")?;
        let head: Head = serde_json::from_str(head).map_err(|error| error.to_string())?;
        let lists = rest.iter().map(|line| serde_json::from_str(line));
        let lists: Vec<Vec<Entry>> =
            lists.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let expected = round.of(part).count();
        if lists.len() != expected || head.lists != expected {
            return Err(format!("{} cases, should be {expected}", lists.len()));
        }
        Ok(Found { k: head.k, lists })
    }

    /// Puts what all parts found together, and plans a further round if cases are open.
    pub fn join(
        &self,
        folder: &Path,
        mut found: Vec<Found>,
        stop: &Stop,
    ) -> Result<Joined, PartsError> {
        self.instance.check()?;
        let instance = load(&self.instance.path)?;
        let rounds = self.rounds(folder)?;
        let best = best::find(&instance, &self.mapping, folder)?;
        let k = best.makespan().saturating_sub(Ticks(1));
        // Without the mapping for which it was made, a refutation of a smaller k proves too little.
        let weak = |(part, found): (usize, &Found)| (found.k < k).then_some(part);
        let weak: Vec<usize> = found.iter().enumerate().filter_map(weak).collect();
        if !weak.is_empty() {
            return Ok(Joined::Weak(weak));
        }
        let first = best::find(&instance, &self.mapping, Path::new(""))?.makespan();
        let first = first.saturating_sub(Ticks(1));
        let mut tree: Tree = self.tree.iter().map(|entry| (first, entry.clone())).collect();
        let mut unfinished = 0;
        for round in &rounds {
            let parts = &mut found[round.begin..round.begin + round.parts];
            unfinished = parts.iter().filter(|found| has_open(found)).count();
            tree = join::substituted(tree, parts);
        }
        let cases: Vec<OpenCase> =
            tree.iter().filter_map(|(_, entry)| open(entry)).cloned().collect();
        if cases.is_empty() {
            let nodes = join::proven(&instance, k, tree, stop).map_err(certify)?;
            let whole = certificate_of_tree(&instance, &best, nodes).map_err(certify)?;
            return Ok(Joined::Whole(Box::new(whole)));
        }
        let wanted = (SPREAD * unfinished).max(self.first.parts).min(MOST);
        let begin = rounds.iter().map(|round| round.parts).sum();
        let round = Round { begin, parts: cases.len().min(wanted), cases };
        round::save(folder, rounds.len() + 1, &round)?;
        Ok(Joined::Further((begin..begin + round.parts).collect()))
    }
}

fn load(path: &Path) -> Result<Instance, PartsError> {
    let read = read_file(path, &ReadOptions::default());
    read.map_err(|error| PartsError::Proof { what: error.to_string() })
}

fn certify(error: CertifyError) -> PartsError {
    PartsError::Proof { what: error.to_string() }
}

fn has_open(found: &Found) -> bool {
    found.lists.iter().any(|list| open_of(list).next().is_some())
}

/// Refuses a case that is not one of the instance.
fn check_case(instance: &Instance, case: &OpenCase, folder: &Path) -> Result<(), PartsError> {
    let n = instance.task_count();
    if (case.prices.len(), case.hosts.len()) == (n, n) {
        return Ok(());
    }
    let what = "a case has not one price and one list of hosts per task".to_owned();
    Err(PartsError::NoPlan { path: folder.to_owned(), what })
}

/// The top of the tree with its proofs.
fn top_entries(
    instance: &Instance,
    top: Top,
    best: &Mapping,
    stop: &Stop,
) -> Result<Vec<Entry>, PartsError> {
    let k = best.makespan().saturating_sub(Ticks(1));
    let entry = |(piece, _)| prove(instance, k, piece, &SolverChoice::Varisat, stop);
    top.pieces.into_iter().map(entry).collect::<Result<_, _>>().map_err(certify)
}
