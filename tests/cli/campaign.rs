//! The campaign scripts of `benches/campaign`, if Python is installed: every answer becomes a row,
//! a run resumes where another stopped, and the report shows contradictions.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use gridsat_test_support::outside::installed;
use gridsat_test_support::program::{Folder, Run, gridsat};
use gridsat_test_support::project;

/// A folder with a list, and the interpreter.
struct Campaign {
    folder: Folder,
    python: PathBuf,
}

impl Campaign {
    /// `list` names instances of the project's folder `instances`; `None` without Python.
    fn new(list: &[&str]) -> Option<Self> {
        let python = installed("python3")?;
        let folder = Folder::default();
        let line = |entry: &&str| format!("{}\n", project("instances").join(entry).display());
        folder.write("list.txt", list.iter().map(line).collect::<String>());
        Some(Self { folder, python })
    }

    fn script(&self, name: &str, words: &str) -> Run {
        let mut command = Command::new(&self.python);
        command.arg("-B").arg(project("benches/campaign").join(name));
        command.args(words.split_whitespace()).current_dir(self.folder.path("."));
        if name == "run.py" {
            command.arg("--gridsat").arg(gridsat());
        }
        Run::of(&mut command)
    }

    /// Runs the campaign; returns the number of rows added.
    fn run(&self) -> usize {
        let run = self.script("run.py", "list.txt --out results.csv --time-limit 20");
        assert_eq!(run.code, Some(0), "{run:?}");
        run.err.lines().count()
    }

    fn rows(&self) -> Vec<BTreeMap<String, String>> {
        let text = self.folder.read("results.csv");
        csv::Reader::from_reader(text.as_bytes())
            .deserialize()
            .map(|row| row.expect("a row"))
            .collect()
    }
}

const LIST: [&str; 2] = ["jobcorr_12x4.txt\t167", "u_c_hilo_10x4.hcsp\t11103.93"];

#[test]
fn every_answer_becomes_a_row() {
    let Some(campaign) = Campaign::new(&LIST) else { return };
    assert_eq!(campaign.run(), 2);
    let rows = campaign.rows();
    let column = |name: &str| rows.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(column("instance"), ["instances/jobcorr_12x4.txt", "instances/u_c_hilo_10x4.hcsp"]);
    assert_eq!(column("class"), ["jobcorr", "u_c_hilo"]);
    assert_eq!(column("status"), ["optimal", "optimal"]);
    assert_eq!(column("makespan"), ["167", "11103.93"]);
    assert_eq!(column("accepted"), ["yes", "yes"]);
    assert!(
        column("certificate_bytes").iter().all(|bytes| bytes.parse::<u64>().is_ok_and(|b| b > 0))
    );
}

#[test]
fn a_run_goes_on_where_another_stopped() {
    let Some(campaign) = Campaign::new(&LIST) else { return };
    campaign.run();
    let whole = campaign.folder.read("results.csv");
    assert_eq!(campaign.run(), 0, "nothing is left to do");
    assert_eq!(campaign.folder.read("results.csv"), whole);

    // As if killed while writing the last row.
    campaign.folder.write("results.csv", &whole[..whole.len() - 20]);
    assert_eq!(campaign.run(), 1);
    let rows = campaign.rows();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1]["makespan"], "11103.93");
}

#[test]
fn a_bad_instance_does_not_end_a_run() {
    let Some(campaign) = Campaign::new(&["missing.json", LIST[0]]) else { return };
    assert_eq!(campaign.run(), 2);
    let rows = campaign.rows();
    assert_eq!((rows[0]["status"].as_str(), rows[1]["status"].as_str()), ("error", "optimal"));
    assert!(rows[0]["note"].contains("missing.json"), "{:?}", rows[0]);
}

#[test]
fn the_report_tells_what_contradicts_the_list() {
    for (known, code, part) in [
        ("167", 0, "| jobcorr | 12 tasks | 1 of 1 |"),
        ("160..168", 0, "None."),
        ("168", 1, "makespan 167 is below"),
        ("150..166", 1, "lower bound 167 is above"),
    ] {
        let entry = format!("jobcorr_12x4.txt\t{known}");
        let Some(campaign) = Campaign::new(&[&entry]) else { return };
        campaign.run();
        let report = campaign.script("report.py", "results.csv --plot plot.svg").ends(code);
        assert!(report.out.contains(part), "{known}: {}", report.out);
        assert!(campaign.folder.read("plot.svg").contains("jobcorr  1/1"));
    }
}
