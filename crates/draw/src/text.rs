//! Estimated width of text. The font is not known here, so the estimates are on the large side.

/// Estimated width of a text at this font size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let letters = text.chars().map(|c| match c {
        'i' | 'j' | 'l' | 'I' | 't' | 'f' | 'r' | '.' | ',' | ':' | ';' | '\'' | '|' | '('
        | ')' | ' ' => 0.36,
        '\u{2009}' => 0.2,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.92,
        'A'..='Z' => 0.7,
        // Ideographs and emoji are as wide as they are high.
        '\u{2E80}'.. => 1.0,
        '−' => 0.84,
        _ => 0.64,
    });
    size * letters.sum::<f64>()
}

/// The text, or its beginning with an ellipsis if it is wider than `room`.
pub(crate) fn shortened(text: &str, room: f64, size: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        short.push(c);
        if width(&short, size) > room - size {
            short.pop();
            break;
        }
    }
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

/// The text in at most `most` lines, broken at spaces, and inside words that are wider than a line;
/// the last line is shortened if necessary.
pub(crate) fn wrapped(text: &str, room: f64, size: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        for (index, piece) in pieces(word, room, size).into_iter().enumerate() {
            let gap = if index == 0 { " " } else { "" };
            let is_full = lines.len() == most;
            let fits = |line: &str| width(line, size) + width(&piece, size) + 0.4 * size <= room;
            match lines.last_mut() {
                Some(line) if is_full || fits(line) => *line = format!("{line}{gap}{piece}"),
                _ => lines.push(piece),
            }
        }
    }
    lines.iter().map(|line| shortened(line, room, size)).collect()
}

/// A word cut into pieces that each fit a line.
fn pieces(word: &str, room: f64, size: f64) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0.0;
    for c in word.chars() {
        let letter = width(c.encode_utf8(&mut [0; 4]), size);
        if used + letter > room - size {
            pieces.push(String::new());
            used = 0.0;
        }
        used += letter;
        pieces.last_mut().expect("there is one from the start").push(c);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_to_their_room() {
        let words = "one two three four five six seven eight nine ten";
        let lines = wrapped(words, 100.0, 13.0, 20);
        assert_eq!(lines.join(" "), words);
        let name = "Donaudampfschifffahrtsgesellschaft";
        assert_eq!(wrapped(name, 100.0, 13.0, 20).concat(), name);
        for most in 1..4 {
            let lines = wrapped(&format!("{name} {words}"), 100.0, 13.0, most);
            assert_eq!(lines.len(), most);
            assert!(lines.iter().all(|line| width(line, 13.0) <= 100.0), "{lines:?}");
            assert!(lines[most - 1].ends_with('…'));
        }
        assert!(wrapped(" \n ", 100.0, 13.0, 3).is_empty());
    }

    #[test]
    fn short_text_stays() {
        assert_eq!(shortened("Min-Min", 100.0, 13.0), "Min-Min");
        assert_eq!(shortened("", 0.0, 13.0), "");
        assert_eq!(shortened("anything", 0.0, 13.0), "…");
    }
}
