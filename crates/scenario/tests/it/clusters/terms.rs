//! Deadlines, migration costs and perturbed run times of cluster scenarios.

use super::*;
use gridsat_cluster::statistics::{self, JobCsv};
use gridsat_engine::time::Time;

const TWO: &str = "
[[cluster]]
name = 'a'
nodes = 2
network = 4
[[cluster]]
name = 'b'
nodes = 4
network = 0.5
[[job]]
nodes = 2
run = 10
migration = 20
deadline = 10
[[job]]
at = 1
nodes = 2
run = 10
migration = 20
deadline = 50
[[job]]
at = 1
nodes = 3
run = 10
deadline = 50
[[job]]
at = 2
nodes = 9
run = 5
deadline = 70
[[job]]
at = 3
home = 'b'
nodes = 1
run = 5
[stop]
time = 100
";

/// Job 2 finds its home occupied and moves to b: 20 s through networks of index 4 and 0.5 take 40
/// s, so it ends at 51, one second late. Job 3 follows on a at 10 with one node of b, without a
/// cost. Job 4 does not fit anywhere. Job 5 has no deadline.
#[test]
fn deadlines_and_migrations_by_hand() {
    let scenario = parse(TWO);
    let jobs = jobs_of(TWO);
    let ends: Vec<_> = jobs.iter().map(|job| (job.start.0.0, job.end.0.0)).collect();
    assert_eq!(ends, [(0, 10), (1, 51), (10, 20), (10, 15)]);
    let summary = run(&scenario);
    let terms = summary.all.jobs.terms;
    assert_eq!((terms.met, terms.missed), (2, 2));
    assert_eq!((terms.tardiness.total(), terms.tardiness.count()), (1, 3));
    assert_eq!((terms.migrations, terms.migration), (1, 40));
    let mut csv = JobCsv::new(Vec::new(), scenario.scale(), setup(&scenario).0.has_terms);
    simulate(setup(&scenario).0, &mut csv).expect("valid");
    let csv = String::from_utf8(csv.finish().expect("memory")).expect("text");
    let expected = "\
job,user,priority,home,submit,start,end,wait,run,estimate,nodes,parts,suspensions,\
deadline,migration,outcome
4,0,0,0,2,,,,,5,9,,0,70,,refused
1,0,0,0,0,0,10,0,10,10,2,0:0:2,0,10,0,finished
5,0,0,1,3,10,15,7,5,5,1,1:0:1,0,,0,finished
3,0,0,0,1,10,20,9,10,10,3,0:0:2 1:0:1,0,50,0,finished
2,0,0,0,1,1,51,0,50,10,2,1:0:2,0,50,40,finished
";
    assert_eq!(csv, expected);
    let mut rows = Vec::new();
    statistics::csv(&summary, &mut rows).expect("memory");
    let rows = String::from_utf8(rows).expect("text");
    let ends: Vec<_> = rows.lines().map(|line| line.rsplitn(7, ',').take(6)).collect();
    let ends: Vec<Vec<&str>> = ends.into_iter().map(Iterator::collect).collect();
    let names = ["total_migration", "migrations", "max_tardiness", "mean_tardiness"];
    assert_eq!(ends[0], [&names[..], &["deadlines_missed", "deadlines_met"]].concat());
    assert_eq!(ends[3][..3], ["40.0", "1", "1.0"]);
    assert_eq!(ends[3][4..], ["2", "2"]);
}

/// Jobs that wait or run at the end are late if their deadline has passed.
#[test]
fn deadlines_that_pass_before_the_end_are_missed() {
    let late = |stop: u64| {
        let terms = run(&parse(&TWO.replace("time = 100", &format!("time = {stop}")))).all.jobs;
        (terms.terms.met, terms.terms.missed)
    };
    // Of jobs 2 and 3 one is late from 51 on, when it still runs; the refused one counts at once.
    assert_eq!([late(9), late(11), late(51), late(52)], [(0, 1), (1, 1), (2, 1), (2, 2)]);
}

/// With the earliest deadline first, jobs without one come last.
#[test]
fn the_earliest_deadline_is_first() {
    let text = "
        [[cluster]]
        nodes = 1
        [scheduler]
        policy = 'edf'
        [[job]]
        run = 10
        [[job]]
        at = 1
        run = 10
        [[job]]
        at = 2
        run = 10
        deadline = 90
        [[job]]
        at = 3
        run = 10
        deadline = 40";
    let starts: Vec<u64> = jobs_of(text).iter().map(|job| job.start.0.0).collect();
    assert_eq!(starts, [0, 30, 20, 10]);
}

/// The model's deadlines and costs reach the simulator: met and missed add up, a loose deadline is
/// always met, and migrations cost what the model says.
#[test]
fn wang_and_zhangs_jobs_have_terms() {
    let text = |set: &str| {
        format!(
            "[[cluster]]\ncount = 4\nnodes = 128\n[jobs]\nmodel = 'wang-zhang'\ncount = 2000\n\
             request = 'single'\nset = {{ s = 120, {set} }}\n"
        )
    };
    let terms = |set: &str| run(&parse(&text(set))).all.jobs.terms;
    let usual = terms("alpha = 2");
    assert_eq!((usual.met + usual.missed, usual.tardiness.count()), (2000, 2000));
    assert!(usual.missed > 0 && usual.met > 1000, "{usual:?}");
    assert_eq!(terms("deadline1 = 1000000, deadline2 = 1000000").missed, 0);
    let costly = terms("alpha = 2, migration1 = 100, migration2 = 100");
    assert!(costly.migrations > 100, "{costly:?}");
    assert_eq!(costly.migration, u128::from(costly.migrations) * 100);
    let free = terms("alpha = 2, migration1 = 0, migration2 = 0");
    assert_eq!((free.migrations, free.migration), (0, 0));
}

