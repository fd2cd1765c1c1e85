//! Disks and links that fail.

use crate::grid::{log, run};

/// A machine that is reached by a link of 1000 bytes a second, which is down from 2 to 5, and by
/// these other links.
fn linked(links: &str, job: &str) -> Vec<String> {
    let text = format!(
        "[[resource]]\nname = 'a'\nmips = 1\n[network]\nmodel = 'guts'\nhosts = ['desk']\n\
         routers = ['hub']\n[[network.link]]\nbetween = ['desk', 'a']\nbandwidth = 8000\n\
         failure = {{ changes = [{{ at = 2, down = true }}, {{ at = 5, up = true }}] }}\n{links}\
         [[job]]\nmi = 3\nhome = 'desk'\n{job}\n"
    );
    log(&text).0
}

#[test]
fn a_transfer_begins_again_when_its_link_is_back() {
    let expected = [
        "0 sent job=0 resource=a",
        "0 moving from=desk to=a bytes=4000",
        "2 down link=desk-a",
        "5 up link=desk-a",
        "5 moving from=desk to=a bytes=4000",
        "9 moved from=desk to=a bytes=4000",
        "9 started job=0 resource=a pe=0",
        "12 finished job=0 resource=a",
        "12 end reason=no-events",
    ];
    assert_eq!(linked("", "input = 4000"), expected);
    // A job that arrives while there is no route waits for one.
    let late = linked("", "at = 3\ninput = 1000");
    assert_eq!(late[late.len() - 2], "9 finished job=0 resource=a");
    // Results wait for it too.
    let home = linked("", "at = 1\noutput = 2000");
    assert_eq!(home[home.len() - 2], "7 finished job=0 resource=a");
}

#[test]
fn a_transfer_takes_another_route() {
    let links = "[[network.link]]\nbetween = ['desk', 'hub']\nbandwidth = 4000\n\
                 [[network.link]]\nbetween = ['a', 'hub']\nbandwidth = 16000\n";
    let log = linked(links, "input = 4000");
    let expected = [
        "2 down link=desk-a",
        "2 moving from=desk to=a bytes=4000",
        "5 up link=desk-a",
        "10 moved from=desk to=a bytes=4000",
    ];
    assert_eq!(log[2..6], expected);
}

/// A disk that is down from 20 to 30, with a file that comes from a server in a second.
fn stored(holders: &str, jobs: &str) -> (Vec<String>, u64) {
    let text = format!(
        "[[resource]]\nname = 'a'\nmips = 1\n[resource.disk_failure]\n\
         changes = [{{ at = 20, down = true }}, {{ at = 30, up = true }}]\n\
         [network]\nmodel = 'baud-rate'\nbaud = 8000\nhosts = ['server']\n\
         [[file]]\nname = 'f'\nsize = 1000\nhosts = [{holders}]\n{jobs}"
    );
    let (log, summary) = log(&text);
    (log, summary.left)
}

fn job(at: u32, mi: u32) -> String {
    format!("[[job]]\nat = {at}\nmi = {mi}\ninputs = ['f']\n")
}

#[test]
fn a_disk_loses_its_files_and_admits_nothing_until_it_is_back() {
    let (log, _) = stored("'server'", &[job(0, 2), job(12, 2), job(22, 2)].concat());
    let started: Vec<&String> = log.iter().filter(|line| line.contains("started")).collect();
    let expected = [
        "1 started job=0 resource=a pe=0",
        "12 started job=1 resource=a pe=0",
        "31 started job=2 resource=a pe=0",
    ];
    assert_eq!(started, expected);
    assert!(log.contains(&"20 down disk=a".to_owned()), "{log:#?}");
    // A file that a running job needs survives.
    let (log, _) = stored("'server'", &[job(0, 50), job(35, 2)].concat());
    assert_eq!(log.iter().filter(|line| line.contains("moved")).count(), 1, "{log:#?}");
}

#[test]
fn a_job_that_needs_a_lost_file_waits_for_ever() {
    let (log, left) = stored("'a'", &[job(0, 2), job(22, 2)].concat());
    assert_eq!((left, log.last().map(String::as_str)), (1, Some("30 end reason=stuck")));
}

/// A transfer of d seconds over a link that fails after exponential times of mean m and is repaired
/// after exponential times of mean r, and that begins again each time, takes (e^(d/m) - 1) · (m +
/// r) on average.
#[test]
fn the_mean_time_of_a_transfer_is_that_of_the_formula() {
    let text = "[[resource]]\nname = 'm'\ncount = 600\nmips = 1\n[network]\nmodel = 'guts'\n\
        hosts = ['desk']\n[[network.link]]\nbetween = ['m', 'desk']\nbandwidth = 8000\n\
        failure = { fails = { exponential = 50 }, restores = { exponential = 20 } }\n\
        [[users]]\ncount = 1\ntasks = 600\ngap = 0\nsize = 1000\nhome = 'desk'\ninput = 30000\n";
    let data = run(text, &mut ()).data.expect("there are transfers");
    let mean = data.staging.mean() / 1e9;
    let formula = ((30.0_f64 / 50.0).exp() - 1.0) * (50.0 + 20.0);
    assert!((mean / formula - 1.0).abs() < 0.1, "{mean} instead of {formula}");
}
