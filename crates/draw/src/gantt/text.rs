//! Gantt chart in characters, one line per host.
//!
//! ```text
//! a │░░render░░░▓▓▓▓▓     │ 16
//! b │····░░░░░merge░░░░░░░│ 21
//!    0                  21
//! ```
//!
//! Dots until the host is ready, then its tasks in alternating shades, with their names where they
//! fit. The ends of a task are rounded to whole characters; a task shorter than half a character
//! may be invisible, but the load after the bar includes it. Every character counts as one column,
//! which is wrong for wide scripts.

use super::timeline::{HostRow, latest_hosts, rows_of, shortened};
use gridsat_model::{Instance, Mapping, Ticks};

const WAITING: char = '·';
const SHADES: [char; 2] = ['░', '▓'];
const LONGEST_NAME: usize = 16;

/// Narrowest useful bar in characters; the column of loads is dropped before bars get narrower.
const NARROWEST_BAR: usize = 8;

/// Most hosts that are shown: a terminal does not keep more lines, and nobody reads them.
pub const MOST_HOSTS: usize = 200;

/// The chart as text, of the hosts that end last. No line is longer than `width` if that is at
/// least 20.
pub fn text(instance: &Instance, mapping: &Mapping, width: usize) -> String {
    let rows = rows_of(instance, mapping, &latest_hosts(mapping, MOST_HOSTS));
    let layout = Layout::new(instance, &rows, width);
    let mut text: String = rows.iter().map(|row| layout.line(instance, row)).collect();
    text.push_str(&layout.axis(instance));
    text
}

struct Layout {
    name: usize,
    bar: usize,
    with_loads: bool,
    makespan: Ticks,
}

impl Layout {
    fn new(instance: &Instance, rows: &[HostRow], width: usize) -> Self {
        let names = rows.iter().map(|row| instance.host_name(row.host));
        let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let name = longest.min(LONGEST_NAME).min(width / 4);
        let shown = |row: &HostRow| instance.scale().display(row.load).to_string().len();
        let load = rows.iter().map(shown).max().unwrap_or(0);
        let makespan = rows.iter().map(|row| row.load).max().unwrap_or_default();
        // Around the bar are a space and two strokes; one more space precedes the load.
        let room = width.saturating_sub(name + 3);
        let beside_load = room.saturating_sub(load + 1);
        let with_loads = beside_load >= NARROWEST_BAR;
        let bar = if with_loads { beside_load } else { room };
        Self { name, bar: bar.max(NARROWEST_BAR), with_loads, makespan }
    }

    fn line(&self, instance: &Instance, row: &HostRow) -> String {
        let name = shortened(instance.host_name(row.host), self.name);
        let bar: String = self.bar(instance, row).into_iter().collect();
        let line = format!("{name:<width$} │{bar}│", width = self.name);
        if self.with_loads {
            format!("{line} {}\n", instance.scale().display(row.load))
        } else {
            line + "\n"
        }
    }

    fn bar(&self, instance: &Instance, row: &HostRow) -> Vec<char> {
        let mut cells = vec![' '; self.bar];
        cells[..self.cell(row.ready)].fill(WAITING);
        for (bar, shade) in row.tasks.iter().zip(SHADES.into_iter().cycle()) {
            let cells = &mut cells[self.cell(bar.start)..self.cell(bar.end)];
            cells.fill(shade);
            write_inside(cells, instance.task_name(bar.task));
        }
        cells
    }

    /// The position of a time in characters, rounded.
    fn cell(&self, time: Ticks) -> usize {
        let makespan = u128::from(self.makespan.max(Ticks(1)));
        let cells = (u128::from(time) * self.bar as u128 + makespan / 2) / makespan;
        usize::try_from(cells).map_or(self.bar, |cell| cell.min(self.bar))
    }

    fn axis(&self, instance: &Instance) -> String {
        let end = instance.scale().display(self.makespan).to_string();
        let indent = self.name + 2;
        let room = self.bar.saturating_sub(1);
        if end.len() < room {
            format!("{:indent$}0{end:>room$}\n", "")
        } else {
            format!("{end:>width$}\n", width = indent + self.bar)
        }
    }
}

/// Centres the name if it leaves a free cell on both sides.
fn write_inside(cells: &mut [char], name: &str) {
    let length = name.chars().count();
    if length + 2 > cells.len() {
        return;
    }
    let start = (cells.len() - length) / 2;
    let letters = shortened(name, length);
    for (cell, letter) in cells[start..].iter_mut().zip(letters.chars()) {
        *cell = letter;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::{HostId, InstanceParts, Scale};

    fn mapped(etc: Vec<Vec<Option<Ticks>>>, ready: Vec<Ticks>) -> (Instance, Mapping) {
        let hosts = (0..etc.len()).map(|t| HostId((t % etc[0].len()) as u32));
        let hosts = hosts.collect();
        let parts = InstanceParts {
            etc,
            ready,
            scale: Scale::new(2).expect("small"),
            ..InstanceParts::default()
        };
        let instance = Instance::new(parts).expect("valid");
        let mapping = Mapping::new(&instance, hosts).expect("valid");
        (instance, mapping)
    }

    #[test]
    fn draws_to_scale() {
        let etc = vec![
            vec![Some(Ticks(1000)), Some(Ticks(1))],
            vec![Some(Ticks(1)), Some(Ticks(1600))],
            vec![Some(Ticks(250)), None],
        ];
        let (instance, mapping) = mapped(etc, vec![Ticks(0), Ticks(400)]);
        let expected = "\
h0 │░░░░t0░░░░▓▓▓       │ 12.5
h1 │····░░░░░░░t1░░░░░░░│ 20
    0                 20
";
        assert_eq!(text(&instance, &mapping, 30), expected);
    }

    #[test]
    fn every_line_fits_any_width() {
        let sizes = [(1, 1), (3, 64), (200, 2), (64, 64)];
        for (n, m) in sizes {
            for longest in [0, 7, 1 << 50] {
                let time = |t: usize, h: usize| Some(Ticks(longest * ((t + h) % 3) as u64 / 2));
                let row = |t: usize| (0..m).map(|h| time(t, h)).collect();
                let (instance, mapping) = mapped((0..n).map(row).collect(), vec![]);
                for width in 20..=200 {
                    let chart = text(&instance, &mapping, width);
                    assert_eq!(chart.lines().count(), m + 1);
                    let longest = chart.lines().map(|l| l.chars().count()).max();
                    assert!(longest <= Some(width), "{width}:\n{chart}");
                }
            }
        }
    }
}
