//! Prices, deadlines and budgets: the four optimisations computed by hand, budgets that are never
//! exceeded, and the contents of reports.

use gridsat_model::Ticks;
use std::collections::HashMap;
use std::fmt::Write;

use gridsat_engine::End;
use gridsat_engine::time::Time;
use gridsat_grid::economy::{Economy, Money, Terms};
use gridsat_grid::output::{Description, Jobs, Report};
use gridsat_grid::{JobRecord, Summary, simulate};
use gridsat_scenario::{Changes, Run, template};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::grid::{assert_adds_up, parse};

const SECOND: Ticks = Ticks(1_000_000_000);
const BROKERS: [&str; 4] = ["broker-cost", "broker-time", "broker-cost-time", "broker-none"];

/// A job takes 10 s and costs 10 on the first, and takes 5 s and costs 25 on the second.
const TWO: &str = "[[resource]]\nname = 'cheap'\nmips = 1\nprice = 1\n\
                   [[resource]]\nname = 'dear'\nmips = 2\nprice = 5\n";
/// One application of four jobs of 10 MI at time 0.
const FOUR: &str =
    "[[users]]\ncount = 1\ngap = { constant = 0 }\ntasks = 4\nsize = { constant = 10 }\n";

/// The summary, and the jobs that left, sorted by number.
fn run(text: &str) -> (Summary, Vec<JobRecord>) {
    let run = parse(text).run(&Changes::default()).unwrap_or_else(|error| panic!("{error}"));
    let Run { summary, jobs } = run;
    assert_adds_up(&summary, text);
    assert_eq!(jobs.iter().map(|job| job.cost).sum::<Money>(), summary.counts.spent, "\n{text}");
    (summary, jobs)
}

fn economy(summary: &Summary) -> Economy {
    summary.economy.expect("there are prices")
}

fn units(money: u128) -> Money {
    Money(money * 1_000_000)
}

/// Four jobs under one policy: resource and end in seconds of each that left, the money spent, and
/// the number of jobs that could not be afforded.
fn four(grid: &str, policy: &str, terms: &str) -> (Vec<(u32, u64)>, Money, u64) {
    let (summary, jobs) = run(&format!("{grid}{FOUR}{terms}[[scheduler]]\npolicy = '{policy}'\n"));
    assert_eq!((summary.end, &summary.stuck), (End::NoEvents, &None), "{policy} {terms}");
    let place = |job: &JobRecord| job.sent.map_or(u32::MAX, |(resource, _)| resource.0);
    let jobs = jobs.iter().map(|job| (place(job), job.end.0 / SECOND)).collect();
    (jobs, economy(&summary).spent, economy(&summary).not_affordable)
}

#[test]
fn cost_optimisation_takes_the_cheapest_that_is_in_time() {
    let cost = |terms: &str| four(TWO, "broker-cost", terms);
    let all_cheap = vec![(0, 10), (0, 20), (0, 30), (0, 40)];
    assert_eq!(cost("deadline = 40\nbudget = 1000\n"), (all_cheap, units(40), 0));
    let both = vec![(0, 10), (0, 20), (1, 5), (1, 10)];
    assert_eq!(cost("deadline = 20\nbudget = 1000\n"), (both, units(70), 0));
}

#[test]
fn time_optimisation_takes_the_fastest_that_the_budget_allows() {
    let time = |terms: &str| four(TWO, "broker-time", terms);
    let fast = vec![(1, 5), (0, 10), (1, 10), (1, 15)];
    assert_eq!(time("deadline = 40\nbudget = 1000\n"), (fast, units(85), 0));
    // 40 is the minimum for all four; what three of them save of their shares pays for the fast
    // resource for the last.
    let one_fast = vec![(0, 10), (0, 20), (0, 30), (1, 5)];
    assert_eq!(time("deadline = 40\nbudget = 55\n"), (one_fast, units(55), 0));
}

#[test]
fn cost_time_optimisation_is_fast_among_the_equally_cheap() {
    let grid = format!("{TWO}[[resource]]\nname = 'cheap too'\nmips = 1\nprice = 1\n");
    let terms = "deadline = 40\nbudget = 1000\n";
    let one = vec![(0, 10), (0, 20), (0, 30), (0, 40)];
    assert_eq!(four(&grid, "broker-cost", terms), (one, units(40), 0));
    let both = vec![(0, 10), (2, 10), (0, 20), (2, 20)];
    assert_eq!(four(&grid, "broker-cost-time", terms), (both, units(40), 0));
}

