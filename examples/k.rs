use gridsat::*;
// usage: k file k mode secs ; prints time to first dive success, for seeds
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let inst = io::read_file(&a[1], &Default::default()).unwrap();
    let k: u64 = a[2].parse().unwrap();
    let mode: u32 = a[3].parse().unwrap();
    let secs: f64 = a[4].parse().unwrap();
    let lin = bounds::linear_roughly(&inst, &|| false);
    let w = if mode & 1 == 1 { lin.weights } else { vec![1u64; inst.host_count()] };
    let mut ascent = bounds::Ascent::new(&inst, &w, k + 1);
    let t = std::time::Instant::now();
    let stop = || t.elapsed().as_secs_f64() > secs;
    let mut d = bounds::Domain::new(&inst, k).unwrap();
    let mut v = ascent.volume();
    if mode & 2 == 2 {
        kernel::shrink(&mut d, &mut ascent, (200, 40), &stop).unwrap();
        v = ascent.volume();
    }
    if mode & 4 == 4 {
        v = bounds::Ascent::new(&inst, &w, k + 1).volume();
    }
    if mode & 8 == 8 {
        v.climb(&d, 200, &stop);
    }
    let t0 = t.elapsed();
    let (mut tries, mut hits) = (0, 0);
    let mut first = None;
    for seed in 0..100000 {
        if stop() {
            break;
        }
        tries += 1;
        if let kernel::Dived::Found(_) = kernel::dive(d.clone(), v.clone(), seed, &stop) {
            hits += 1;
            if first.is_none() {
                first = Some((seed, t.elapsed()));
            }
        }
    }
    println!(
        "mode {mode} setup {t0:?} pairs {} tries {tries} hits {hits} first {first:?}",
        d.pairs()
    );
}
