//! LRAT proofs. The formula has a model, so every proof of a contradiction is wrong.
#![no_main]

use gridsat_check::verify::LratChecker;
use gridsat_encodings::ClauseSink;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut checker = LratChecker::new();
    let vars = [(); 4].map(|()| checker.new_var().positive());
    let [a, b, c, d] = vars;
    for clause in [[a, b, c], [!a, b, d], [a, !b, !c], [!a, !b, !d], [b, c, !d], [!a, !c, d]] {
        checker.add_clause(&clause);
    }
    let error = checker.check(bytes).expect_err("a = c = d = false, b = true is a model");
    assert_eq!(error.to_string().lines().count(), 1);
});
