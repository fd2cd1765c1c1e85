//! Invalid reservations.

use super::*;
use gridsat_model::Ticks;

#[test]
fn impossible_ones_are_refused_by_the_library_too() {
    let period = Period { start: Time(Ticks(40)), end: Time(Ticks(60)) };
    let good = ReservationSpec::new("R", ResourceId(0), 2, period);
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
