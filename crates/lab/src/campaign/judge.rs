//! What an answer is worth: claims beside what `gridsat verify` says.

use super::answer::Verdict;
use super::exact::Exact;
use super::row::{Row, Status};

/// Accepts exactly the two values that `solve` printed, nothing weaker.
pub(super) fn judge_certificate(row: &mut Row, verdict: &Verdict) {
    let is_same = verdict.makespan == row.makespan && verdict.lower_bound == row.lower_bound;
    row.accepted = Some(verdict.accepted && is_same);
    if !verdict.accepted {
        row.note = Some(verdict.reason.clone().unwrap_or_else(|| "rejected".to_owned()));
    } else if !is_same {
        let shown = |value: Option<Exact>| value.map_or("-".to_owned(), |value| value.to_string());
        let (lower, upper) = (shown(verdict.lower_bound), shown(verdict.makespan));
        row.note = Some(format!("the certificate proves only {lower}..{upper}"));
    }
}

/// The makespan of a peer's mapping counts, not the one it claims.
pub(super) fn judge_mapping(row: &mut Row, verdict: Verdict) {
    (row.tasks, row.hosts) = (Some(verdict.tasks), Some(verdict.hosts));
    let Some(makespan) = verdict.makespan else {
        let why = verdict.reason.unwrap_or_else(|| "rejected".to_owned());
        (row.accepted, row.note) = (Some(false), Some(format!("its mapping is wrong: {why}")));
        return;
    };
    let claimed = row.makespan.filter(|claimed| *claimed != makespan);
    row.accepted = Some(claimed.is_none());
    if let Some(claimed) = claimed {
        row.note = Some(format!("claims {claimed}, its mapping has {makespan}"));
    }
    row.makespan = Some(makespan);
}

/// A peer that claims an optimum without a bound vouches for its makespan; a bound below the
/// makespan proves nothing.
pub(super) fn judge_claim(row: &mut Row) {
    if row.status == Status::Optimal {
        match row.lower_bound.zip(row.makespan) {
            None => row.lower_bound = row.makespan,
            Some((bound, makespan)) if bound < makespan => {
                row.status = Status::Feasible;
                let claim = format!("claims an optimum with lower bound {bound}");
                row.note.get_or_insert(claim);
            }
            Some(_) => {}
        }
    }
    row.gap = gap(row.lower_bound, row.makespan);
}

/// The relative gap between two bounds; `None` without one of them.
pub(super) fn gap(lower: Option<Exact>, upper: Option<Exact>) -> Option<f64> {
    let (lower, upper) = (lower?.as_f64(), upper?.as_f64());
    Some(if upper == 0.0 { 0.0 } else { ((upper - lower) / upper).max(0.0) })
}

#[cfg(test)]
mod tests {
    use super::super::row::made;
    use super::*;

    fn verdict(makespan: &str, bound: Option<&str>) -> Verdict {
        Verdict {
            tasks: 3,
            hosts: 2,
            accepted: true,
            makespan: makespan.parse().ok(),
            lower_bound: bound.and_then(|bound| bound.parse().ok()),
            reason: None,
        }
    }

    #[test]
    fn only_the_printed_values_are_accepted() {
        let mut row = made("a/b", "gridsat", "9", "8");
        judge_certificate(&mut row, &verdict("9", Some("8")));
        assert_eq!((row.accepted, row.note.as_deref()), (Some(true), None));
        judge_certificate(&mut row, &verdict("9", Some("7")));
        assert_eq!(row.accepted, Some(false));
        assert_eq!(row.note.as_deref(), Some("the certificate proves only 7..9"));
    }

    #[test]
    fn a_peer_is_taken_by_its_mapping() {
        let mut row = made("a/b", "lr", "9", "9");
        judge_mapping(&mut row, verdict("9.0", None));
        judge_claim(&mut row);
        assert_eq!((row.accepted, row.status), (Some(true), Status::Optimal));
        judge_mapping(&mut row, verdict("10", None));
        judge_claim(&mut row);
        assert_eq!((row.accepted, row.status), (Some(false), Status::Feasible));
        assert_eq!(row.note.as_deref(), Some("claims 9, its mapping has 10"));
        assert_eq!((row.makespan.map(Exact::as_f64), row.gap), (Some(10.0), Some(0.1)));
        let reason = Some("2 tasks, should be 3".to_owned());
        judge_mapping(&mut row, Verdict { makespan: None, reason, ..verdict("", None) });
        assert!(row.note.is_some_and(|note| note.contains("wrong: 2 tasks")));
    }

    #[test]
    fn an_optimum_without_a_bound_is_believed_and_one_below_not() {
        let mut row = Row { lower_bound: None, ..made("a/b", "lr", "9", "9") };
        judge_claim(&mut row);
        assert_eq!((row.lower_bound, row.gap), (row.makespan, Some(0.0)));
        let mut row = Row { status: Status::Optimal, ..made("a/b", "lr", "9", "8") };
        judge_claim(&mut row);
        assert_eq!(row.status, Status::Feasible);
    }
}
