//! Memory, storage and bandwidth of reservations, and what reservations cost: by hand.

use super::*;
use crate::grid::error;

/// Lines that say when jobs started, as (time, job).
fn started(log: &[String]) -> Vec<(String, String)> {
    let start = |line: &String| {
        let mut words = line.split(' ');
        let (time, what, job) = (words.next()?, words.next()?, words.next()?);
        (what == "started").then(|| (time.to_owned(), job.trim_start_matches("job=").to_owned()))
    };
    log.iter().filter_map(start).collect()
}

fn at(starts: &[(&str, &str)]) -> Vec<(String, String)> {
    starts.iter().map(|&(time, job)| (time.to_owned(), job.to_owned())).collect()
}

fn cost(summary: &Summary) -> f64 {
    summary.reservations[0].cost.as_f64()
}

/// Ten bytes, of which six are reserved from 10 to 30. The job of the reservation waits until 15,
/// because another one has eight. Then it has five, so one is kept free, and five are too many for
/// job 2 until the reservation has ended.
#[test]
fn memory_is_kept_for_jobs_of_a_reservation() {
    let (log, summary) = log("[[resource]]\nname = 'a'\npes = 3\nmips = 1\nmemory = 10\n\
         [[reservation]]\nname = 'R'\nresource = 'a'\nmemory = 6\nfee = 2\nstart = 10\n\
         duration = 20\n\
         [[job]]\nmi = 15\nmemory = 8\n\
         [[job]]\nmi = 4\nmemory = 5\nreservation = 'R'\n\
         [[job]]\nat = 12\nmi = 3\nmemory = 5\n");
    assert_eq!(started(&log), at(&[("0", "0"), ("15", "1"), ("30", "2")]));
    assert_eq!((came_to(&summary.reservations[0]), cost(&summary)), (("finished", 0.0, 0.0), 40.0));
}

/// A reservation that is refused leaves its jobs to the ordinary queue, also on a resource that is
/// time-shared, where only PEs cannot be reserved.
#[test]
fn jobs_of_a_refused_one_get_ordinary_memory() {
    let one = |name: &str| {
        format!(
            "[[reservation]]\nname = '{name}'\nresource = 'a'\nmemory = 6\nfee = 1\nstart = 10\n\
             duration = 5\n"
        )
    };
    let (log, summary) = log(&format!(
        "[[resource]]\nname = 'a'\nmips = 1\nmemory = 10\npolicy = 'time-shared'\n{}{}\
         [[job]]\nmi = 1\nmemory = 5\nreservation = 'S'\n\
         [[job]]\nmi = 1\nmemory = 5\nreservation = 'R'\n",
        one("R"),
        one("S")
    ));
    // The request of S is refused at 0, before the job arrives.
    assert_eq!(started(&log), at(&[("0", "0"), ("10", "1")]));
    let costs: Vec<f64> = summary.reservations.iter().map(|one| one.cost.as_f64()).collect();
    assert_eq!(costs, [5.0, 0.0]);
    let nearest = ReservationState::Refused { nearest: Some(period(5, 10)) };
    assert_eq!(summary.reservations[1].state, nearest);
}

/// 100 bytes, of which 60 are reserved from 5 to 25. Job 0 has 70 until 10. Then the job of the
/// reservation has 50, and 45 do not fit beside 50 and the ten that are kept free.
#[test]
fn storage_is_kept_for_jobs_of_a_reservation() {
    let (log, _) = log("[[resource]]\nname = 'a'\npes = 4\nmips = 1\nstorage = 100\n\
         [network]\nmodel = 'none'\nhosts = ['desk']\n\
         [[reservation]]\nname = 'R'\nresource = 'a'\nstorage = 60\nstart = 5\nduration = 20\n\
         [[job]]\nmi = 10\nhome = 'desk'\ninput = 70\n\
         [[job]]\nmi = 4\nhome = 'desk'\ninput = 50\nreservation = 'R'\n\
         [[job]]\nat = 6\nmi = 3\nhome = 'desk'\ninput = 45\n\
         [[job]]\nat = 7\nmi = 3\nhome = 'desk'\ninput = 1\n");
    // Job 3 is behind job 2 in the queue, as without reservations.
    let expected = [("0", "0"), ("10", "1"), ("25", "2"), ("25", "3")];
    assert_eq!(started(&log), at(&expected));
}

