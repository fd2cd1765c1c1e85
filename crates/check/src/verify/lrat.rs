//! Checker of clausal refutations in text LRAT, by reverse unit propagation (RUP) only.
//!
//! A derived clause C follows if assuming ¬C and propagating along the hints, in their order, ends
//! in a contradiction: each hint must be a clause of which all literals but at most one are false.
//! If one is left, it must be true from here on; if none is left, ¬C is impossible. Such a C is
//! implied by the clauses before it, so a derived empty clause proves the formula unsatisfiable.
//!
//! Deliberately not here: RAT steps, which preserve satisfiability but are not implied, and any
//! propagation beyond the hints. Proofs that need either are rejected.
//!
//! The formula is encoded directly into the checker, which is a clause sink. A proof is read once,
//! and only clauses that are not deleted are kept. Format: Cruz-Filipe et al., CADE 2017.

use std::collections::HashMap;
use std::io::BufRead;

use gridsat_encodings::{ClauseSink, Lit, Var};
use thiserror::Error;

use super::tokens::{Token, Tokens};

/// Where and why a text is not a refutation of the formula.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct LratError {
    /// The line of the proof, from 1.
    pub line: u64,
    /// What is wrong in that line.
    pub fault: Fault,
}

/// What is wrong in a line of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum Fault {
    #[error("cannot read: {reason}")]
    Unreadable { reason: String },
    #[error("unexpected byte 0x{byte:02x}")]
    UnexpectedByte { byte: u8 },
    #[error("number beyond 63 bits")]
    NumberTooLarge,
    #[error("the proof ends in the middle of a step")]
    Truncated,
    #[error("the proof ends without deriving the empty clause")]
    NoEmptyClause,
    #[error("clause number {id} does not exceed {last}, the previous one")]
    NumberNotIncreasing { id: i64, last: u64 },
    #[error("literal {literal} is not over the formula's {variables} variables")]
    NoSuchVariable { literal: i64, variables: usize },
    #[error("variable {variable} occurs twice in a derived clause")]
    RepeatedVariable { variable: u64 },
    #[error("hint {hint} is negative: RAT steps are not accepted")]
    RatHint { hint: i64 },
    #[error("there is no clause {id}, or it was deleted")]
    NoSuchClause { id: i64 },
    #[error("hint {id} has more than one literal that is not false")]
    NotUnit { id: i64 },
    #[error("the hints for clause {id} do not lead to a contradiction")]
    NoContradiction { id: u64 },
}

/// The formula, filled as a clause sink, and the checker of its refutations.
#[derive(Clone, Debug, Default)]
pub struct LratChecker {
    /// Clauses by number. A map, because numbers may have gaps of any size.
    clauses: HashMap<u64, Box<[Lit]>>,
    last_id: u64,
    /// One entry per literal. All are false between two steps.
    is_true: Vec<bool>,
    /// The literals that are true, to be reset after the step.
    trail: Vec<Lit>,
}

impl ClauseSink for LratChecker {
    fn new_var(&mut self) -> Var {
        let var = Var::new(self.variables());
        self.is_true.extend([false, false]);
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.last_id += 1;
        self.clauses.insert(self.last_id, clause.into());
    }
}

impl LratChecker {
    /// A checker with the empty formula.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the text refutes the formula. Reading ends at the empty clause.
    pub fn check(mut self, proof: impl BufRead) -> Result<(), LratError> {
        let mut tokens = Tokens::new(proof);
        loop {
            match self.step(&mut tokens) {
                Ok(false) => {}
                Ok(true) => return Ok(()),
                Err(fault) => {
                    let line = tokens.line();
                    return Err(LratError { line, fault });
                }
            }
        }
    }

    fn variables(&self) -> usize {
        self.is_true.len() / 2
    }

    /// Checks one step; returns whether it derived the empty clause.
    fn step<R: BufRead>(&mut self, tokens: &mut Tokens<R>) -> Result<bool, Fault> {
        let id = match tokens.next()? {
            Token::Number(id) => id,
            Token::Delete => return Err(Fault::UnexpectedByte { byte: b'd' }),
            Token::End => return Err(Fault::NoEmptyClause),
        };
        match tokens.number_or_delete()? {
            Token::Number(literal) => self.derive(id, literal, tokens),
            _ => self.delete(tokens).map(|()| false),
        }
    }

