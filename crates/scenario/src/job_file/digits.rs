//! Fast readers of lines whose values are plain decimals, as nearly all are. They read no line that
//! the complete readers would read otherwise or reject.

use super::{Column, Row, scale};
use gridsat_model::Ticks;
use gridsat_workload::Unit;

/// Powers of ten up to the largest that a product with nine digits can have in 64 bits.
const POWERS: [u64; 10] = {
    let mut powers = [1; 10];
    let mut index = 1;
    while index < powers.len() {
        powers[index] = 10 * powers[index - 1];
        index += 1;
    }
    powers
};

/// The row of the first line of a CSV text, if all fields consist of digits and points, or are
/// empty where they may be; and the length of the line, with its line feed.
pub(super) fn of_csv(text: &[u8], columns: &[Column]) -> Option<(Row, usize)> {
    let mut row = Row::EMPTY;
    let (mut length, mut is_more) = (0, true);
    for column in columns {
        let field = Decimal::scan(text.get(length..).filter(|_| is_more)?)?;
        let after = length + field.length;
        is_more = text.get(after) == Some(&b',');
        length = text.len().min(after + 1);
        match column {
            Column::At => row.at = field.time()?,
            _ if field.length == 0 => {}
            // A second demand, and whatever is rare, is left to the complete reader.
            Column::Mi | Column::Io if row.amount > 0.0 => return None,
            Column::Mi => (row.unit, row.amount) = (Unit::Instructions, field.amount()?),
            Column::Io => (row.unit, row.amount) = (Unit::Operations, field.amount()?),
            Column::Qos => row.qos = field.whole()?,
            Column::Pes | Column::Memory | Column::Name => return None,
        }
    }
    (!is_more && row.amount > 0.0).then_some((row, length))
}

/// The row of a JSON line such as `{"at": 1.5, "mi": 20}`, if each value is a plain decimal and
/// there are no more spaces than one after each colon and comma.
pub(super) fn of_json(line: &[u8]) -> Option<Row> {
    let (mut row, mut is_timed, mut has_level) = (Row::EMPTY, false, false);
    let mut rest = line.strip_prefix(b"{")?;
    loop {
        let (column, value) = key(rest)?;
        let end = value.iter().position(|byte| matches!(byte, b',' | b'}'))?;
        let number = json_number(&value[..end])?;
        let field = Decimal::scan(number).filter(|field| field.length == number.len())?;
        match column {
            // What is given twice is left to the complete reader, which may report it.
            Column::At if is_timed => return None,
            Column::Qos if has_level => return None,
            Column::Mi | Column::Io if row.amount > 0.0 => return None,
            Column::At => (row.at, is_timed) = (field.time()?, true),
            Column::Mi => (row.unit, row.amount) = (Unit::Instructions, field.amount()?),
            Column::Io => (row.unit, row.amount) = (Unit::Operations, field.amount()?),
            Column::Qos => (row.qos, has_level) = (field.whole()?, true),
            Column::Pes | Column::Memory | Column::Name => return None,
        }
        rest = &value[end + 1..];
        if value[end] == b'}' {
            return (rest.is_empty() && is_timed && row.amount > 0.0).then_some(row);
        }
        rest = rest.strip_prefix(b" ").unwrap_or(rest);
    }
}

/// The column that a key names, and what follows the colon.
fn key(text: &[u8]) -> Option<(Column, &[u8])> {
    let text = text.strip_prefix(b"\"")?;
    let named = |&(name, column): &(&str, Column)| {
        let after = text.strip_prefix(name.as_bytes())?.strip_prefix(b"\":")?;
        Some((column, after.strip_prefix(b" ").unwrap_or(after)))
    };
    Column::ALL.iter().find_map(named)
}

/// The text if JSON permits it as a number, should it consist of digits and a point.
fn json_number(field: &[u8]) -> Option<&[u8]> {
    let is_number = match field {
        [b'0', rest @ ..] => rest.first().is_none_or(|&byte| byte == b'.'),
        _ => true,
    };
    (is_number && field.last() != Some(&b'.')).then_some(field)
}

/// A field of digits, perhaps with a point.
struct Decimal {
    /// The digits without the point. Meaningless if there are too many.
    digits: u64,
    /// Number of bytes.
    length: usize,
    /// Place of the point; the length without one.
    point: usize,
}

impl Decimal {
    /// The field at the start of a text, to its end or to a comma or line feed; `None` if there is
    /// anything else than digits and one point in the field.
    #[inline]
    fn scan(text: &[u8]) -> Option<Self> {
        let (mut digits, mut point, mut length) = (0_u64, None, text.len());
        for (place, &byte) in text.iter().enumerate() {
            let digit = byte.wrapping_sub(b'0');
            if digit < 10 {
                // Too many digits are found by their number.
                digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
            } else if byte == b',' || byte == b'\n' {
                length = place;
                break;
            } else if byte == b'.' && point.is_none() {
                point = Some(place);
            } else {
                return None;
            }
        }
        Some(Self { digits, length, point: point.unwrap_or(length) })
    }

    /// The digits and how many are after the point: at most 15 digits, at most nine of them after
    /// the point and at least one before it.
    #[inline]
    fn parts(&self) -> Option<(u64, usize)> {
        let has_point = self.point < self.length;
        let decimals = self.length - self.point - usize::from(has_point);
        let count = self.length - usize::from(has_point);
        let fits = (1..=15).contains(&count) && decimals < count && decimals <= 9;
        fits.then_some((self.digits, decimals))
    }