/// 1,000 bytes a second, of which 750 are reserved until 100. Job 0 has the other 250: 16 s. Job 1
/// has all of 750: 4 s. Job 2 has half of them, 8 s, and waits three times for half a packet of
/// 1,500 bytes: 6 s. After the end job 3 has everything: 4 s.
#[test]
fn bandwidth_is_kept_for_data_of_a_reservation() {
    let job = |at: u32, input: u32, more: &str| {
        format!("[[job]]\nat = {at}\nmi = 1\nhome = 'desk'\ninput = {input}\n{more}\n")
    };
    let jobs = [
        job(1, 4000, ""),
        job(1, 3000, "reservation = 'R'"),
        job(2, 3000, "reservation = 'R'"),
        job(101, 4000, ""),
    ];
    let text = "[[resource]]\nname = 'a'\npes = 4\nmips = 1\n\
         [network]\nmodel = 'guts'\nhosts = ['desk']\n\
         [[network.link]]\nbetween = ['a', 'desk']\nbandwidth = 8000\n\
         [[reservation]]\nname = 'R'\nresource = 'a'\nbandwidth = 6000\nto = 'desk'\nstart = 0\n\
         duration = 100\n";
    let (log, _) = log(&(text.to_owned() + &jobs.concat()));
    let expected = [("5", "1"), ("16", "2"), ("17", "0"), ("105", "3")];
    assert_eq!(started(&log), at(&expected));
}

/// While a link of its route is down a reservation has no bandwidth: its data take the ordinary
/// detour at 500 bytes a second.
#[test]
fn bandwidth_on_a_link_that_failed_is_lost() {
    let text = "[[resource]]\nname = 'a'\npes = 4\nmips = 1\n\
         [network]\nmodel = 'guts'\nhosts = ['desk']\nrouters = ['r']\n\
         [[network.link]]\nbetween = ['a', 'desk']\nbandwidth = 8000\n\
         failure = { changes = [{ at = 10, down = true }, { at = 50, up = true }] }\n\
         [[network.link]]\nbetween = ['a', 'r']\nbandwidth = 4000\n\
         [[network.link]]\nbetween = ['r', 'desk']\nbandwidth = 4000\n\
         [[reservation]]\nname = 'R'\nresource = 'a'\nbandwidth = 2000\nto = 'desk'\nstart = 0\n\
         duration = 100\n\
         [[job]]\nat = 0\nmi = 1\nhome = 'desk'\ninput = 1000\nreservation = 'R'\n\
         [[job]]\nat = 20\nmi = 1\nhome = 'desk'\ninput = 1000\nreservation = 'R'\n\
         [[job]]\nat = 60\nmi = 1\nhome = 'desk'\ninput = 1000\nreservation = 'R'\n";
    let (log, _) = log(text);
    assert_eq!(started(&log), at(&[("4", "0"), ("22", "1"), ("64", "2")]));
}

/// Two PEs at 0.5 each and a fee of 1, for the five of twenty seconds before it is cancelled.
#[test]
fn a_reservation_costs_its_price_while_it_is_active() {
    let priced = |more: &str| {
        let text = reservation(&format!("price = 0.5\nfee = 1\n{more}"));
        log(&two(&text.replace("pes = 1", "pes = 2"))).1
    };
    assert_eq!(cost(&priced("cancel = 45")), 10.0);
    assert_eq!(cost(&priced("")), 40.0);
    assert_eq!(cost(&priced("cancel = 40")), 0.0);
}

