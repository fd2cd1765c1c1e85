//! C8: the number of hosts (thesis, section 4.5.2.3, table 4.3).

use super::{Evidence, Found, Judged, MAKESPAN, MODES, Pair, Verdict, View, decreases, gains, ts};

pub fn gain(evidence: &Evidence) -> Judged {
    let view = evidence.view("grid-size", MAKESPAN)?;
    let all = ["minmin", "qgmm", "tlmm", "tlqmm"].map(|one| (one, "mct-batch"));
    let alike = |at| Found::new(view.all([at], &MODES, View::alike), &[&gains(&view, at)]);
    Some(vec![
        largest(&view, MODES[0], "20", 1.86),
        largest(&view, MODES[1], "10", 2.09),
        Found::new(
            view.thesis_finds_none(&["100", "250"], &MODES),
            &[&ts(&view, "100", &MODES), &ts(&view, "250", &MODES)],
        ),
        alike("100"),
        alike("250"),
        Found::new(view.all(["250"], &all, View::significant), &[&ts(&view, "250", &all)])
            .because(&[&view.thesis_t("250", "minmin", "mct")]),
    ])
}

fn largest(view: &View<'_>, (one, other): Pair, place: &str, value: f64) -> Found {
    let gains = decreases(view, one, other);
    let (at, most) = gains.most();
    let there = view.decrease(place, one, other);
    // The published place counts as the best if its interval overlaps that of the largest.
    let is_there = Verdict::of(there.ends().1 >= most.ends().0);
    Found::new(Verdict::all([there.agrees(value), is_there]), &[&most, &at, &there])
}
