//! The words of a text LRAT file, one at a time.
//!
//! A word is a decimal integer of at most 63 bits or the letter `d`; words are separated by any
//! ASCII white space. Nothing is stored except the reader's buffer, so a line of any length is read
//! in constant memory.

use std::io::BufRead;

use super::lrat::Fault;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Number(i64),
    Delete,
    End,
}

pub(super) struct Tokens<R> {
    reader: R,
    line: u64,
}

impl<R: BufRead> Tokens<R> {
    pub fn new(reader: R) -> Self {
        Self { reader, line: 1 }
    }

    /// The line of the last token, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    pub fn next(&mut self) -> Result<Token, Fault> {
        while let Some(byte) = self.peek()? {
            match byte {
                b'd' => return self.delete(),
                byte if byte.is_ascii_whitespace() => {
                    self.reader.consume(1);
                    self.line += u64::from(byte == b'\n');
                }
                byte => return self.number(byte == b'-'),
            }
        }
        Ok(Token::End)
    }

    /// The next token, where a step may not end yet.
    pub fn number_or_delete(&mut self) -> Result<Token, Fault> {
        match self.next()? {
            Token::End => Err(Fault::Truncated),
            token => Ok(token),
        }
    }

    /// The next token, where only a number is allowed.
    pub fn expect_number(&mut self) -> Result<i64, Fault> {
        match self.next()? {
            Token::Number(number) => Ok(number),
            Token::Delete => Err(Fault::UnexpectedByte { byte: b'd' }),
            Token::End => Err(Fault::Truncated),
        }
    }

    fn delete(&mut self) -> Result<Token, Fault> {
        self.reader.consume(1);
        match self.peek()? {
            Some(byte) if !byte.is_ascii_whitespace() => Err(Fault::UnexpectedByte { byte }),
            _ => Ok(Token::Delete),
        }
    }

    fn number(&mut self, is_negative: bool) -> Result<Token, Fault> {
        if is_negative {
            self.reader.consume(1);
        }
        let mut value = None;
        while let Some(byte) = self.peek()?.filter(|byte| !byte.is_ascii_whitespace()) {
            if !byte.is_ascii_digit() {
                return Err(Fault::UnexpectedByte { byte });
            }
            let shifted = value.unwrap_or(0_i64).checked_mul(10);
            let next = shifted.and_then(|tens| tens.checked_add(i64::from(byte - b'0')));
            value = Some(next.ok_or(Fault::NumberTooLarge)?);
            self.reader.consume(1);
        }
        let value = value.ok_or(Fault::UnexpectedByte { byte: b'-' })?;
        Ok(Token::Number(if is_negative { -value } else { value }))
    }

    fn peek(&mut self) -> Result<Option<u8>, Fault> {
        let buffer = self.reader.fill_buf();
        let buffer = buffer.map_err(|error| Fault::Unreadable { reason: error.to_string() })?;
        Ok(buffer.first().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8]) -> Result<Vec<Token>, Fault> {
        let mut tokens = Tokens::new(text);
        let mut found = Vec::new();
        loop {
            match tokens.next()? {
                Token::End => return Ok(found),
                token => found.push(token),
            }
        }
    }

    #[test]
    fn splits_at_white_space_of_any_kind() {
        use Token::*;
        let found = all(b"  12 d -3\t0\r\n\n007").expect("well-formed");
        let expected = [Number(12), Delete, Number(-3), Number(0), Number(7)];
        assert_eq!(found, expected);
    }

    #[test]
    fn refuses_anything_else() {
        let byte = |byte| Err(Fault::UnexpectedByte { byte });
        assert_eq!(all(b"1 c 2"), byte(b'c'));
        assert_eq!(all(b"12x"), byte(b'x'));
        assert_eq!(all(b"d1"), byte(b'1'));
        assert_eq!(all(b"- 1"), byte(b'-'));
        assert_eq!(all(b"--1"), byte(b'-'));
        assert_eq!(all(b"+1"), byte(b'+'));
        assert_eq!(all(b"1\0"), byte(0));
        assert_eq!(all(b"\xff\xfe"), byte(0xff));
        assert_eq!(all(b"9223372036854775808"), Err(Fault::NumberTooLarge));
        assert!(all(b"9223372036854775807").is_ok());
    }
}
