//! Damaged certificates: whatever is still accepted is still true.

use gridsat_check::verify::{OpenProof, verify_certificate};
use gridsat_model::certificate::Document;
use gridsat_model::io;
use gridsat_test_support::mutate::mutate;
use gridsat_test_support::program::Folder;
use gridsat_test_support::tiny;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::child::{run, words};

const CERTIFICATES: u64 = 8;
const DAMAGES: u64 = 500;

pub fn round(rng: &mut ChaCha8Rng) -> u64 {
    let folder = Folder::default();
    for _ in 0..CERTIFICATES {
        let instance = tiny::sized(rng.random(), 8, 4);
        let mut text = Vec::new();
        io::write_json(&instance, &mut text).expect("memory has room");
        folder.write("i.json", &text);
        // Half of the mappings leave room for a false bound.
        let limit = if rng.random() { "--time-limit 0" } else { "--threads 1" };
        run(&folder, &words(&format!("solve i.json --certificate c.json {limit}")));
        let good = folder.read("c.json");
        let optimum = tiny::optimum(&instance);
        for _ in 0..DAMAGES {
            let mut bytes = good.clone().into_bytes();
            for _ in 0..rng.random_range(1..=3) {
                mutate(&mut bytes, rng);
            }
            let Ok(bad) = serde_json::from_slice::<Document>(&bytes) else { continue };
            let no_file: OpenProof = &|_| Err(std::io::Error::other("no such file"));
            if let Ok(accepted) = verify_certificate(&instance, &bad, no_file) {
                let claim = format!(
                    "{}\n{}",
                    String::from_utf8_lossy(&text),
                    String::from_utf8_lossy(&bytes)
                );
                assert!(accepted.lower_bound() <= optimum, "{optimum} {claim}");
                assert!(accepted.makespan() >= optimum, "{optimum} {claim}");
            }
        }
    }
    CERTIFICATES * DAMAGES
}
