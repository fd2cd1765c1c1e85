use gridsat::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let inst = io::read_file(&a[1], &Default::default()).unwrap();
    let k: u64 = a[2].parse().unwrap();
    let secs: u64 = a[3].parse().unwrap();
    let t = std::time::Instant::now();
    let w = bounds::linear(&inst, &|| false).weights;
    let ascent = bounds::Ascent::new(&inst, &w, k + 1);
    let stop = sat::Stop::never().within(std::time::Duration::from_secs(secs));
    let mut tree = kernel::Tree::new(&inst, k, ascent);
    if a[4] != "none" {
        tree = tree.with_solver(&a[4].parse().unwrap(), &stop);
    }
    let p = tree.run(1000000, &|| stop.is_due());
    let what = match p {
        kernel::Progress::Found(m) => format!("found {}", m.makespan()),
        kernel::Progress::Refuted => "refuted".into(),
        kernel::Progress::Open => "open".into(),
    };
    let v = tree.visited();
    let proof = tree.into_proof();
    let u = proof.iter().filter(|n| matches!(n, certificate::Node::Unsat { .. })).count();
    let cpu = std::fs::read_to_string("/proc/self/stat").unwrap(); let f: Vec<&str> = cpu.rsplit(") ").next().unwrap().split(" ").collect(); let cpu = f[11].parse::<f64>().unwrap() / 100.0;
    println!("{} k {k} {}: {what} {v} nodes {u} unsat leaves {cpu:.2} cpu s {:.2} s", a[1].rsplit('/').next().unwrap(), a[4], t.elapsed().as_secs_f64());
}
