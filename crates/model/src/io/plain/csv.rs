//! Plain CSV: numbers or `inf` between commas; either no names at all, or host names in the first
//! row and task names in the first column, below the corner `task`.

use std::io::Read;

use super::{Filling, Source};
use crate::io::Note;
use crate::io::heading::{is_qos, is_ready_row};
use crate::name_list::NameList;

/// Reads all rows.
pub(super) fn read<R: Read>(text: &mut Source<R>) -> Option<Filling> {
    let mut filling = Filling::default();
    let has_names = !text.peek()?.is_ascii_digit();
    let mut counting = Counting::default();
    if has_names {
        filling.hosts = Some(host_names(text)?);
        filling.tasks = Some(NameList::default());
    }
    let mut rows = 0;
    while text.peek().is_some() {
        if let Some(names) = &mut filling.tasks {
            names.push(&name(text).filter(|name| !is_ready_row(name) && !is_qos(name))?);
            text.takes(b',').then_some(())?;
        }
        row(text, rows, &mut filling, &mut counting)?;
        filling.end_row()?;
        rows += 1;
    }
    let is_sure = has_names || !counting.is_doubtful();
    let names = Note::Names { header: has_names, index: has_names, sure: true };
    filling.notes.push(names);
    (text.is_at_end() && is_sure).then_some(filling)
}

/// The names after the corner, which must be `task`.
fn host_names<R: Read>(text: &mut Source<R>) -> Option<NameList> {
    text.word(b"task,")?;
    let mut names = NameList::default();
    loop {
        names.push(&name(text).filter(|name| !is_qos(name))?);
        match text.next()? {
            b',' => {}
            b'\n' => return Some(names),
            b'\r' => return text.word(b"\n").map(|()| names),
            _ => return None,
        }
    }
}

/// Reads the times of one task, at least two.
fn row<R: Read>(
    text: &mut Source<R>,
    row: u64,
    filling: &mut Filling,
    counting: &mut Counting,
) -> Option<()> {
    let mut column = 0;
    loop {
        if text.peek()? == b'i' {
            text.word(b"inf")?;
            filling.push_forbidden();
            counting.see(row, column, None);
        } else {
            let number = text.number()?;
            counting.see(row, column, Some(number.mantissa));
            filling.push(number)?;
        }
        column += 1;
        match text.peek() {
            Some(b',') => text.skip(),
            Some(b'\r') => {
                text.word(b"\r\n")?;
                break;
            }
            Some(b'\n') => {
                text.skip();
                break;
            }
            None => break,
            Some(_) => return None,
        }
    }
    (column > 1).then_some(())
}

/// A name that could be nothing else: not empty, without marks that have a meaning and without
/// blanks at its ends.
fn name<R: Read>(text: &mut Source<R>) -> Option<String> {
    let mut bytes = Vec::new();
    while let Some(byte) = text.peek().filter(|byte| !b",\r\n".contains(byte)) {
        if byte < b' ' || b"\"#;".contains(&byte) {
            return None;
        }
        bytes.push(byte);
        text.skip();
    }
    let name = String::from_utf8(bytes).ok()?;
    (!name.is_empty() && name.trim() == name).then_some(name)
}

/// Whether the first row or the first column is 0, 1, 2, … or 1, 2, 3, …, so that it could be a
/// list of names.
struct Counting {
    row_from: [bool; 2],
    column_from: [bool; 2],
}

impl Default for Counting {
    fn default() -> Self {
        Self { row_from: [true; 2], column_from: [true; 2] }
    }
}

impl Counting {
    #[inline]
    fn see(&mut self, row: u64, column: u64, time: Option<u64>) {
        if row == 0 {
            let from = [0, 1].map(|start| time == Some(start + column));
            self.row_from = [0, 1].map(|start| self.row_from[start] && from[start]);
        }
        if column == 0 {
            let from = [0, 1].map(|start| time == Some(start + row));
            self.column_from = [0, 1].map(|start| self.column_from[start] && from[start]);
        }
    }

    fn is_doubtful(&self) -> bool {
        [self.row_from, self.column_from].concat().contains(&true)
    }
}
