//! Bytes for readers that need a file.

use std::path::PathBuf;

/// A file with these bytes, in a folder of this process that is used again and again.
pub fn with(bytes: &[u8], name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gridsat-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("room for temporary files");
    path
}