#[test]
fn no_optimisation_spreads_what_is_affordable() {
    let none = |terms: &str| four(TWO, "broker-none", terms);
    let spread = vec![(0, 10), (1, 5), (0, 20), (1, 10)];
    assert_eq!(none("deadline = 40\nbudget = 1000\n"), (spread, units(70), 0));
    let poorer = vec![(0, 10), (0, 20), (0, 30), (1, 5)];
    assert_eq!(none("deadline = 40\nbudget = 55\n"), (poorer, units(55), 0));
}

#[test]
fn what_cannot_be_afforded_is_not_sent() {
    for policy in BROKERS {
        let (jobs, spent, not_affordable) = four(TWO, policy, "deadline = 40\nbudget = 25\n");
        assert_eq!((jobs.len(), spent, not_affordable), (2, units(20), 2), "{policy}");
        let (jobs, spent, not_affordable) = four(TWO, policy, "budget = 9.999999\n");
        assert_eq!((jobs.len(), spent, not_affordable), (0, Money::ZERO, 4), "{policy}");
        // Only one job can finish within 7 seconds.
        let (jobs, spent, not_affordable) = four(TWO, policy, "deadline = 7\n");
        assert_eq!((jobs, spent, not_affordable), (vec![(1, 5)], units(25), 3), "{policy}");
    }
}

/// Local load never ends; the simulation must not wait for it after all jobs were given up.
#[test]
fn the_simulation_ends_although_the_load_does_not() {
    let load = "load = { average = 50, randomiser = 'even', limit = 10, period = 1 }\n";
    let (summary, _) = run(&format!(
        "[[resource]]\nmips = 1\nprice = 1\n{load}{FOUR}budget = 10\n\
         [[scheduler]]\npolicy = 'broker-cost'\n"
    ));
    assert_eq!((summary.end, summary.left), (End::NoEvents, 3));
    assert!(summary.end_time < Time(60 * SECOND), "{:?}", summary.end_time);
}

/// With a time limit the broker sends the jobs that start soon and plans the others again.
#[test]
fn a_time_limit_keeps_jobs_back() {
    let text = format!(
        "{TWO}{FOUR}deadline = 20\n\
         [[scheduler]]\npolicy = 'broker-cost'\nmode = 'time-limit'\nwait = 4\n"
    );
    let (summary, jobs) = run(&text);
    assert_eq!((economy(&summary).spent, summary.counts.makespan), (units(70), Time(20 * SECOND)));
    let sent: Vec<u64> = jobs.iter().filter_map(|job| Some(job.sent?.1.0 / SECOND)).collect();
    assert_eq!(sent, [0, 8, 0, 4]);
}

const SLOWED: &str = "failure = { changes = [{ at = 1, capacity = 50 }] }\n";

#[test]
fn late_jobs_are_counted_and_cost_no_more() {
    let grid = format!("[[resource]]\nmips = 1\nprice = 1\n{SLOWED}");
    let job = "[[job]]\nmi = 10\ndeadline = 12\nbudget = 10\n[[job]]\nmi = 1\n";
    let (summary, jobs) = run(&format!("{grid}{job}[[scheduler]]\npolicy = 'broker-time'\n"));
    let expected = Economy { spent: units(11), missed: 1, not_affordable: 0 };
    assert_eq!(economy(&summary), expected);
    // 1 s at full speed and 9 s of work at half speed, then the job without a deadline.
    assert_eq!((jobs[0].end, jobs[0].is_in_time()), (Time(19 * SECOND), Some(false)));
    assert_eq!((jobs[1].end, jobs[1].is_in_time()), (Time(21 * SECOND), None));
}

/// Jobs that are still on a resource after their deadline missed it, as did those that never end.
#[test]
fn jobs_left_behind_are_late() {
    let missed = |capacity: u8, stop: u64| {
        let (summary, _) = run(&format!(
            "[[resource]]\nmips = 1\n\
             failure = {{ changes = [{{ at = 1, capacity = {capacity} }}] }}\n\
             [[job]]\nmi = 10\ndeadline = 12\n[[command]]\nat = 15\nresume = 0\n\
             [stop]\ntime = {stop}\n[[scheduler]]\npolicy = 'broker-time'\n"
        ));
        (summary.end, economy(&summary).missed)
    };
    assert_eq!(missed(1, 12), (End::TimeLimit, 0));
    assert_eq!(missed(1, 20), (End::TimeLimit, 1));
    assert_eq!(missed(0, 100), (End::NoEvents, 1));
}

