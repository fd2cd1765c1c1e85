//! P||Cmax text.

use gridsat_model::io::{self, Format, ReadOptions};
use gridsat_model::{HostId, Instance, TaskId, Ticks};

fn read(text: &str) -> Result<Instance, String> {
    let options = ReadOptions::default();
    let instance = io::parse_file("list.txt".as_ref(), text.as_bytes(), &options);
    instance.map_err(|error| error.to_string())
}

#[test]
fn times_are_the_same_on_all_hosts() {
    let instance = read("p p_cmax 3 4\n7 5\n1\n0\n").expect("valid");
    assert_eq!((instance.task_count(), instance.host_count()), (3, 4));
    assert!(instance.has_equal_hosts());
    assert_eq!(instance.time(TaskId(1), HostId(3)), Some(Ticks(5)));
    assert_eq!(instance.times(TaskId(2)).count(), 4);
    let rows = Instance::from_rows([[7; 4], [5; 4], [1; 4]]).expect("valid");
    let digest = gridsat_model::certificate::instance_digest;
    assert_eq!(digest(&instance), digest(&rows));
}

#[test]
fn what_is_written_is_read_back() {
    let text = "p p_cmax 3 2\n7\n5\n1\n0\n";
    let mut written = Vec::new();
    io::write(&read(text).expect("valid"), Format::Pcmax, &mut written).expect("equal hosts");
    assert_eq!(String::from_utf8(written).expect("text"), text);
}

#[test]
fn other_instances_are_not_written() {
    let write = |instance: &Instance| {
        let error = io::write(instance, Format::Pcmax, &mut Vec::new()).expect_err("refused");
        error.to_string()
    };
    let unequal = Instance::from_rows([[7, 5]]).expect("valid");
    let only = "pcmax holds hosts with equal times only (json, csv, hcsp and rcmax hold a matrix)";
    assert_eq!(write(&unequal), only);
    let zero = Instance::from_rows([[0, 0]]).expect("valid");
    let zeros = "pcmax cannot hold times of 0 (json, csv, hcsp and rcmax can)";
    assert_eq!(write(&zero), zeros);
}

#[test]
fn bad_text_is_refused_with_its_place() {
    let cases = [
        ("p p_cmax 2 0\n7 5 0", "list.txt:1:12: expected the number of hosts, found '0'"),
        ("p p_cmax 0 2\n0", "list.txt:1:10: expected the number of tasks, found '0'"),
        ("p p_cmax 2 -1\n7 5 0", "list.txt:1:12: expected the number of hosts, found '-1'"),
        ("p p_cmax 2 2\n7 0 0", "list.txt:2:3: expected a whole time above 0, found '0'"),
        ("p p_cmax 2 2\n7 -5 0", "list.txt:2:3: expected a whole time above 0, found '-5'"),
        ("p p_cmax 2 2\n7", "list.txt:2:2: unexpected end of file: expected another time"),
        (
            "p p_cmax 2 2\n7 5",
            "list.txt:2:4: unexpected end of file: expected a 0 after the last time",
        ),
        (
            "p p_cmax 2 2\n7 5 3 0",
            "list.txt:2:5: more times than the 2 that the first line states, or no 0 after them",
        ),
        ("p p_cmax 2 2\n7 5 0 3", "list.txt:2:7: expected nothing, found '3'"),
        (
            "p p_cmax 1 99999999999\n7 0",
            "list.txt:1:1: too large: number of hosts is 99999999999, at most 1048576 are \
             supported",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(read(text).expect_err("bad"), message);
    }
}
