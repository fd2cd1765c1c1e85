//! The table of users: `simulate --users`.

use std::collections::BTreeMap;

use super::*;

/// Jobs of 10 s that cost 10. User 0 submits two at 10, which run until 20 and 30; user 1 two at
/// 20, which run until 40 and 50.
const TWO: &str = "[[resource]]\nname = 'a'\nmips = 1\nprice = 1
[[users]]\ncount = 2\ngap = { constant = 10 }\ntasks = 2\nsize = { constant = 10 }
deadline = 40\nbudget = 50\n";

/// The rows of a table of users, without its header.
fn rows(folder: &Folder) -> Vec<Vec<String>> {
    let text = folder.read("users.csv");
    let row = |line: &str| line.split(',').map(str::to_owned).collect();
    text.lines().skip(1).map(row).collect()
}

#[test]
fn time_and_budget_utilisation_by_hand() {
    let folder = Folder::default();
    folder.write("two.toml", TWO);
    folder.run("simulate two.toml --users users.csv").ends(0);
    let head = "user,jobs,finished,completion_factor,first_submission,last_finish,mean_flow_time,\
                flow_time_deviation,min_flow_time,max_flow_time,total_flow_time,time_used,\
                time_allowed,time_utilisation,spent,budget,budget_utilisation";
    assert_eq!(folder.read("users.csv").lines().next(), Some(head));
    let mut rows = rows(&folder);
    for row in &mut rows {
        // √50, twice.
        assert!(row[7].starts_with("7.07106781"), "{row:?}");
        row.remove(7);
    }
    assert_eq!(rows[0].join(","), "0,2,2,1,10,30,15,10,20,30,20,40,0.5,20,50,0.4");
    assert_eq!(rows[1].join(","), "1,2,2,1,20,50,25,20,30,50,30,40,0.75,20,50,0.4");
}

/// At 35 the first job of user 1 runs and the second waits.
#[test]
fn unfinished_jobs_count_as_submitted() {
    let folder = Folder::default();
    folder.write("two.toml", format!("{TWO}[stop]\ntime = 35\n[output]\nusers = 'users.csv'\n"));
    folder.run("simulate two.toml").ends(0);
    assert_eq!(rows(&folder)[1].join(","), "1,2,0,0,20,,,,,,,,,,0,50,0");
    folder.write("lublin.toml", example("lublin.toml"));
    folder.run("simulate lublin.toml --users u.csv").fails(2, &["--users is not for"]);
}

/// The slow twin adds up the table of jobs.
#[test]
fn users_agree_with_their_jobs() {
    let folder = Folder::default();
    folder.run("generate scenario --template gridsim-economy -o eco.toml").ends(0);
    let summary = folder.run("simulate eco.toml --jobs jobs.csv --users users.csv --format json");
    let summary = summary.ends(0).json();
    let mut reader = csv::Reader::from_reader(std::io::Cursor::new(folder.read("jobs.csv")));
    let columns = reader.headers().expect("a header").clone();
    let place = |name: &str| columns.iter().position(|column| column == name).expect("known");
    let [user, success, flow, cost] = ["user", "success", "turnaround_time", "cost"].map(place);
    let mut twins: BTreeMap<u32, [f64; 4]> = BTreeMap::new();
    for row in reader.records().map(|row| row.expect("a row")) {
        let number = |at: usize| row[at].parse::<f64>().expect("a number");
        let twin = twins.entry(number(user) as u32).or_default();
        for (sum, value) in twin.iter_mut().zip([
            1.0,
            number(success),
            number(flow) * number(success),
            number(cost),
        ]) {
            *sum += value;
        }
    }
    let rows = rows(&folder);
    assert_eq!(rows.len(), 5);
    let mut left = 0.0;
    for row in &rows {
        let [jobs, finished, flow, spent] = [1, 2, 10, 14].map(|at| row[at].parse::<f64>());
        let twin = twins[&row[0].parse().expect("a number")];
        left += jobs.expect("a number") - twin[0];
        let near = |found: f64, twin: f64| (found - twin).abs() <= 1e-6 * twin.max(1.0);
        assert!(near(finished.expect("a number"), twin[1]), "{row:?} {twin:?}");
        assert!(near(flow.unwrap_or(0.0), twin[2]), "{row:?} {twin:?}");
        assert!(near(spent.expect("a number"), twin[3]), "{row:?} {twin:?}");
    }
    assert_eq!(summary["jobs"]["left"].as_f64(), Some(left));
    let spent: f64 = rows.iter().map(|row| row[14].parse::<f64>().expect("a number")).sum();
    assert!((summary["economy"]["spent"].as_f64().expect("money") - spent).abs() < 1e-6);
}
