use gridsat::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let inst = io::read_file(&a[1], &Default::default()).unwrap();
    let k: u64 = a[2].parse().unwrap();
    let secs: f64 = a[3].parse().unwrap();
    let lin = bounds::linear_roughly(&inst, &|| false);
    let ascent = bounds::Ascent::new(&inst, &lin.weights, k + 1);
    let t = std::time::Instant::now();
    let stop = || t.elapsed().as_secs_f64() > secs;
    let mut tree = kernel::Tree::new(&inst, k, ascent);
    let r = match tree.run(1000000, &stop) {
        kernel::Progress::Found(_) => "found",
        kernel::Progress::Refuted => "refuted",
        _ => "open",
    };
    println!("{r} {:.5} done {} nodes {:?}", tree.done(), tree.visited(), t.elapsed());
}
