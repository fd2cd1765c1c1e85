//! Parsing of a line into a record: the values each field may have.

use super::decimal::{Decimal, whole_number};
use super::error::Problem;
use super::record::{Record, Status};

/// Names of the 18 fields, as used in messages.
pub const FIELDS: [&str; 18] = [
    "job number",
    "submit time",
    "wait time",
    "run time",
    "processors used",
    "CPU time used",
    "memory used",
    "processors asked",
    "time asked",
    "memory asked",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding job",
    "think time",
];

/// How strictly a trace must follow the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// Exactly as the archive specifies.
    #[default]
    Archive,
    /// Accepts deviations that occur in practice: fields after the 18th are ignored, every negative
    /// number and every undefined status means unknown, job numbers may start from 0, and jobs may
    /// be in any order.
    Lenient,
}

impl Record {
    pub(super) fn parse(line: &[u8], rules: Rules) -> Result<Self, Problem> {
        let mut record = Self::default();
        match first_usual(line, &mut record) {
            Some(length) if length == line.len() => Ok(record),
            _ => Self::parse_any(line, rules),
        }
    }

    fn parse_any(line: &[u8], rules: Rules) -> Result<Self, Problem> {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let mut fields: [&[u8]; FIELDS.len()] = Default::default();
        let pairs = fields.iter_mut().zip(words.by_ref());
        let found = pairs.map(|(field, word)| *field = word).count();
        let more = words.count();
        if found < FIELDS.len() || (more > 0 && rules == Rules::Archive) {
            return Err(Problem::Fields { found: found + more });
        }
        Fields { fields, rules }.record()
    }
}

/// Parses the first line of a text in one go if it is as lines usually are: 18 whole numbers, each
/// in the range of its field, or -1, and a line feed. Returns its length; `None` for any other
/// line, valid or not.
#[inline]
pub(super) fn first_usual(text: &[u8], record: &mut Record) -> Option<usize> {
    let (values, length) = whole_numbers(text)?;
    let time = |index: usize| u64::try_from(values[index]).ok().map(Decimal::from);
    let count = |index: usize| match values[index] {
        -1 => Some(None),
        value => u32::try_from(value).ok().map(Some),
    };
    let status = match values[10] {
        -1 => None,
        value => Some(*Status::ALL.get(usize::try_from(value).ok()?)?),
    };
    *record = Record {
        number: u64::try_from(values[0]).ok().filter(|&number| number >= 1)?,
        submit: time(1),
        wait: time(2),
        run: time(3),
        processors: count(4)?,
        cpu_time: time(5),
        memory: time(6),
        asked_processors: count(7)?,
        asked_time: time(8),
        asked_memory: time(9),
        status,
        user: count(11)?,
        group: count(12)?,
        executable: count(13)?,
        queue: count(14)?,
        partition: count(15)?,
        preceding: u64::try_from(values[16]).ok(),
        think: time(17),
    };
    Some(length)
}

/// The numbers of a line of 18 words, each a whole number of at most 18 digits or -1, and its
/// length with the line feed.
#[inline]
fn whole_numbers(text: &[u8]) -> Option<([i64; FIELDS.len()], usize)> {
    let mut values = [-1; FIELDS.len()];
    let mut bytes = text.iter();
    let mut byte = b' ';
    for value in &mut values {
        if byte != b' ' && byte != b'\t' {
            return None;
        }
        byte = *bytes.next()?;
        // Usually there is one space, and one comparison is enough to see that.
        if byte <= b' ' {
            while byte == b' ' || byte == b'\t' {
                byte = *bytes.next()?;
            }
        }
        if byte == b'-' {
            if *bytes.next()? != b'1' {
                return None;
            }
            byte = *bytes.next()?;
        } else {
            let (left, mut number) = (bytes.len(), 0_i64);
            while byte.wrapping_sub(b'0') <= 9 {
                number = number.wrapping_mul(10).wrapping_add((byte - b'0').into());
                byte = *bytes.next()?;
            }
            if !(1..=18).contains(&(left - bytes.len())) {
                return None;
            }
            *value = number;
        }
    }
    while byte == b' ' || byte == b'\t' || byte == b'\r' {
        byte = *bytes.next()?;
    }
    (byte == b'\n').then(|| (values, text.len() - bytes.len()))
}

/// The words of a line.
struct Fields<'a> {
    fields: [&'a [u8]; FIELDS.len()],
    rules: Rules,
}

