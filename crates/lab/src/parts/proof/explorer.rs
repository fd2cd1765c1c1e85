//! A part at work on its cases.

use gridsat_exact::cases::{Piece, explore};
use gridsat_exact::reason::OpenCase;
use gridsat_exact::sat::SolverChoice;
use gridsat_exact::solve::CertifyError;
use gridsat_model::{Instance, Mapping, Stop, Ticks};

use super::entry::{Entry, Head, prove};

/// A part at work.
pub(super) struct Explorer<'a> {
    pub instance: &'a Instance,
    /// The best mapping so far.
    pub best: Mapping,
    /// Visits left.
    pub visits: usize,
    pub solver: SolverChoice,
    pub stop: &'a Stop,
}

impl Explorer<'_> {
    fn k(&self) -> Ticks {
        self.best.makespan().saturating_sub(Ticks(1))
    }

    /// What takes the place of a case; `None` if a stop was requested.
    pub fn list(&mut self, case: OpenCase) -> Option<Vec<Piece>> {
        let (mut left, mut list) = (vec![Piece::Open(case)], Vec::new());
        while let Some(piece) = left.pop() {
            match piece {
                Piece::Open(case) if self.visits > 0 => {
                    let with = (&self.solver, self.stop);
                    let found = explore(self.instance, self.k(), &case, self.visits, with)?;
                    self.visits = self.visits.saturating_sub(found.visited);
                    if let Some(better) = found.mapping {
                        self.best = better;
                    }
                    left.extend(found.pieces.into_iter().rev());
                }
                piece => list.push(piece),
            }
        }
        Some(list)
    }

    /// The lines of the part, with the proofs of its cases. `None` if a stop was requested.
    pub fn lines(&self, lists: Vec<Vec<Piece>>) -> Result<Option<Vec<String>>, CertifyError> {
        let json =
            |text: Result<String, _>| text.expect("plain data with text keys is JSON") + "\n";
        let k = self.k();
        let head = Head { k, lists: lists.len() };
        let mut lines = vec![json(serde_json::to_string(&head))];
        for list in lists {
            let entries = list.into_iter();
            let entries =
                entries.map(|piece| prove(self.instance, k, piece, &self.solver, self.stop));
            let entries = entries.collect::<Result<Vec<Entry>, _>>();
            if self.stop.is_due() {
                return Ok(None);
            }
            lines.push(json(serde_json::to_string(&entries?)));
        }
        Ok(Some(lines))
    }
}
