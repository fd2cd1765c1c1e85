use gridsat::*;
use rand::{RngExt, SeedableRng};
fn main() {
    for (n, m, lo, hi, jc) in [(12, 4, 50, 60, 0), (14, 4, 1, 20, 60), (16, 5, 1, 20, 60), (20, 6, 1, 20, 60), (20,6,1,20,100),(24,8,1,20,100),(30,10,1,20,100)] {
        let (mut leaves, mut nodes, mut nodes0, mut ks) = (0, 0, 0, 0);
        let t = std::time::Instant::now();
        for seed in 0..20u64 {
            let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            let etc: Vec<Vec<Option<u64>>> = (0..n).map(|_| { let b = if jc > 0 { rng.random_range(1..jc) } else { 0 }; (0..m).map(|_| Some(b + rng.random_range(lo..hi))).collect() }).collect();
            let inst = model::Instance::new(model::InstanceParts { etc, ..Default::default() }).unwrap();
            let l = bounds::linear(&inst, &|| false);
            let mut k = l.bound.value;
            loop {
                ks += 1;
                let a = bounds::Ascent::new(&inst, &l.weights, k + 1);
                let mut t0 = kernel::Tree::new(&inst, k, a.clone());
                let mut t1 = kernel::Tree::new(&inst, k, a).with_solver(&sat::SolverChoice::Varisat, &sat::Stop::never());
                let p0 = t0.run(100000, &|| false);
                let p1 = t1.run(100000, &|| false);
                nodes += t1.visited(); nodes0 += t0.visited();
                let u = t1.into_proof().iter().filter(|n| matches!(n, certificate::Node::Unsat { .. })).count();
                if u > 0 { leaves += u; print!("[{seed} {k} {u}]"); }
                if matches!(p0, kernel::Progress::Found(_)) { assert!(matches!(p1, kernel::Progress::Found(_))); break; }
                assert!(matches!(p1, kernel::Progress::Refuted));
                k += 1;
            }
        }
        println!("{n}x{m} {lo}..{hi} +{jc}: leaves {leaves} nodes {nodes} vs {nodes0} without, ks {ks} {:?}", t.elapsed());
    }
}