    fn delete<R: BufRead>(&mut self, tokens: &mut Tokens<R>) -> Result<(), Fault> {
        loop {
            let id = tokens.expect_number()?;
            if id == 0 {
                return Ok(());
            }
            let key = u64::try_from(id).ok();
            key.and_then(|key| self.clauses.remove(&key)).ok_or(Fault::NoSuchClause { id })?;
        }
    }

    fn derive<R: BufRead>(
        &mut self,
        id: i64,
        first: i64,
        tokens: &mut Tokens<R>,
    ) -> Result<bool, Fault> {
        let last = self.last_id;
        let new_id = u64::try_from(id).ok().filter(|&id| id > last);
        let id = new_id.ok_or(Fault::NumberNotIncreasing { id, last })?;
        let clause = self.assume_negation(first, tokens)?;
        if !self.propagate(tokens)? {
            return Err(Fault::NoContradiction { id });
        }
        for lit in self.trail.drain(..) {
            self.is_true[lit.code()] = false;
        }
        let is_empty = clause.is_empty();
        self.clauses.insert(id, clause);
        self.last_id = id;
        Ok(is_empty)
    }

    /// Reads a clause and makes its literals false. No variable may occur twice, so that a clause
    /// is never longer than the number of variables, whatever the text.
    fn assume_negation<R: BufRead>(
        &mut self,
        first: i64,
        tokens: &mut Tokens<R>,
    ) -> Result<Box<[Lit]>, Fault> {
        let mut clause = Vec::new();
        let mut literal = first;
        while literal != 0 {
            let lit = self.literal(literal)?;
            if self.is_true[lit.code()] || self.is_true[(!lit).code()] {
                let variable = literal.unsigned_abs();
                return Err(Fault::RepeatedVariable { variable });
            }
            self.assign(!lit);
            clause.push(lit);
            literal = tokens.expect_number()?;
        }
        Ok(clause.into())
    }

    fn literal(&self, literal: i64) -> Result<Lit, Fault> {
        let variables = self.variables();
        let lit = i32::try_from(literal).ok().and_then(Lit::from_dimacs);
        lit.filter(|lit| lit.var().index() < variables)
            .ok_or(Fault::NoSuchVariable { literal, variables })
    }

    /// Reads the hints, propagates along them, and returns whether they end in a contradiction.
    /// Hints after the contradiction must exist but are not used.
    fn propagate<R: BufRead>(&mut self, tokens: &mut Tokens<R>) -> Result<bool, Fault> {
        let mut is_contradiction = false;
        loop {
            let hint = tokens.expect_number()?;
            if hint == 0 {
                return Ok(is_contradiction);
            }
            let key = u64::try_from(hint).map_err(|_| Fault::RatHint { hint })?;
            let clause = self.clauses.get(&key);
            let clause = clause.ok_or(Fault::NoSuchClause { id: hint })?;
            if is_contradiction {
                continue;
            }
            match only_open_literal(clause, &self.is_true) {
                Ok(Some(lit)) => self.assign(lit),
                Ok(None) => is_contradiction = true,
                Err(MoreThanOne) => return Err(Fault::NotUnit { id: hint }),
            }
        }
    }

    fn assign(&mut self, lit: Lit) {
        if !self.is_true[lit.code()] {
            self.is_true[lit.code()] = true;
            self.trail.push(lit);
        }
    }
}

struct MoreThanOne;