/// All of a reservation is free at once, or it is moved to where it is.
#[test]
fn all_parts_are_free_at_the_same_time() {
    let one = |name: &str, what: &str, start: u32, more: &str| {
        format!(
            "[[reservation]]\nname = '{name}'\nresource = 'a'\n{what}\nstart = {start}\n\
             duration = 10\n{more}\n"
        )
    };
    let (_, summary) = log(&format!(
        "[[resource]]\nname = 'a'\npes = 2\nmips = 1\nmemory = 10\n[[job]]\nmi = 1\n{}{}{}",
        one("pes", "pes = 2", 10, ""),
        one("memory", "memory = 8", 20, ""),
        one("both", "pes = 1\nmemory = 3", 12, "on_conflict = 'move'"),
    ));
    // From 0 on; the memory would be free at 30 only, which is further away.
    assert_eq!(summary.reservations[2].state, ReservationState::Finished(period(0, 10)));
}

#[test]
fn nonsense_is_refused() {
    let of = |more: &str| {
        error(&format!(
            "[[resource]]\nname = 'a'\npes = 2\nmips = 1\nmemory = 10\nstorage = 20\n\
             policy = 'space-shared-fcfs'\n\
             [[resource]]\nname = 'b'\nmips = 1\n[[resource]]\nname = 't'\nmips = 1\n\
             policy = 'time-shared'\n\
             [network]\nmodel = 'guts'\nhosts = ['desk']\n\
             [[network.link]]\nbetween = ['a', 'desk']\nbandwidth = 1000\n\
             [[network.link]]\nbetween = ['b', 'desk']\nbandwidth = 1000\n\
             [[network.link]]\nbetween = ['t', 'desk']\nbandwidth = 1000\n\
             [[reservation]]\nname = 'R'\nstart = 0\nduration = 1\n{more}"
        ))
    };
    let cases = [
        ("resource = 'a'", "it reserves nothing"),
        ("resource = 'a'\npes = 0", "pes is 0"),
        (
            "resource = 'a'\nmemory = 11",
            "11 bytes of memory are requested, but resource 'a' has 10",
        ),
        (
            "resource = 'b'\nmemory = 1",
            "1 bytes of memory are requested, but resource 'b' has no limit",
        ),
        ("resource = 'a'\nmemory = 0", "memory is 0"),
        ("resource = 'a'\nmemory = -1", "memory is -1"),
        (
            "resource = 'a'\nstorage = 21",
            "21 bytes of storage are requested, but resource 'a' has 20",
        ),
        ("resource = 'a'\nbandwidth = 10", "bandwidth needs to"),
        ("resource = 'a'\nto = 'desk'", "to needs bandwidth"),
        ("resource = 'a'\nbandwidth = 10\nto = 'x'", "\"x\" is not the name of one node"),
        ("resource = 'a'\nbandwidth = 10\nto = 'a'", "there are no links"),
        (
            "resource = 'a'\nbandwidth = 991\nto = 'desk'",
            "991 bits/s are requested, but at most 990",
        ),
        ("resource = 'a'\nbandwidth = 0\nto = 'desk'", "bandwidth is 0"),
        ("resource = 't'\npes = 1", "PEs of space-shared resources"),
        ("resource = 'a'\npes = 1\nprice = -1", "price is -1"),
        ("resource = 'a'\npes = 1\nfee = -1", "fee is -1"),
        (
            "resource = 'a'\npes = 1\n[[job]]\nmi = 1\npes = 2\nreservation = 'R'",
            "needs 2 PEs, but",
        ),
        (
            "resource = 'a'\nmemory = 3\n[[job]]\nmi = 1\nmemory = 4\nreservation = 'R'",
            "needs 4 bytes of memory, but reservation \"R\" has 3",
        ),
    ];
    for (more, expected) in cases {
        let more = if more.contains("[[job]]") {
            more.to_owned()
        } else {
            format!("{more}\n[[job]]\nmi = 1\n")
        };
        let error = of(&more);
        assert!(error.contains(expected), "{more}: {error}");
    }
}