impl Fields<'_> {
    fn record(&self) -> Result<Record, Problem> {
        Ok(Record {
            number: self.number()?,
            submit: self.decimal(1)?,
            wait: self.decimal(2)?,
            run: self.decimal(3)?,
            processors: self.whole(4)?,
            cpu_time: self.decimal(5)?,
            memory: self.decimal(6)?,
            asked_processors: self.whole(7)?,
            asked_time: self.decimal(8)?,
            asked_memory: self.decimal(9)?,
            status: self.status()?,
            user: self.whole(11)?,
            group: self.whole(12)?,
            executable: self.whole(13)?,
            queue: self.whole(14)?,
            partition: self.whole(15)?,
            preceding: self.optional(16, whole_number, "a whole number >= 0, or -1")?,
            think: self.decimal(17)?,
        })
    }

    fn number(&self) -> Result<u64, Problem> {
        let first = if self.rules == Rules::Lenient { 0 } else { 1 };
        let number = whole_number(self.fields[0]).filter(|&number| number >= first);
        number.ok_or_else(|| self.bad(0, "a whole number >= 1"))
    }

    fn decimal(&self, index: usize) -> Result<Option<Decimal>, Problem> {
        self.optional(index, Decimal::parse, "a number >= 0, or -1")
    }

    fn whole(&self, index: usize) -> Result<Option<u32>, Problem> {
        let parse = |word: &[u8]| whole_number(word)?.try_into().ok();
        self.optional(index, parse, "a whole number from 0 to 4294967295, or -1")
    }

    fn status(&self) -> Result<Option<Status>, Problem> {
        let parse = |word: &[u8]| {
            let number = whole_number(word)?;
            let status = Status::ALL.into_iter().find(|&status| status as u64 == number);
            (status.is_some() || self.rules == Rules::Lenient).then_some(status)
        };
        Ok(self.optional(10, parse, "a whole number from 0 to 5, or -1")?.flatten())
    }

    /// The value of a field; `None` if it is unknown.
    fn optional<T>(
        &self,
        index: usize,
        parse: impl Fn(&[u8]) -> Option<T>,
        expected: &'static str,
    ) -> Result<Option<T>, Problem> {
        let word = self.fields[index];
        if word == b"-1" {
            return Ok(None);
        }
        match parse(word) {
            None if self.is_unknown(word) => Ok(None),
            None => Err(self.bad(index, expected)),
            known => Ok(known),
        }
    }

    /// Whether a word means "unknown": -1, also printed as -1.00; under lenient rules any negative
    /// number.
    fn is_unknown(&self, word: &[u8]) -> bool {
        let number = word.strip_prefix(b"-").and_then(Decimal::parse);
        number.is_some_and(|number| number == 1.into() || self.rules == Rules::Lenient)
    }

    fn bad(&self, index: usize, expected: &'static str) -> Problem {
        Problem::value(FIELDS[index], self.fields[index], expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str, rules: Rules) -> Result<Record, String> {
        Record::parse(line.as_bytes(), rules).map_err(|problem| problem.to_string())
    }

    const LINE: &str = "3 10 2.5 7 4 6.25 1024 8 60 2048 5 11 12 13 14 15 2 30";

    #[test]
    fn every_field_has_its_place() {
        let record = parse(LINE, Rules::Archive).expect("valid");
        assert_eq!(record.to_string(), LINE);
        assert_eq!((record.number, record.processors), (3, Some(4)));
        assert_eq!((record.asked_processors, record.status), (Some(8), Some(Status::Cancelled)));
        assert_eq!((record.queue, record.partition), (Some(14), Some(15)));
        assert_eq!((record.preceding, record.think), (Some(2), Some(30.into())));
        let unknown = "1".to_owned() + &" -1".repeat(17);
        let record = parse(&unknown, Rules::Archive).expect("valid");
        assert_eq!(record, Record { number: 1, ..Record::default() });
        assert_eq!(record.to_string(), unknown);
    }

    /// The usual line is read as any line is, and no other line is taken for one.
    #[test]
    fn the_usual_line_means_the_same() {
        let words = [
            "0",
            "1",
            "-1",
            "5",
            "6",
            "007",
            "4294967295",
            "4294967296",
            "999999999999999999",
            "9999999999999999999",
            "-2",
            "-1.0",
            "-",
            "1.5",
            "-11",
            "x",
            "1\t2",
            "",
            "\r",
            "3\u{b}",
        ];
        let mut usual_lines = 0;
        for index in 0..FIELDS.len() {
            for word in words {
                for end in ["\n", " \r\n", " 7\n"] {
                    let mut line: Vec<_> = LINE.split(' ').collect();
                    line.retain(|word| *word != "2.5" && *word != "6.25");
                    line.insert(2, "-1");
                    line.insert(5, "9");
                    line[index] = word;
                    let text = line.join(" ") + end;
                    let mut record = Record::default();
                    if let Some(length) =
                        first_usual((text.clone() + "1 2").as_bytes(), &mut record)
                    {
                        assert_eq!(length, text.len(), "{text}");
                        let any = Record::parse_any(text.as_bytes(), Rules::Archive);
                        assert_eq!(any.map_err(|_| ()), Ok(record), "{text}");
                        usual_lines += 1;
                    }
                }
            }
        }
        assert!(usual_lines > 200, "{usual_lines}");
    }

    #[test]
    fn says_which_field_is_wrong() {
        let change = |index: usize, word: &str| {
            let mut words: Vec<_> = LINE.split(' ').collect();
            words[index] = word;
            words.join(" ")
        };
        for (index, word, message) in [
            (0, "0", "job number is '0', not a whole number >= 1"),
            (0, "-1", "job number is '-1', not a whole number >= 1"),
            (3, "-7", "run time is '-7', not a number >= 0, or -1"),
            (3, "1e3", "run time is '1e3', not a number >= 0, or -1"),
            (4, "2.5", "processors used is '2.5', not a whole number from 0 to 4294967295, or -1"),
            (
                7,
                "4294967296",
                "processors asked is '4294967296', not a whole number from 0 to 4294967295, or -1",
            ),
            (10, "6", "status is '6', not a whole number from 0 to 5, or -1"),
            (17, "\u{7}x", "think time is '\\u{7}x', not a number >= 0, or -1"),
        ] {
            assert_eq!(parse(&change(index, word), Rules::Archive), Err(message.to_owned()));
        }
        let more = LINE.to_owned() + " {1,2} q";
        assert_eq!(parse(&more, Rules::Archive), Err("20 fields, expected 18".to_owned()));
        assert_eq!(parse("1 2", Rules::Lenient), Err("2 fields, expected 18".to_owned()));
        assert!(parse(&more, Rules::Lenient).is_ok());
        for (index, word) in [(0, "0"), (3, "-7"), (4, "-2"), (10, "6"), (5, "-1.00")] {
            assert!(parse(&change(index, word), Rules::Lenient).is_ok(), "{index} {word}");
        }
        let printed = parse(&change(5, "-1.00"), Rules::Archive).expect("valid");
        assert_eq!(printed.cpu_time, None);
    }
}