/// The one literal of the clause that is not false, or `None` if all are.
fn only_open_literal(clause: &[Lit], is_true: &[bool]) -> Result<Option<Lit>, MoreThanOne> {
    let mut open = None;
    for &lit in clause {
        if is_true[(!lit).code()] || open == Some(lit) {
            continue;
        }
        if open.is_some() {
            return Err(MoreThanOne);
        }
        open = Some(lit);
    }
    Ok(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clauses 1–4: all four combinations of two variables, hence unsatisfiable.
    fn square() -> LratChecker {
        formula(2, &[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]])
    }

    fn formula(variables: usize, clauses: &[&[i32]]) -> LratChecker {
        let mut checker = LratChecker::new();
        for _ in 0..variables {
            checker.new_var();
        }
        for clause in clauses {
            let lits = clause.iter().filter_map(|&number| Lit::from_dimacs(number));
            checker.add_clause(&lits.collect::<Vec<_>>());
        }
        checker
    }

    fn error(proof: &str) -> String {
        let error = square().check(proof.as_bytes());
        error.expect_err("not a refutation").to_string()
    }

    #[test]
    fn accepts_refutations() {
        for proof in [
            "5 1 0 1 2 0\n6 0 5 3 4 0\n",
            "5 1 0 1 2 0 5 d 1 2 0 900 0 5 3 4 0",
            "5 1 0 1 2 0\n6 0 5 3 4 0\nanything goes after the empty clause",
            "5 1 0 1 2 0\n6 0 5 3 4 1 2 0\n", // hints after the contradiction
            "5 1 0 1 2 0\n6 0 5 5 3 4 0\n",   // a hint that says nothing new
        ] {
            assert_eq!(square().check(proof.as_bytes()), Ok(()), "{proof}");
        }
        let empty = formula(0, &[&[]]);
        assert_eq!(empty.check(&b"2 0 1 0"[..]), Ok(()));
        let repeated = formula(1, &[&[1, 1], &[-1, -1]]);
        assert_eq!(repeated.check(&b"3 0 1 2 0"[..]), Ok(()));
    }

    #[test]
    fn says_where_and_why_not() {
        let none = "the proof ends without deriving the empty clause";
        assert_eq!(error(""), format!("line 1: {none}"));
        assert_eq!(error("5 1 0 1 2 0\n"), format!("line 2: {none}"));
        let truncated = "line 2: the proof ends in the middle of a step";
        assert_eq!(error("5 1 0 1 2 0\n6 0 5 3 4"), truncated);
        assert_eq!(error("5 1 0 1 2 0\n6 0"), truncated);
        assert_eq!(error("5 1 0 1 2 0\n6"), truncated);
        let cases = [
            ("5 0 1 2 3 4 0", "hint 1 has more than one literal that is not false"),
            ("5 1 0 2 3 0", "the hints for clause 5 do not lead to a contradiction"),
            ("5 1 0 1 0", "the hints for clause 5 do not lead to a contradiction"),
            ("5 1 0 0", "the hints for clause 5 do not lead to a contradiction"),
            ("4 1 0 1 2 0", "clause number 4 does not exceed 4, the previous one"),
            ("-5 1 0 1 2 0", "clause number -5 does not exceed 4, the previous one"),
            ("5 1 0 1 7 0", "there is no clause 7, or it was deleted"),
            ("5 1 0 1 5 0", "there is no clause 5, or it was deleted"),
            ("4 d 2 0 5 1 0 1 2 0", "there is no clause 2, or it was deleted"),
            ("4 d 2 2 0", "there is no clause 2, or it was deleted"),
            ("4 d -2 0", "there is no clause -2, or it was deleted"),
            ("5 1 0 1 -2 3 0", "hint -2 is negative: RAT steps are not accepted"),
            ("5 3 0 1 2 0", "literal 3 is not over the formula's 2 variables"),
            (
                "5 -9223372036854775807 0",
                "literal -9223372036854775807 is not over the formula's 2 variables",
            ),
            ("5 1 1 0 1 2 0", "variable 1 occurs twice in a derived clause"),
            ("5 1 -1 0 1 2 0", "variable 1 occurs twice in a derived clause"),
            ("d 5 1 0", "unexpected byte 0x64"),
            ("5 1 d 0", "unexpected byte 0x64"),
            ("99999999999999999999 1 0", "number beyond 63 bits"),
            ("a\u{1}", "unexpected byte 0x61"),
        ];
        for (proof, reason) in cases {
            assert_eq!(error(proof), format!("line 1: {reason}"), "{proof}");
        }
    }

    #[test]
    fn numbers_may_jump_but_not_return() {
        let jump = "5 1 0 1 2 0\n9000000000 2 0 1 3 0\n";
        assert_eq!(
            error(&format!("{jump}6 0 5 3 4 0")),
            "line 3: clause number 6 does not exceed 9000000000, the previous one"
        );
    }

    #[test]
    fn an_endless_line_is_refused_in_constant_memory() {
        use std::io::{BufReader, Read};
        let endless = |text: &'static str| {
            let body = std::iter::repeat_n(text.as_bytes(), 1 << 20).flatten();
            let bytes: Vec<u8> = b"5 1 ".iter().chain(body).copied().collect();
            let reader = BufReader::new(std::io::Cursor::new(bytes).take(u64::MAX));
            square().check(reader).expect_err("endless").fault
        };
        assert_eq!(endless("1 "), Fault::RepeatedVariable { variable: 1 });
        assert_eq!(endless("9"), Fault::NumberTooLarge);
        assert_eq!(endless("0 1 "), Fault::NoContradiction { id: 5 });
    }
}