/// The budget covers one job: when the first is lost, the second can be paid.
#[test]
fn lost_jobs_are_not_paid() {
    let failure = "failure = { changes = [{ at = 5, down = true }, { at = 6, up = true }], \
                   on_failure = 'lost' }\n";
    let users = FOUR.replace("tasks = 4", "tasks = 2");
    let (summary, jobs) = run(&format!(
        "[[resource]]\nmips = 1\nprice = 1\n{failure}{users}budget = 10\n\
         [[scheduler]]\npolicy = 'broker-cost'\n"
    ));
    assert_eq!((summary.counts.lost, summary.counts.finished, summary.left), (1, 1, 0));
    assert_eq!(
        (jobs[0].cost, jobs[1].cost, jobs[1].end),
        (Money::ZERO, units(10), Time(20 * SECOND))
    );
}

/// `T_min` is 15: jobs go to dear, cheap, dear, dear. `T_max` is 40, `C_min` 40, `C_max` 100.
#[test]
fn factors_are_between_the_extremes() {
    let terms = |d: f64, b: f64| {
        let scenario = parse(&format!("{TWO}{FOUR}d_factor = {d:?}\nb_factor = {b:?}\n"));
        scenario.setup(&Changes::default()).expect("valid").contracts
    };
    let of = |seconds, money| {
        vec![Terms { deadline: Some(Time(seconds * SECOND)), budget: Some(units(money)) }]
    };
    assert_eq!(terms(0.0, 0.0), of(15, 40));
    assert_eq!(terms(0.2, 0.5), of(20, 70));
    assert_eq!(terms(1.0, 1.0), of(40, 100));
    assert_eq!(terms(2.0, 1.5), of(65, 130));
    // Resources that a broker cannot reach do not count.
    let scheduler = "[[scheduler]]\npolicy = 'broker-cost'\ntargets = ['dear']\n";
    let text = format!("{TWO}{FOUR}d_factor = 0\nb_factor = 1\n{scheduler}");
    assert_eq!(parse(&text).setup(&Changes::default()).expect("valid").contracts, of(20, 100));
}

/// D = 0 is just feasible when optimising time, B = 0 when optimising cost.
#[test]
fn the_extremes_are_reached() {
    let fast = vec![(1, 5), (0, 10), (1, 10), (1, 15)];
    assert_eq!(four(TWO, "broker-time", "d_factor = 0\n"), (fast, units(85), 0));
    assert_eq!(four(TWO, "broker-cost", "b_factor = 0\n").1, units(40));
}

/// A grid with everything that makes jobs slower than planned.
fn random_text(rng: &mut ChaCha8Rng, policy: &str) -> String {
    let mut text = format!("seed = {}\n[estimates]\nerror = 40\n", rng.random_range(0..1000));
    for _ in 0..rng.random_range(1..=4) {
        let (pes, mips) = (rng.random_range(1..=3), rng.random_range(1..=9));
        let price = f64::from(rng.random_range(0..5000_u32)) / 999.0;
        let policy = ["space-shared", "time-shared", "time-shared-gridsim"][rng.random_range(0..3)];
        let failing = ["lost", "restart", "resubmit", "migrate"][rng.random_range(0..4)];
        writeln!(
            text,
            "[[resource]]\npes = {pes}\nmips = {mips}\nprice = {price}\npolicy = '{policy}'\n\
             load = {{ average = 30, randomiser = 'even', limit = 20, period = 7 }}\n\
             failure = {{ fails = {{ exponential = 90 }}, restores = 5, on_failure = '{failing}' }}"
        )
        .expect("a string");
    }
    let factors = (rng.random_range(0..60), rng.random_range(-10..60).max(0));
    writeln!(
        text,
        "[[users]]\ncount = 3\ngap = 9\napplications = 2\ntasks = 8\n\
         size = {{ uniform = [5, 50] }}\n\
         d_factor = 0.{:02}\nb_factor = 0.{:02}\n[[scheduler]]\npolicy = '{policy}'\nmode = '{}'",
        factors.0,
        factors.1,
        ["batch", "time-limit"][rng.random_range(0..2)],
    )
    .expect("a string");
    text
}

