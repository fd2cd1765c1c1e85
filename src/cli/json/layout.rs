//! Formats JSON so that arrays and objects of scalars are on one line.
//!
//! It works on the text, not on values, so numbers keep all their digits.

/// Formats JSON that has no white space outside of strings.
pub fn lay_out(compact: &str) -> String {
    let mut out = String::with_capacity(2 * compact.len());
    // For each open array or object: whether it is on one line.
    let mut open: Vec<bool> = Vec::new();
    let mut rest = compact;
    while let Some(first) = rest.chars().next() {
        let token = if first == '"' { string(rest) } else { &rest[..first.len_utf8()] };
        rest = &rest[token.len()..];
        match first {
            '[' | '{' => {
                let is_row = is_row(rest, open.is_empty());
                open.push(is_row);
                out.push(first);
                if !is_row {
                    new_line(&mut out, open.len());
                }
            }
            ']' | '}' => {
                if open.pop() == Some(false) {
                    new_line(&mut out, open.len());
                }
                out.push(first);
            }
            ',' if open.last() == Some(&true) => out.push_str(", "),
            ',' => {
                out.push(',');
                new_line(&mut out, open.len());
            }
            ':' => out.push_str(": "),
            _ => out.push_str(token),
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// Whether what was just opened contains scalars only. The outermost one counts only if it is
/// empty.
fn is_row(inside: &str, is_outermost: bool) -> bool {
    let mut rest = inside;
    while let Some(first) = rest.chars().next() {
        match first {
            '[' | '{' => return false,
            ']' | '}' => return !is_outermost || rest.len() == inside.len(),
            '"' => rest = &rest[string(rest).len()..],
            other => rest = &rest[other.len_utf8()..],
        }
    }
    false
}

/// The string literal at the start, with its quotes.
fn string(text: &str) -> &str {
    let mut is_escaped = false;
    for (place, c) in text.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return &text[..=place],
            _ => is_escaped = c == '\\' && !is_escaped,
        }
    }
    text
}
