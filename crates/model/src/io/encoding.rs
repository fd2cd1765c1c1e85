//! Decodes bytes: UTF-8, with or without a byte-order mark; UTF-16 with one, as spreadsheets and
//! PowerShell write it; and, for CSV that is not UTF-8, Windows-1252, which extends Latin-1.

use std::borrow::Cow;
use std::fmt;

use super::Format;
use super::error::{Fault, Problem};

/// An encoding other than UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Two or four bytes per character, in either byte order, after a byte-order mark.
    Utf16,
    /// One byte per character: Latin-1 with the additions of Windows.
    Latin1,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf16 => "UTF-16",
            Self::Latin1 => "Latin-1 (Windows-1252)",
        })
    }
}

/// The text without a byte-order mark, and its encoding if that is not UTF-8.
pub(super) fn decode(
    bytes: &[u8],
    format: Format,
) -> Result<(Cow<'_, str>, Option<Encoding>), Fault> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => Ok((utf16(rest, u16::from_le_bytes)?, Some(Encoding::Utf16))),
        [0xfe, 0xff, rest @ ..] => Ok((utf16(rest, u16::from_be_bytes)?, Some(Encoding::Utf16))),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Ok((text.strip_prefix('\u{feff}').unwrap_or(text).into(), None)),
            Err(_) if format == Format::Csv && !bytes.iter().any(is_binary) => {
                let text: String = bytes.iter().map(|&byte| windows_1252(byte)).collect();
                Ok((text.into(), Some(Encoding::Latin1)))
            }
            Err(error) => Err(Fault::not_utf8(&error)),
        },
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Cow<'_, str>, Fault> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let text: Result<String, _> =
        char::decode_utf16(pairs.iter().map(|&pair| unit(pair))).collect();
    match text {
        Ok(text) if rest.is_empty() => Ok(text.into()),
        _ => Err(Fault::nowhere(Problem::NotUtf16)),
    }
}

/// Whether this is a control character that does not occur in text.
fn is_binary(byte: &u8) -> bool {
    *byte < b' ' && !byte.is_ascii_whitespace()
}

fn windows_1252(byte: u8) -> char {
    /// Characters 0x80 to 0x9f of Windows-1252, where Latin-1 has control characters.
    const OF_WINDOWS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    match byte.checked_sub(0x80) {
        Some(index) => OF_WINDOWS.get(usize::from(index)).copied().unwrap_or(char::from(byte)),
        None => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_encoding_is_recognised() {
        let decoded = |bytes| decode(bytes, Format::Csv).expect("text");
        assert_eq!(decoded("\u{feff}ä,1".as_bytes()), ("ä,1".into(), None));
        assert_eq!(decoded(b"\xff\xfe\xe4\0,\x001\0"), ("ä,1".into(), Some(Encoding::Utf16)));
        assert_eq!(decoded(b"\xfe\xff\0\xe4\0,\x001"), ("ä,1".into(), Some(Encoding::Utf16)));
        assert_eq!(decoded(b"\xe4,\x80"), ("ä,€".into(), Some(Encoding::Latin1)));
        assert!(decode(b"\xe4\x00", Format::Csv).is_err(), "binary");
        assert!(decode(b"\xff\xfe\0", Format::Csv).is_err(), "half a character");
        assert!(decode(b"\xe4", Format::Json).is_err(), "JSON is UTF");
    }
}
