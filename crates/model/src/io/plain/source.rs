//! The bytes of a text, one at a time from blocks.

use std::io::{ErrorKind, Read};

use crate::io::MAX_BYTES;

/// Bytes per block.
const BLOCK: usize = 1 << 16;

/// A number that is not negative: `mantissa · 10^−decimals`, with the fewest decimals.
pub(super) struct Number {
    pub mantissa: u64,
    pub decimals: u8,
}

/// Most digits of a mantissa: such numbers are below 10^18 and fit.
const DIGITS: u32 = 18;

pub(super) struct Source<R> {
    input: R,
    block: Vec<u8>,
    /// The next byte in the block, and the end of the bytes in it.
    at: usize,
    end: usize,
    /// Bytes in all blocks so far.
    total: u64,
}

impl<R: Read> Source<R> {
    pub fn new(input: R) -> Self {
        Self { input, block: vec![0; BLOCK], at: 0, end: 0, total: 0 }
    }

    /// The next byte, which stays; `None` at the end, after an error, and where the text is larger
    /// than a file may be.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        if self.at == self.end {
            self.fill()?;
        }
        Some(self.block[self.at])
    }

    /// Takes the byte that was peeked.
    #[inline]
    pub fn skip(&mut self) {
        self.at += 1;
    }

    /// Takes the next byte.
    #[inline]
    pub fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.skip();
        Some(byte)
    }

    /// Takes the next byte if it is this one.
    #[inline]
    pub fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Takes these bytes; `None` if there are others.
    pub fn word(&mut self, word: &[u8]) -> Option<()> {
        word.iter().all(|&byte| self.takes(byte)).then_some(())
    }

    /// Whether all was read, without an error.
    pub fn is_at_end(&mut self) -> bool {
        let mut one = [0];
        self.at == self.end && self.total <= MAX_BYTES && matches!(self.input.read(&mut one), Ok(0))
    }

    /// Takes digits, with a point among them, as JSON has them: no sign, no exponent, no zeros in
    /// front.
    #[inline]
    pub fn number(&mut self) -> Option<Number> {
        let starts_with_zero = self.peek() == Some(b'0');
        let (mut mantissa, whole) = self.digits(0)?;
        if whole == 0 || (whole > 1 && starts_with_zero) || whole > DIGITS {
            return None;
        }
        let mut decimals = 0;
        if self.takes(b'.') {
            (mantissa, decimals) = self.digits(mantissa)?;
            if decimals == 0 || whole + decimals > DIGITS {
                return None;
            }
            while decimals > 0 && mantissa.is_multiple_of(10) {
                (mantissa, decimals) = (mantissa / 10, decimals - 1);
            }
        }
        Some(Number { mantissa, decimals: decimals as u8 })
    }

    /// Appends digits to a number of at most [`DIGITS`] digits; the number and how many digits were
    /// appended. The number is wrong if there are too many.
    #[inline]
    fn digits(&mut self, mut number: u64) -> Option<(u64, u32)> {
        let mut count = 0_u32;
        while let Some(byte) = self.peek().filter(u8::is_ascii_digit) {
            number = number.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
            count = count.checked_add(1)?;
            self.skip();
        }
        Some((number, count))
    }

    #[cold]
    fn fill(&mut self) -> Option<()> {
        (self.at, self.end) = (0, 0);
        while self.end == 0 {
            match self.input.read(&mut self.block) {
                Ok(0) => return None,
                Ok(count) => self.end = count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
        self.total += self.end as u64;
        if self.total > MAX_BYTES {
            self.end = 0;
        }
        (self.end > 0).then_some(())
    }
}
