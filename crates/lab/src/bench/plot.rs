//! Mean excess over mean time of each algorithm, as SVG.

use super::{Algorithm, Standings};
use gridsat_draw::scatter::{LogAxis, Point, Scatter, svg};

/// The picture, with a heading.
pub fn plot(algorithms: &[Algorithm], standings: &Standings, title: &str) -> String {
    let Standings { instances, open, rows } = standings;
    let bound = match open {
        0 => String::new(),
        _ => format!("; {open} without proven optimum, there to the lower bound"),
    };
    let points = rows.iter().map(|row| Point {
        name: algorithms[row.algorithm].title(),
        is_second: algorithms[row.algorithm].is_search(),
        x: row.seconds,
        y: 100.0 * row.excess.mean,
    });
    svg(&Scatter {
        title,
        note: format!("means over {instances} instances{bound}"),
        kinds: ["heuristic", "search"],
        x: LogAxis {
            label: "mean time of a run",
            floor: -7,
            mark: seconds,
            value: |seconds| format!("{seconds:.6} s"),
        },
        y: LogAxis {
            label: "mean excess over the optimum",
            floor: -3,
            mark: |percent| format!("{percent} %"),
            value: |percent| format!("{percent:.4} %"),
        },
        points: points.collect(),
    })
}

/// A power of ten in the unit people use for it.
fn seconds(value: f64) -> String {
    let (factor, unit) = match value {
        small if small < 0.9e-3 => (1e6, "µs"),
        small if small < 0.9 => (1e3, "ms"),
        _ => (1.0, "s"),
    };
    let number = value * factor;
    if number < 0.9 { format!("{number:.1} {unit}") } else { format!("{number:.0} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_have_their_unit() {
        assert_eq!([1e-7, 1e-5, 1e-1, 1.0].map(seconds), ["0.1 µs", "10 µs", "100 ms", "1 s"]);
    }
}
