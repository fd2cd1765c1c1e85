//! The report as text and as Markdown.

use std::io::{self, Write};

use gridsat_draw::number::NONE;
use gridsat_lab::campaign::{Exact, Group, Line, Report, Section};
use gridsat_model::text::printable;

use super::super::table::with_head;

pub fn text(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for line in remarks(report) {
        writeln!(out, "{}", printable(&line))?;
    }
    for section in &report.sections {
        let Cells { head, rows, texts } = Cells::of(section, report);
        let columns = head.len();
        let mut table = with_head(head, texts..columns);
        for row in rows {
            table.add_row(row.iter().map(|cell| printable(cell)));
        }
        writeln!(out, "\n{}\n{table}", limit(section))?;
    }
    Ok(())
}

pub fn markdown(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for line in remarks(report) {
        writeln!(out, "- {}", escaped(&line))?;
    }
    for section in &report.sections {
        let Cells { head, rows, texts } = Cells::of(section, report);
        writeln!(out, "\n{}:\n", limit(section))?;
        writeln!(out, "| {} |", head.join(" | "))?;
        writeln!(out, "|{}{}", "---|".repeat(texts), "---:|".repeat(head.len() - texts))?;
        for row in rows {
            let row: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
            writeln!(out, "| {} |", row.join(" | "))?;
        }
    }
    Ok(())
}

/// Text that a table of Markdown can hold on one line.
fn escaped(text: &str) -> String {
    printable(text).replace('|', "\\|")
}

fn limit(section: &Section) -> String {
    let threads = if section.threads == 1 { "thread" } else { "threads" };
    format!("Limit {} s, {} {threads}, CPU seconds", section.time_limit, section.threads)
}

/// What stands above the tables.
fn remarks(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for one in &report.solvers {
        let several = if one.versions.len() > 1 { " (several versions)" } else { "" };
        let versions = match one.versions.as_slice() {
            [] => "version not reported".to_owned(),
            versions => versions.join(", "),
        };
        lines.push(format!("{}: {versions}{several}", one.solver));
    }
    let with = |what: &str, about: &[String]| -> Vec<String> {
        about.iter().map(|line| format!("{what}: {line}")).collect()
    };
    lines.extend(with("CONTRADICTION", &report.contradictions));
    lines.extend(with("failed", &report.failures));
    let known = report.literature;
    if known.known > 0 {
        lines.push(format!(
            "{} instances with known values: {} with a better makespan, {} proven that were open",
            known.known, known.improved, known.settled
        ));
    }
    lines
}

/// A table: its first columns are texts, the others numbers.
struct Cells {
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    texts: usize,
}

impl Cells {
    fn of(section: &Section, report: &Report) -> Self {
        let groups = section.groups.iter().map(of_group);
        let rows: Vec<Vec<String>> = groups.chain(section.lines.iter().map(of_line)).collect();
        let (head, texts): (&[&'static str], _) = match section.groups.is_empty() {
            true => (&LINE, LINE_TEXTS),
            false => (&GROUP, GROUP_TEXTS),
        };
        let is_alone = report.solvers.len() < 2;
        let is_used = |column: usize| {
            let is_empty = |row: &Vec<String>| row[column].is_empty() || row[column] == NONE;
            let is_known = is_alone && head[column] == SOLVER;
            !is_known && !rows.iter().all(is_empty)
        };
        let used: Vec<usize> = (0..head.len()).filter(|&column| is_used(column)).collect();
        let row = |row: &Vec<String>| used.iter().map(|&column| row[column].clone()).collect();
        Self {
            rows: rows.iter().map(row).collect(),
            texts: used.iter().filter(|&&column| column < texts).count(),
            head: used.iter().map(|&column| head[column]).collect(),
        }
    }
}

const SOLVER: &str = "solver";

const GROUP_TEXTS: usize = 2;
const GROUP: [&str; 12] = [
    "class",
    SOLVER,
    "tasks",
    "hosts",
    "proven",
    "mean s",
    "max s",
    "gap %",
    "max gap %",
    "check %",
    "max MiB",
    "ratio",
];

fn of_group(group: &Group) -> Vec<String> {
    let known = |number: Option<u64>| number.filter(|&number| number > 0);
    let whole = |number| known(number).map_or(String::new(), |number| number.to_string());
    let of = &group.measures;
    let all = if group.tasks.is_none() { "all" } else { "" };
    let failed = if of.failed > 0 { format!(" ({} failed)", of.failed) } else { String::new() };
    let blank = match of.without_mapping {
        0 => String::new(),
        count => format!(" ({count} none)"),
    };
    vec![
        group.class.clone().unwrap_or_else(|| all.to_owned()),
        group.solver.clone(),
        whole(group.tasks),
        whole(group.hosts),
        format!("{}/{}{failed}", of.proven, of.instances),
        seconds(of.mean_seconds),
        seconds(of.max_seconds),
        percent(of.mean_gap) + &blank,
        percent(of.max_gap.filter(|_| of.mean_gap.is_some())),
        of.check_share.map_or(NONE.to_owned(), |share| format!("{:.1}", 100.0 * share)),
        of.max_peak_mib.map_or(NONE.to_owned(), |mib| format!("{mib:.0}")),
        seconds(of.ratio),
    ]
}

const LINE_TEXTS: usize = 3;
const LINE: [&str; 8] =
    ["instance", SOLVER, "status", "lower bound", "makespan", "gap %", "s", "known"];

fn of_line(line: &Line) -> Vec<String> {
    let shown = |value: Option<Exact>| value.map_or(NONE.to_owned(), |v| v.to_string());
    let status = if line.proven { "proven".to_owned() } else { status(line) };
    vec![
        line.instance.clone(),
        line.solver.clone(),
        status,
        shown(line.lower_bound),
        shown(line.makespan),
        percent(line.gap),
        seconds(Some(line.seconds)),
        line.known.clone().unwrap_or_default(),
    ]
}

fn status(line: &Line) -> String {
    format!("{:?}", line.status).to_lowercase()
}

/// Three significant digits, without a power of ten.
fn seconds(value: Option<f64>) -> String {
    let Some(value) = value else { return NONE.to_owned() };
    let magnitude = if value > 0.0 { value.log10().floor() as i32 } else { 0 };
    format!("{value:.*}", (2 - magnitude).clamp(0, 6) as usize)
}

fn percent(gap: Option<f64>) -> String {
    gap.map_or(NONE.to_owned(), |gap| format!("{:.4}", 100.0 * gap))
}
