use gridsat::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let inst = io::read_file(&a[1], &Default::default()).unwrap();
    let k: u64 = a[2].parse().unwrap();
    let p: usize = a[3].parse().unwrap();
    let t = std::time::Instant::now();
    let w = vec![1u64; inst.host_count()];
    let mut ascent = bounds::Ascent::new(&inst, &w, k + 1);
    let dl = std::time::Duration::from_secs(a.get(4).map_or(20, |s| s.parse().unwrap()));
    let stop = || t.elapsed() > dl;
    let d = bounds::Domain::new(&inst, k);
    let Ok(d) = d else {
        println!("contradiction {:?}", t.elapsed());
        return;
    };
    let c = ascent.climb(&d, 200, &stop);
    print!("gap {:.5} {:?} ", c.gap, t.elapsed());
    for seed in 0..a.get(5).map_or(1, |s| s.parse().unwrap()) {
        if let kernel::Dived::Found(m) =
            kernel::dive(d.clone(), ascent.volume(), seed + p as u64, &stop)
        {
            println!("dived {} seed {seed} {:?}", m.makespan(), t.elapsed());
            return;
        }
    }
    println!("no dive {:?}", t.elapsed());
    if a.len() > 6 {
        return;
    }
    let mut tree = kernel::Tree::new(&inst, k, ascent);
    match tree.run(1000000, &stop) {
        kernel::Progress::Found(m) => {
            println!("found {} {} nodes {:?}", m.makespan(), tree.visited(), t.elapsed())
        }
        kernel::Progress::Refuted => {
            let n = tree.visited();
            let t1 = t.elapsed();
            let nodes = tree.into_proof();
            let l = serde_json::to_string(&nodes).unwrap().len();
            let m = heuristics::by_name("mct").unwrap().map(&inst);
            let c = certificate::Certificate::new(
                &inst,
                &m,
                k + 1,
                vec![certificate::Step::Tree { k, nodes }],
            );
            let t = std::time::Instant::now();
            let v = verify::verify_certificate(&inst, &c, &|_| Err(std::io::Error::other("x")));
            println!("refuted {n} nodes {t1:?} {l} bytes {v:?} {:?}", t.elapsed());
        }
        kernel::Progress::Open => println!("unknown {} nodes {:?}", tree.visited(), t.elapsed()),
    }
}