/// Deadlines and costs of any jobs: within the range that the formula gives, and its middle on
/// average. Neither changes when the other is drawn too.
#[test]
fn terms_are_drawn() {
    let drawn = |more: &str| {
        let text = format!("{more}\n[[cluster]]\nnodes = 9\n[jobs]\nmodel = 'beosim'\ncount = 900");
        let (setup, _) = setup(&parse(&text));
        assert_eq!(setup.has_terms, !more.is_empty());
        setup.source.map(|job| job.expect("drawn")).collect::<Vec<_>>()
    };
    assert!(drawn("").iter().all(|job| job.terms.is_none()));
    let deadlines = "deadlines = { factor = [2, 6] }\nestimates = { factor = [1, 3] }\n";
    let costs = "migration = { cost = [10, 30] }\n";
    let (both, alone) = (drawn(&format!("{deadlines}{costs}")), drawn(deadlines));
    let factor = |job: &gridsat_cluster::ParallelJob| {
        let allowed = job.deadline().expect("drawn") - Time(job.rigid.submit);
        allowed.as_f64() / job.rigid.estimate.as_f64()
    };
    let factors: Vec<f64> = both.iter().map(factor).collect();
    assert!(factors.iter().all(|factor| (1.4..=6.6).contains(factor)), "{factors:?}");
    let mean = factors.iter().sum::<f64>() / 900.0;
    assert!((mean - 4.0).abs() < 0.2, "{mean}");
    assert_eq!(factors, alone.iter().map(factor).collect::<Vec<_>>());
    let costs: Vec<u64> =
        both.iter().map(|job| job.terms.as_ref().expect("drawn").migration.0).collect();
    assert!(costs.iter().all(|cost| (10..=30).contains(cost)));
    assert!(costs.contains(&11) && costs.contains(&29));
}

/// Run times vary, estimates and deadlines do not follow, and the mean is that of the factor.
#[test]
fn run_times_vary() {
    let drawn = |more: &str| {
        let text = format!(
            "{more}\ndecimals = 3\ndeadlines = {{ factor = [2, 2] }}\n[[cluster]]\nnodes = 9\n\
             [jobs]\nmodel = 'beosim'\ncount = 2000"
        );
        setup(&parse(&text)).0.source.map(|job| job.expect("drawn")).collect::<Vec<_>>()
    };
    let (plain, varied) = (drawn(""), drawn("perturbation = { factor = [0.8, 1.4] }"));
    let mut sum = 0.0;
    for (plain, varied) in plain.iter().zip(&varied) {
        assert_eq!(plain.rigid.estimate, varied.rigid.estimate);
        assert_eq!(
            (plain.rigid.submit, plain.deadline()),
            (varied.rigid.submit, varied.deadline())
        );
        let ratio = varied.rigid.run.as_f64() / plain.rigid.run.as_f64();
        assert!((0.8..1.45).contains(&ratio), "{ratio}");
        sum += ratio;
    }
    assert!((sum / 2000.0 - 1.1).abs() < 0.01, "{sum}");
    assert_eq!(drawn("perturbation = { factor = [1, 1] }"), plain);
    // Five jobs by hand: twice the run time, the same estimate, so that they are killed.
    let text = "overrun = 'kill'\nperturbation = { factor = [2, 2] }\n[[cluster]]\nnodes = 1\n\
                [[job]]\nrun = 7\nestimate = 20\n[[job]]\nrun = 7\nestimate = 9";
    let ends: Vec<_> = jobs_of(text).iter().map(|job| (job.end.0.0, job.outcome)).collect();
    assert_eq!(ends, [(14, Outcome::Finished), (23, Outcome::Killed)]);
}

#[test]
fn nonsense_is_refused_in_one_line() {
    let with = |before: &str, after: &str| {
        error(&format!("{before}\n[[cluster]]\nnodes = 4\n[[job]]\nrun = 5\n{after}"))
    };
    let range = "not a range above 0 and up to 1e6";
    assert_eq!(
        with("deadlines = { factor = [3, 2] }", ""),
        format!("x.toml:1:24: deadlines: factor is [3, 2], {range}")
    );
    assert_eq!(
        with("perturbation = { factor = [0, 2] }", ""),
        format!("x.toml:1:27: perturbation: factor is [0, 2], {range}")
    );
    assert_eq!(
        with("migration = { cost = [-1, 2] }", ""),
        "x.toml:1:22: migration: cost is [-1, 2], not a range from 0 to 1e9 seconds"
    );
    assert_eq!(
        with("", "at = 9\ndeadline = 8"),
        "x.toml:7:12: job[0]: deadline is 8, before at, which is 9"
    );
    assert!(with("", "migration = -1").ends_with("migration is -1, not a number of seconds >= 0"));
    let network = error("[[cluster]]\nnodes = 4\nnetwork = 0\n[[job]]\nrun = 5");
    assert!(network.ends_with("network is 0, not a number from 0.000001 to 4294"), "{network}");
    let queue = "scheduler = { policy = 'easy', queue = 'in-turn' }";
    let expected = "policy \"easy\" needs queue \"global\" or \"local\"; where jobs are chosen \
                    from several queues, use a plain or scan policy";
    assert_eq!(with(queue, ""), format!("x.toml:1:24: scheduler: {expected}"));
    let queue = "scheduler = { queue = 'best' }";
    let known = "known: global, local, priority, in-turn, random";
    assert!(with(queue, "").ends_with(&format!("queue is \"best\"; {known}")));
}
