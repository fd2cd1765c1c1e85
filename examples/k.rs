use gridsat::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let inst = io::read_file(&a[1], &Default::default()).unwrap();
    let k: u64 = a[2].parse().unwrap();
    let limit: usize = a[3].parse().unwrap();
    let t = std::time::Instant::now();
    let lin = bounds::linear(&inst, &|| false);
    println!("linear {} {:?}", lin.bound.value, t.elapsed());
    let ascent = bounds::Ascent::new(&inst, &lin.weights, k + 1);
    let dl = std::time::Duration::from_secs(a.get(4).map_or(20, |s| s.parse().unwrap()));
    let stop = || t.elapsed() > dl;
    match kernel::decide(&inst, k, &ascent, limit, &stop, a.len() > 5) {
        kernel::Outcome::Found(m) => println!("found {} {:?}", m.makespan(), t.elapsed()),
        kernel::Outcome::Refuted(n) => println!("refuted {n} nodes {:?}", t.elapsed()),
        kernel::Outcome::Unknown(n) => println!("unknown {n} nodes {:?}", t.elapsed()),
    }
}
