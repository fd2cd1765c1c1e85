//! Times with more digits than ticks can hold.

use super::*;

fn with(precision: Precision, text: &str) -> Result<Instance, String> {
    let options = ReadOptions { precision, ..DEFAULT };
    parse(text.as_bytes(), "f", Format::Json, &options).map_err(|error| error.to_string())
}

/// As Python writes them. Exactly, they would need 16 decimals, which leave no room for 41000.
const MEASURED: &str = "{\"etc\": [[137.43642441124012, 0.1234567890123456],
    [41000.1, 1e-3]], \"ready\": [0, 2.00000000000000001]}";

#[test]
fn measured_times_are_rounded_up_as_little_as_possible() {
    let instance = with(Precision::Fit, MEASURED).expect("fits with 14 decimals");
    assert_eq!(rows(&instance), ["137.43642441124012 0.12345678901235", "41000.1 0.001"]);
    assert_eq!(instance.scale().display(instance.ready(HostId(1))).to_string(), "2.00000000000001");
    assert_eq!(instance.notes(), [Note::Rounded { decimals: 14 }]);
    assert_eq!(instance.notes()[0].to_string(), "times rounded up to 1e-14");
    assert!(instance.is_rounded());
}

#[test]
fn the_user_may_choose_the_decimals_or_none() {
    let instance = with(Precision::Decimals(2), MEASURED).expect("fits");
    assert_eq!(rows(&instance), ["137.44 0.13", "41000.1 0.01"]);
    assert_eq!(instance.notes(), [Note::Rounded { decimals: 2 }]);
    let whole = with(Precision::Decimals(0), MEASURED).expect("fits");
    assert_eq!(rows(&whole), ["138 1", "41001 1"]);
    assert_eq!(whole.notes()[0].to_string(), "times rounded up to whole numbers");
    let message = with(Precision::Exact, MEASURED).expect_err("does not fit");
    assert!(
        message.starts_with("f:1:11: '137.43642441124012' is too large: in ticks of 17 decimals"),
        "{message}"
    );
    let message = with(Precision::Exact, "{\"etc\": [[0.1234567890123456789]]}");
    assert_eq!(
        message,
        Err("f:1:11: '0.1234567890123456789' has more than 18 decimals or 19 digits".into())
    );
}

#[test]
fn what_fits_is_exact() {
    for precision in [Precision::Fit, Precision::Exact, Precision::Decimals(3)] {
        let instance = with(precision, "{\"etc\": [[0.125, 7]]}").expect("fits");
        assert_eq!(rows(&instance), ["0.125 7"]);
        assert!(!instance.is_rounded() && instance.scale().decimals() == 3);
    }
}

/// The decimals in a certificate are enough to read the same instance again, and what is written
/// reads back the same.
#[test]
fn rounding_to_the_scale_found_is_the_same_again() {
    let texts = [
        MEASURED,
        "{\"etc\": [[0.99999999999999999999, 1.5]]}",
        "{\"etc\": [[123456789012.99999999999, 1000000.5]]}",
        "{\"etc\": [[9.99999999999999999e5, 3e-2, 4.1e12]]}",
    ];
    for text in texts {
        let instance = with(Precision::Fit, text).expect(text);
        let decimals = instance.scale().decimals() as u8;
        assert_eq!(with(Precision::Decimals(decimals), text), Ok(instance.clone()), "{text}");
        let written = written(&instance, Format::Json).expect("json");
        assert_eq!(with(Precision::Exact, &written), Ok(instance), "{written}");
    }
}

#[test]
fn floats_of_a_program_are_rounded_the_same_way() {
    let instance = Instance::from_rows([[137.43642441124012, 410_000.5]]).expect("fits");
    assert_eq!(instance.notes(), [Note::Rounded { decimals: 13 }]);
}

proptest! {
    #![proptest_config(fixed_seed())]

    /// Compares with rounding done on the digits.
    #[test]
    fn every_time_is_the_next_tick_up(
        times in prop::collection::vec((0..1_000_000_u64, "[0-9]{0,25}"), 1..5),
        decimals in 0..=9_u8,
    ) {
        let shown: Vec<_> = times.iter().map(|(whole, rest)| format!("{whole}.{rest}0")).collect();
        let text = format!("{{\"etc\": [[{}]]}}", shown.join(", "));
        let instance = with(Precision::Decimals(decimals), &text).expect("fits");
        for (host, (whole, rest)) in instance.hosts().zip(&times) {
            let (kept, lost) = rest.split_at(rest.len().min(decimals.into()));
            let ticks = format!("{whole}{kept:0<width$}", width = decimals.into());
            let up = u64::from(lost.bytes().any(|digit| digit != b'0'));
            let expected = ticks.parse::<u64>().expect("digits") + up;
            let found = instance.time(TaskId(0), host).expect("a time");
            let unit = Scale::new(decimals.into()).expect("few").ticks_per_unit();
            prop_assert_eq!(found * (unit / instance.scale().ticks_per_unit()), Ticks(expected));
        }
    }

    #[test]
    fn floats_of_any_size_are_read_or_refused_in_one_line(
        bits in prop::collection::vec(any::<u64>(), 4),
    ) {
        let numbers: Vec<f64> = bits.into_iter().map(|bits| f64::from_bits(bits).abs()).collect();
        match Instance::from_rows(numbers.chunks(2).map(<[f64]>::to_vec)) {
            Ok(instance) => prop_assert!(instance.task_count() == 2),
            Err(error) => prop_assert_eq!(error.to_string().lines().count(), 1),
        }
    }
}
