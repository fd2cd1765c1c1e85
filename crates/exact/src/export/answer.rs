//! The answer of another solver, in any of the forms that solvers write.
//!
//! | form | written by |
//! | ---|---|
//! | `s …` and `v 1 -2 … 0` | SAT solvers |
//! | `SAT` or `UNSAT`, then `1 -2 … 0` | MiniSat, in its result file |
//! | `s …` and `v x1 -x2 …` | pseudo-Boolean solvers, such as RoundingSat |
//! | a table of columns, `Primal` and `Name` among them | HiGHS in its pretty style, for MPS |
//! | lines with a name and a value | HiGHS, SCIP, CBC and others; `x1` for OPB, `x_0_1` for MPS |

use std::collections::HashSet;

use gridsat_encodings::Lit;
use gridsat_model::text::excerpt;
use thiserror::Error;

/// The variables that are true, named as in the exported format; or that there is no solution.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// An answer to DIMACS: the true literals.
    Literals(HashSet<Lit>),
    /// An answer to OPB: the numbers of the true variables.
    Numbers(HashSet<u32>),
    /// An answer to MPS: the true pairs, as task and host numbers.
    Pairs(HashSet<(u32, u32)>),
    /// The solver found that there is no solution.
    Impossible,
}

/// The text contains no assignment.
#[derive(Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum AnswerError {
    #[error("line {line}: '{}' is not a literal", excerpt(.word))]
    NoLiteral { line: usize, word: String },
    #[error("the solver answered '{}', not a model", excerpt(.0))]
    NoModel(String),
    #[error("there is no model: no 'v' line and no values of variables")]
    Nothing,
    #[error("the answer mixes variables of DIMACS, OPB and MPS")]
    Mixed,
}

impl Answer {
    /// Reads any of the forms listed at the top of this module.
    pub fn parse(text: &str) -> Result<Self, AnswerError> {
        let verdict = Verdict::of(text)?;
        if verdict == Verdict::Impossible {
            return Ok(Self::Impossible);
        }
        let mut model = Model::default();
        let mut primal_end = None;
        for (line, content) in (1..).zip(text.lines()) {
            if content.starts_with("# Dual solution values") || content.starts_with("# Basis") {
                break;
            }
            let literals = match content.strip_prefix('v') {
                Some(values) if is_word_end(values) => values,
                _ if verdict == Verdict::MiniSat && content.trim() != "SAT" => content,
                _ => {
                    primal_end = end_of_primal(content).or(primal_end);
                    match primal_end {
                        Some(end) => model.add_row(content, end),
                        None => model.add_value(content),
                    }
                    continue;
                }
            };
            let read = model.add_literals(literals);
            read.map_err(|word| AnswerError::NoLiteral { line, word: word.to_owned() })?;
        }
        model.answer()
    }
}

/// Where the values end in the table that HiGHS writes in its pretty style, if this is its head.
fn end_of_primal(line: &str) -> Option<usize> {
    let is_head = line.trim_start().starts_with("Index ") && line.ends_with("Name");
    let start = line.find(PRIMAL).filter(|_| is_head)?;
    Some(start + PRIMAL.len())
}

const PRIMAL: &str = "Primal";

/// What the first line or the status lines say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Impossible,
    /// A model in MiniSat's form.
    MiniSat,
    /// A model in any other form, if the text contains one.
    Open,
}

impl Verdict {
    fn of(text: &str) -> Result<Self, AnswerError> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.clone().next().unwrap_or_default();
        match first {
            "SAT" => return Ok(Self::MiniSat),
            "UNSAT" => return Ok(Self::Impossible),
            "INDET" => return Err(AnswerError::NoModel(first.to_owned())),
            // CBC writes this.
            _ if first.starts_with("Infeasible") || first.starts_with("Integer infeasible") => {
                return Ok(Self::Impossible);
            }
            _ => {}
        }
        while let Some(line) = lines.next() {
            let is_impossible = match (line, line.strip_prefix("s ").map(str::trim)) {
                (_, Some("SATISFIABLE" | "OPTIMUM FOUND")) => false,
                (_, Some("UNSATISFIABLE")) => true,
                (_, Some(other)) => return Err(AnswerError::NoModel(other.to_owned())),
                // HiGHS writes the status on the next line, SCIP on the same line.
                ("Model status", None) => lines.next() == Some("Infeasible"),
                ("Model status: Infeasible", None) => true,
                _ => line.strip_prefix("solution status:").map(str::trim) == Some("infeasible"),
            };
            if is_impossible {
                return Ok(Self::Impossible);
            }
        }
        Ok(Self::Open)
    }
}

#[derive(Default)]
struct Model {
    literals: HashSet<Lit>,
    numbers: HashSet<u32>,
    pairs: HashSet<(u32, u32)>,
    /// Whether any value was read, true or false.
    has_values: bool,
}