#[test]
fn budgets_are_never_exceeded() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut tight, mut missed, mut not_affordable) = (0, 0, 0);
    for case in 0..120 {
        let text = random_text(&mut rng, BROKERS[case % 4]);
        let contracts = parse(&text).setup(&Changes::default()).expect("valid").contracts;
        let (summary, jobs) = run(&text);
        assert_eq!((summary.end, &summary.stuck), (End::NoEvents, &None), "case {case}\n{text}");
        let mut spent: HashMap<usize, Money> = HashMap::new();
        for job in &jobs {
            *spent.entry((job.application * 3 + job.user) as usize).or_default() += job.cost;
        }
        for (number, spent) in spent {
            let budget = contracts[number].budget.expect("by a factor");
            assert!(spent <= budget, "case {case}: {spent} of {budget}\n{text}");
            tight += u32::from(budget.0 - spent.0 < budget.0 / 10);
        }
        let economy = economy(&summary);
        assert_eq!(economy.not_affordable, summary.left, "case {case}\n{text}");
        missed += economy.missed;
        not_affordable += economy.not_affordable;
    }
    assert!(tight > 50 && missed > 50 && not_affordable > 50, "{tight} {missed} {not_affordable}");
}

/// Golden values: computed once and changed only by a commit that says why.
#[test]
fn the_template() {
    let text = template("gridsim-economy").expect("a template").text;
    let digest = |policy: &str| {
        let (summary, _) = run(&text.replace("\"broker-cost\" ", &format!("\"{policy}\" ")));
        let Economy { spent, missed, not_affordable } = economy(&summary);
        let (finished, end) = (summary.counts.finished, summary.counts.makespan.0 / SECOND);
        format!("{finished} by {end} s, {spent} spent, {missed} late, {not_affordable} unsent")
    };
    let golden = [
        "495 by 1114 s, 35973.056436 spent, 218 late, 5 unsent",
        "500 by 1013 s, 40845.083001 spent, 0 late, 0 unsent",
        "496 by 1114 s, 35927.243068 spent, 117 late, 4 unsent",
        "500 by 1100 s, 40858.642838 spent, 17 late, 0 unsent",
    ];
    assert_eq!(BROKERS.map(digest), golden);
    // If later jobs do not slow down earlier ones, every job that is sent meets its deadline.
    let (alone, _) = run(&text.replace("\"time-shared\"", "\"space-shared\""));
    assert_eq!(economy(&alone).missed, 0);
}

fn written(text: &str) -> (String, String, String) {
    let setup = parse(text).setup(&Changes::default()).expect("valid");
    let description = Description::of("x", &setup);
    let mut jobs = Jobs::new(&description, Vec::new());
    let summary = simulate(setup, &mut vec![&mut jobs]).expect("possible");
    let report = Report { description: &description, summary: &summary };
    let (mut json, mut csv) = (Vec::new(), Vec::new());
    report.write_json(&mut json).expect("memory");
    report.write_csv(&mut csv).expect("memory");
    let jobs = jobs.finish().expect("memory");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(json), text(csv), text(jobs))
}

#[test]
fn reports_tell_of_money_where_there_is_any() {
    let broker = "[[scheduler]]\npolicy = 'broker-cost'\n";
    let (json, csv, jobs) = written(&format!("{TWO}{FOUR}deadline = 7\nbudget = 25.5\n{broker}"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let expected = serde_json::json!({ "spent": 25, "missed_deadline": 0, "not_affordable": 3 });
    assert_eq!(json["economy"], expected);
    assert!(
        csv.contains(",spent,missed_deadline,not_affordable,") && csv.contains(",25,0,3,,,,,,,")
    );
    assert!(jobs.contains(",cost,deadline_met\n") && jobs.ends_with(",0,25,1\n"), "{jobs}");
    let (json, csv, jobs) = written("[[resource]]\nmips = 1\n[[job]]\nmi = 1\n");
    assert!(
        !json.contains("economy") && csv.contains(&",".repeat(11)) && jobs.ends_with(",0,0,\n")
    );
}

/// Other policies ignore money, but their spending is reported all the same.
#[test]
fn others_do_not_care() {
    let (jobs, spent, not_affordable) = four(TWO, "met", "budget = 1\n");
    assert_eq!((jobs.len(), spent, not_affordable), (4, units(100), 0));
    let free = parse("[[resource]]\nmips = 1\n[[job]]\nmi = 1\n");
    let summary = simulate(free.setup(&Changes::default()).expect("valid"), &mut ());
    assert_eq!(summary.expect("possible").economy, None);
}
