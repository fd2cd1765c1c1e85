//! Reservations that cannot be.

use super::*;
use gridsat_model::Ticks;

#[test]
fn impossible_ones_are_refused_by_the_library_too() {
    let good = ReservationSpec {
        name: "R".to_owned(),
        resource: ResourceId(0),
        pes: 2,
        start: Time(Ticks(40)),
        duration: Ticks(20),
        requested: Time(Ticks(0)),
        commit: Time(Ticks(0)),
        timeout: None,
        cancel: None,
        on_conflict: OnConflict::Refuse,
    };
    let error = |spec: ReservationSpec| {
        let mut setup =
            setup(&(two("") + "[[resource]]\nname = 't'\nmips = 1\npolicy = 'time-shared'\n"));
        setup.reservations = vec![spec];
        match simulate(setup, &mut ()) {
            Ok(_) => None,
            Err(SimError::Reservation { error, .. }) => Some(error),
            Err(other) => panic!("{other}"),
        }
    };
    let resource = "a".to_owned();
    let (at, pes) = (|id| ResourceId(id), |pes| ReservationSpec { pes, ..good.clone() });
    let unknown = ReservationSpec { resource: at(7), ..good.clone() };
    assert_eq!(error(unknown), Some(ReservationError::Resource(at(7))));
    let shared = ReservationSpec { resource: at(1), ..good.clone() };
    assert_eq!(error(shared), Some(ReservationError::Shared("t".to_owned())));
    let most = ReservationError::Pes { pes: 3, resource, have: 2 };
    assert_eq!((error(pes(3)), error(pes(0)).is_some()), (Some(most), true));
    let endless = ReservationSpec { duration: Ticks(u64::MAX), ..good.clone() };
    assert_eq!(error(endless), Some(ReservationError::Duration(Ticks(u64::MAX))));
    let late = ReservationSpec { requested: Time(Ticks(41)), ..good.clone() };
    assert_eq!(error(late), Some(ReservationError::Late));
    assert_eq!(error(good), None);
}

#[test]
fn wrong_reservations_in_one_line() {
    let grid = "[[resource]]\nname = 'a'\npes = 2\nmips = 1\nqos = 1\n\
        [[resource]]\nname = 'c'\ncount = 3\nmips = 1\n\
        [[resource]]\nname = 't'\nmips = 1\npolicy = 'time-shared'\nqos = 2\n\
        [[resource]]\nname = 'f'\nmips = 1\nload = 100\n";
    let job = "[[job]]\nmi = 1\n";
    let of = |change: (&str, &str)| reservation("").replace(change.0, change.1);
    let cases = [
        (of(("'a'", "'x'")), "resource \"x\" is unknown"),
        (of(("'a'", "'c'")), "resource \"c\" has 3 copies, needs one of them, such as \"c-0\""),
        (
            of(("'a'", "'t'")),
            "resource \"t\" is time-shared, and only space-shared ones can be reserved",
        ),
        (of(("pes = 1", "pes = 3")), "pes is 3, but resource \"a\" has 2"),
        (of(("pes = 1", "pes = 0")), "pes is 0, must be above 0"),
        (of(("start = 40", "start = -1")), "start is -1, not a number of seconds from 0"),
        (of(("duration = 20", "duration = 0")), "duration is 0, must be at least a nanosecond"),
        (
            of(("duration = 20", "duration = 18446744060")),
            "the end is 1.84467441e10 seconds; the clock ends after 584 years, 1.845e10 seconds",
        ),
        (reservation("requested = 41"), "start is 40, before requested, which is 41"),
        (reservation("requested = 9\ncommit = 8"), "commit is 8, before requested, which is 9"),
        (reservation("requested = 9\ncancel = 8"), "cancel is 8, before requested, which is 9"),
        (reservation("timeout = -2"), "timeout is -2, not a number of seconds from 0"),
        (reservation("on_conflict = 'x'"), "on_conflict \"x\" is unknown; known: refuse, move"),
    ];
    for (text, expected) in cases {
        let found = error(&format!("{grid}{job}{text}"));
        assert_eq!(found, format!("x.toml: reservation[0] \"R\": {expected}"));
    }
    let twice = error(&format!("{grid}{job}{}", reservation("").repeat(2)));
    assert_eq!(twice, "x.toml: reservation[1] \"R\": the name is used twice");
    let lost = error(&format!("{grid}{job}{}", reservation("starts = 3")));
    assert!(lost.contains("unknown field `starts`"), "{lost}");
    let jobs = [
        ("reservation = 'S'", "reservation \"S\" is unknown"),
        (
            "reservation = 'R'\nqos = 2",
            "QoS 2 is asked for, but the resource of reservation \"R\" does not offer it",
        ),
        (
            "reservation = 'F'",
            "never starts, the resource of reservation \"F\" has a load of 100 %",
        ),
    ];
    let device = format!("{grid}{}[[job]]\nio = 1\nreservation = 'R'\n", reservation(""));
    let expected = "x.toml: job[0]: reservation is for jobs with mi: it has PEs, and no devices";
    assert_eq!(error(&device), expected);
    let full = of(("'R'", "'F'")).replace("'a'", "'f'");
    for (keys, expected) in jobs {
        let text = format!("{grid}{}{full}{job}{keys}\n", reservation(""));
        assert_eq!(error(&text), format!("x.toml: job[0]: {expected}"));
    }
}