impl Model {
    /// Reads literals in either notation; the error is the first word that is not a literal.
    fn add_literals<'a>(&mut self, words: &'a str) -> Result<(), &'a str> {
        for word in words.split_whitespace().filter(|&word| word != "0") {
            let (is_true, name) = match word.strip_prefix(['-', '~']) {
                Some(name) => (false, name),
                None => (true, word),
            };
            let number = name.parse::<u32>().ok().and_then(|number| i32::try_from(number).ok());
            match (Variable::parse(name), number.and_then(Lit::from_dimacs)) {
                (Some(variable), _) => self.set(variable, is_true),
                (None, Some(lit)) => {
                    self.literals.insert(if is_true { lit } else { !lit });
                }
                (None, None) => return Err(word),
            }
        }
        Ok(())
    }

    /// Reads a line in which a variable is followed by its value; all other lines are ignored.
    fn add_value(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_comment = matches!(words.first(), Some(&("c" | "*" | "#")));
        for pair in words.windows(2).filter(|_| !is_comment) {
            if let (Some(variable), Ok(value)) = (Variable::parse(pair[0]), pair[1].parse::<f64>())
            {
                // Solvers that compute in floating point write 0.9999999999 for 1.
                self.set(variable, value > 0.5);
                break;
            }
        }
    }

    /// Reads a row of a table: the name is the last word, and the value, if there is one, ends
    /// where that of every row does. Other columns may be empty.
    fn add_row(&mut self, line: &str, end: usize) {
        let name = line.split_whitespace().last().and_then(Variable::parse);
        let value = line.get(..end).and_then(|start| start.rsplit(' ').next());
        if let (Some(variable), Some(Ok(value))) = (name, value.map(str::parse::<f64>)) {
            self.set(variable, value > 0.5);
        }
    }

    fn set(&mut self, variable: Variable, is_true: bool) {
        self.has_values = true;
        match variable {
            _ if !is_true => {}
            Variable::Number(number) => drop(self.numbers.insert(number)),
            Variable::Pair(task, host) => drop(self.pairs.insert((task, host))),
        }
    }

    fn answer(self) -> Result<Answer, AnswerError> {
        let Self { literals, numbers, pairs, has_values } = self;
        match (literals.is_empty(), numbers.is_empty(), pairs.is_empty()) {
            (true, true, true) if has_values => Ok(Answer::Pairs(pairs)),
            (true, true, true) => Err(AnswerError::Nothing),
            (false, true, true) if !has_values => Ok(Answer::Literals(literals)),
            (true, false, true) => Ok(Answer::Numbers(numbers)),
            (true, true, false) => Ok(Answer::Pairs(pairs)),
            _ => Err(AnswerError::Mixed),
        }
    }
}

/// A variable by its name: `x7` in OPB, `x_0_1` in MPS.
enum Variable {
    Number(u32),
    Pair(u32, u32),
}

impl Variable {
    fn parse(name: &str) -> Option<Self> {
        let rest = name.strip_prefix('x')?;
        let Some(pair) = rest.strip_prefix('_') else {
            return rest.parse().ok().map(Self::Number);
        };
        let (task, host) = pair.split_once('_')?;
        Some(Self::Pair(task.parse().ok()?, host.parse().ok()?))
    }
}

fn is_word_end(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literals(numbers: &[i32]) -> Answer {
        let lits = numbers.iter().map(|&number| Lit::from_dimacs(number).expect("not 0"));
        Answer::Literals(lits.collect())
    }

    #[test]
    fn literals_as_sat_solvers_write_them() {
        for text in ["c x1 1\ns SATISFIABLE\nv 1 -2\nv 0\n", "SAT\n1 -2 0\n", "v 1 -2 0\n"] {
            assert_eq!(Answer::parse(text).expect("a model"), literals(&[1, -2]), "{text}");
        }
    }

    #[test]
    fn names_with_and_without_values() {
        let pairs = Answer::Pairs(HashSet::from([(0, 1), (1, 0)]));
        let highs = "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 5\n\
                     # Columns 4\nmakespan 5\nx_0_0 0\nx_0_1 0.9999999\nx_1_0 1\n# Rows 1\n\
                     task_0 1\n\n# Dual solution values\nNone\n# Basis\nx_1_1 1\n";
        let scip = "solution status: optimal solution found\nobjective value:      5\n\
                    makespan  5 \t(obj:1)\nx_0_1    1 \t(obj:0)\nx_1_0   1 \t(obj:0)\n";
        let cbc = "Optimal - objective value 5.00000000\n      0 makespan    5    1\n\
                   2 x_0_1   1   0\n      3 x_1_0    1    0\n";
        for text in [highs, scip, cbc] {
            assert_eq!(Answer::parse(text).expect("a model"), pairs, "{text}");
        }
        let numbers = Answer::Numbers(HashSet::from([1, 4]));
        let roundingsat = "c x\no 5\ns OPTIMUM FOUND\nv x1 -x2 -x3 x4\n";
        let scip = "solution status: optimal solution found\nx1   1 \t(obj:0)\nx4   1 \t(obj:0)\n";
        for text in [roundingsat, scip] {
            assert_eq!(Answer::parse(text).expect("a model"), numbers, "{text}");
        }
    }

    #[test]
    fn no_solution_in_every_form() {
        for text in [
            "c hello\ns UNSATISFIABLE\n",
            "UNSAT\n",
            "Model status\nInfeasible\n\n# Primal solution values\nNone\n",
            "solution status: infeasible\nno solution available\n",
            "Infeasible - objective value 5.00000000\n",
            "Integer infeasible - objective value 0.00000000\n",
        ] {
            assert_eq!(Answer::parse(text).expect("an answer"), Answer::Impossible, "{text}");
        }
    }

    #[test]
    fn what_is_no_answer() {
        for (text, part) in [
            ("s UNKNOWN\n", "'UNKNOWN'"),
            ("INDET\n", "'INDET'"),
            ("hello\n", "no 'v' line"),
            ("", "no 'v' line"),
            ("SAT\n1 two 0\n", "line 2: 'two'"),
            ("v 1 x2\n", "mixes"),
            ("Model status\nTime limit reached\n\n# Primal solution values\nNone\n", "no 'v' line"),
        ] {
            let error = Answer::parse(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
