//! What is printed, and files that are written at the end.

use crate::failure::Failure;
use std::io::{self, Write};
use std::path::Path;

/// Prints a line; whoever reads may have had enough.
pub fn say(line: &str) -> Result<(), Failure> {
    writeln!(io::stdout(), "{line}").map_err(Failure::run)
}

/// Refuses a file that could not be written, before anything is computed for it.
pub fn require(option: &str, file: &Path) -> Result<(), Failure> {
    let refuse = |why: &str| Err(Failure::usage(format!("{option} {}: {why}", file.display())));
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return refuse("there is no such folder");
    }
    if file.is_dir() { refuse("this is a folder") } else { Ok(()) }
}
