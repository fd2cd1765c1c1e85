//! Texts from users in messages, and numbers as text.

/// The start of a text for a message: at most 40 characters on one line.
pub fn excerpt(text: &str) -> String {
    shortened(text, 40)
}

/// The first `longest` characters on one line, with an ellipsis if some are missing.
pub fn shortened(text: &str, longest: usize) -> String {
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(longest).collect();
    let more = if chars.next().is_some() { "…" } else { "" };
    on_one_line(&start) + more
}

/// The text with all characters escaped that could break the line or move the cursor.
pub fn on_one_line(text: &str) -> String {
    let show = |c: char| match is_unsafe(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(show).collect()
}

/// A name without characters that command a terminal.
pub fn printable(name: &str) -> String {
    name.chars().map(|c| if is_unsafe(c) { '\u{fffd}' } else { c }).collect()
}

/// Whether a character commands a terminal or an editor instead of being shown: control characters,
/// with which escape sequences begin, line and paragraph separators, and marks that change the
/// direction of the text, behind which a name can look like another one.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}')
}

/// A message of the operating system without its error number.
pub fn without_code(message: &str) -> String {
    let Some((before, rest)) = message.split_once(" (os error ") else {
        return message.to_owned();
    };
    before.to_owned() + rest.split_once(')').map_or("", |(_, after)| after)
}

/// A library's error message without system error numbers and without Rust type names.
pub fn in_plain_words(message: &str) -> String {
    const NUMBERS: [(&str, &str); 8] = [
        ("expected u8", "expected a whole number from 0 to 255"),
        ("expected u16", "expected a whole number from 0 to 65535"),
        ("expected u32", "expected a whole number, 0 or more"),
        ("expected u64", "expected a whole number, 0 or more"),
        ("expected usize", "expected a whole number, 0 or more"),
        ("expected i32", "expected a whole number"),
        ("expected i64", "expected a whole number"),
        ("expected f64", "expected a number"),
    ];
    let plain =
        NUMBERS.iter().fold(message.to_owned(), |text, (name, words)| text.replace(name, words));
    without_code(&plain)
}

/// `units / 10^decimals`, every digit kept, without trailing zeros.
pub fn decimal(units: u128, decimals: usize) -> String {
    let digits = format!("{units:0width$}", width = decimals + 1);
    let (whole, rest) = digits.split_at(digits.len() - decimals);
    match rest.trim_end_matches('0') {
        "" => whole.to_owned(),
        rest => format!("{whole}.{rest}"),
    }
}

/// The text in lines of at most this many characters, broken between words; a longer word has its
/// own line.
pub fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is one line at least");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= room {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_on_one_line() {
        assert_eq!(excerpt("a\nb\u{1b}[2J"), "a\\nb\\u{1b}[2J");
        assert_eq!(excerpt("grün"), "grün");
        assert_eq!(excerpt("a\u{202e}b\u{9b}"), "a\\u{202e}b\\u{9b}");
        assert_eq!(printable("a\u{2066}\u{7f}é👍\u{200f}"), "a\u{fffd}\u{fffd}é👍\u{fffd}");
        assert_eq!(excerpt(&"x".repeat(41)), "x".repeat(40) + "…");
    }

    #[test]
    fn numbers_of_system_errors_are_left_out() {
        assert_eq!(without_code("a: No space left (os error 28): b"), "a: No space left: b");
        assert_eq!(without_code("all is well"), "all is well");
    }

    #[test]
    fn types_of_programs_are_called_numbers() {
        let message = "integer `-1`, expected u32 at line 1 (os error 2)";
        let plain = "integer `-1`, expected a whole number, 0 or more at line 1";
        assert_eq!(in_plain_words(message), plain);
    }

    #[test]
    fn decimals_end_at_their_last_digit() {
        let shown = [(0, 0), (0, 3), (70, 0), (70, 1), (1_250, 3), (1, 6)];
        assert_eq!(
            shown.map(|(units, decimals)| decimal(units, decimals)),
            ["0", "0", "70", "7", "1.25", "0.000001"]
        );
    }

    #[test]
    fn lines_wrap_between_words() {
        assert_eq!(wrapped("a bc def", 100), ["a bc def"]);
        assert_eq!(wrapped("a bc def", 4), ["a bc", "def"]);
        assert_eq!(wrapped("a bcdefgh i", 4), ["a", "bcdefgh", "i"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}
