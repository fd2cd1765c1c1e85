//! Plain JSON: the object with its known keys, each once, without escapes in strings.

use std::io::Read;

use super::{Filling, Source};
use crate::name_list::NameList;

/// Reads the whole object.
pub(super) fn read<R: Read>(text: &mut Source<R>) -> Option<Filling> {
    let mut filling = Filling::default();
    let mut keys: Vec<String> = Vec::new();
    list(text, (b'{', b'}'), |text| {
        let key = string(text)?;
        token(text, b':')?;
        match key.as_str() {
            "name" => filling.name = Some(string(text)?),
            "tasks" => filling.tasks = Some(names(text)?),
            "hosts" => filling.hosts = Some(names(text)?),
            "etc" => list(text, (b'[', b']'), |text| row(text, &mut filling))?,
            "ready" => {
                filling.start_ready();
                list(text, (b'[', b']'), |text| filling.push_ready(text.number()?))?;
            }
            _ => return None,
        }
        let is_new = !keys.contains(&key);
        keys.push(key);
        is_new.then_some(())
    })?;
    blanks(text);
    text.is_at_end().then_some(filling)
}

fn row<R: Read>(text: &mut Source<R>, filling: &mut Filling) -> Option<()> {
    list(text, (b'[', b']'), |text| {
        match text.peek()? {
            b'n' => {
                text.word(b"null")?;
                filling.push_forbidden();
            }
            b'"' => {
                text.word(b"\"inf\"")?;
                filling.push_forbidden();
            }
            _ => filling.push(text.number()?)?,
        }
        Some(())
    })?;
    filling.end_row()
}

fn names<R: Read>(text: &mut Source<R>) -> Option<NameList> {
    let mut names = NameList::default();
    list(text, (b'[', b']'), |text| {
        names.push(&string(text)?);
        Some(())
    })?;
    Some(names)
}

/// Reads items between brackets, with commas between them; at least one, if `item` takes any.
fn list<R: Read>(
    text: &mut Source<R>,
    (open, close): (u8, u8),
    mut item: impl FnMut(&mut Source<R>) -> Option<()>,
) -> Option<()> {
    token(text, open)?;
    loop {
        blanks(text);
        item(text)?;
        blanks(text);
        match text.next()? {
            b',' => {}
            byte if byte == close => return Some(()),
            _ => return None,
        }
    }
}

/// A string without escapes.
fn string<R: Read>(text: &mut Source<R>) -> Option<String> {
    token(text, b'"')?;
    let mut bytes = Vec::new();
    loop {
        match text.next()? {
            b'"' => return String::from_utf8(bytes).ok(),
            b'\\' | 0..b' ' => return None,
            byte => bytes.push(byte),
        }
    }
}

/// Takes this byte and the blanks before it.
fn token<R: Read>(text: &mut Source<R>, byte: u8) -> Option<()> {
    blanks(text);
    text.takes(byte).then_some(())
}

#[inline]
fn blanks<R: Read>(text: &mut Source<R>) {
    while matches!(text.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
        text.skip();
    }
}