    /// An integer of at most nine digits.
    #[inline]
    fn whole(&self) -> Option<u32> {
        let (digits, _) = self.parts()?;
        if self.point < self.length || self.length > 9 { None } else { u32::try_from(digits).ok() }
    }

    /// Seconds in ticks, below 10^9 s.
    #[inline]
    fn time(&self) -> Option<Ticks> {
        let (digits, decimals) = self.parts()?;
        let missing = (scale().decimals() as usize).checked_sub(decimals)?;
        // Larger times are rounded.
        let is_exact = digits < POWERS[9] || digits / POWERS[decimals] < POWERS[9];
        // Only then: the product of larger times overflows.
        is_exact.then(|| POWERS.get(missing).map(|power| Ticks(digits * power)))?
    }

    /// A number above 0. Both sides of the division are exact floats, so the result is the float
    /// that is nearest to the decimal.
    #[inline]
    fn amount(&self) -> Option<f64> {
        let (digits, decimals) = self.parts()?;
        let amount = match decimals {
            0 => digits as f64,
            _ => digits as f64 / POWERS[decimals] as f64,
        };
        Some(amount).filter(|&amount| amount > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns;
    use super::*;

    const TIMES: [&str; 12] = [
        "0",
        "7",
        "12.5",
        "999999.999999999",
        "1.",
        ".5",
        "1e3",
        "00.10",
        "x",
        "",
        "1234567890.5",
        // The product with 10^9 exceeds 64 bits.
        "333333333333333",
    ];
    const SIZES: [&str; 8] =
        ["1", "0", "0.1", "123456.789", "123456789012345", "1234567890123456", "1e2", "01"];
    const LEVELS: [&str; 8] = ["", "0", "3", "999999999", "1000000000", "4294967296", "1.0", "-1"];

    /// Compares the rows that the fast reader reads with those of the complete reader.
    fn compare(
        line: impl Fn(&str, &str, &str) -> String,
        fast: impl Fn(&[u8]) -> Option<Row>,
        complete: impl Fn(&[u8]) -> Option<Row>,
    ) {
        let mut read = 0;
        for (at, mi) in TIMES.iter().flat_map(|&at| SIZES.map(|mi| (at, mi))) {
            for line in LEVELS.map(|qos| line(at, mi, qos)) {
                let Some(row) = fast(line.as_bytes()) else { continue };
                let expected = complete(line.as_bytes()).expect(&line);
                assert_eq!(row.at, expected.at, "{line}");
                assert_eq!(row.amount.to_bits(), expected.amount.to_bits(), "{line}");
                assert_eq!((row.qos, row.unit), (expected.qos, expected.unit), "{line}");
                read += 1;
            }
        }
        assert!(read > 40, "{read}");
    }

    /// The row of a text that is one line; it is the same if more lines follow.
    fn whole(line: &[u8], columns: &[Column]) -> Option<Row> {
        let found = of_csv(line, columns);
        for more in ["\n", "\n7,8,9\n", "\n\n", "\n,"] {
            let text = [line, more.as_bytes()].concat();
            let with_more = of_csv(&text, columns);
            assert_eq!(with_more.is_some(), found.is_some(), "{text:?}");
            assert!(with_more.is_none_or(|(_, length)| length == line.len() + 1), "{text:?}");
        }
        found.map(|(row, length)| {
            assert_eq!(length, line.len());
            row
        })
    }

    #[test]
    fn read_what_the_complete_readers_read() {
        let columns = columns(b"at,mi,qos").expect("valid");
        compare(
            |at, mi, qos| format!("{at},{mi},{qos}"),
            |line| whole(line, &columns),
            |line| super::super::of_csv(line, &columns).ok(),
        );
        for space in ["", " "] {
            compare(
                |at, mi, qos| {
                    format!("{{\"qos\":{space}{qos},{space}\"at\":{space}{at},\"mi\":{space}{mi}}}")
                },
                of_json,
                |line| super::super::of_json(line).ok(),
            );
        }
    }

    #[test]
    fn leave_the_rest_to_the_complete_readers() {
        let of = |line: &str, header: &str| {
            whole(line.as_bytes(), &columns(header.as_bytes()).expect("valid")).is_some()
        };
        assert!(of("1,,2", "at,mi,io") && of("1,2,", "at,mi,name"));
        for line in ["1,2,3", "1,,", "1", "1,2", "1,2,,", "1,2,,3"] {
            assert!(!of(line, "at,mi,io"), "{line}");
        }
        assert!(!of("1,2,job", "at,mi,name") && !of(" 1,2", "at,mi") && !of("\"1\",2", "at,mi"));
        assert!(of_json(br#"{"io": 2, "at": 1}"#).is_some());
        for line in [
            r#"{"at":1,"mi":2,"mi":2}"#,
            r#"{"at":1,"mi":2,"io":2}"#,
            r#"{"at":1,"at":1,"mi":2}"#,
            r#"{"qos":0,"qos":0,"at":1,"mi":2}"#,
            r#"{"at":1,"mi":2,"name":"job"}"#,
            r#"{"at":1,"mi":2}}"#,
            r#"{"at":1,"mi":2,}"#,
            r#"{"at":1}"#,
            r#"{"mi":1}"#,
            r#"{"at":"1","mi":2}"#,
            r#"{"atmi":1}"#,
            "{}",
        ] {
            assert!(of_json(line.as_bytes()).is_none(), "{line}");
        }
    }
}
