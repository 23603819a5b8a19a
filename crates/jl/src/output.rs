//! What is printed, and files that are written at the end.

use crate::failure::Failure;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Prints a line; whoever reads may have had enough.
pub fn say(line: &str) -> Result<(), Failure> {
    writeln!(io::stdout(), "{line}").map_err(|e| Failure::printing(&e))
}

/// Refuses a file that could not be written, before anything is computed for it.
pub fn require(option: &str, file: &Path) -> Result<(), Failure> {
    let refuse = |why: &str| Err(Failure::usage(format!("{option} {}: {why}", file.display())));
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return refuse("there is no such folder");
    }
    if file.is_dir() {
        return refuse("this is a folder");
    }
    probe(file, folder).or_else(|e| refuse(&format!("it cannot be written: {e}")))
}

/// Opens the file as if to write, or where there is none, one beside its place.
fn probe(file: &Path, folder: &Path) -> io::Result<()> {
    if file.is_file() {
        return File::options().append(true).open(file).map(drop);
    }
    // To open a pipe may take long.
    if file.exists() {
        return Ok(());
    }
    let beside = folder.join(format!(".jl-{}.probe", std::process::id()));
    File::create(&beside)?;
    fs::remove_file(beside)
}

/// Writes a file whole or not at all, however the program ends: beside its place first.
pub fn write_whole(file: &Path, content: &[u8]) -> io::Result<()> {
    write_whole_with(file, |out| out.write_all(content))
}

/// The same of what is written bit by bit.
pub fn write_whole_with(file: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A link stays one.
    let file = &fs::canonicalize(file).unwrap_or_else(|_| file.into());
    if file.exists() && !file.is_file() {
        // A pipe or a device is written to and not replaced.
        return write_through(file, write);
    }
    let part = file.with_file_name(format!(".jl-{}.part", std::process::id()));
    let written = write_through(&part, write).and_then(|()| fs::rename(&part, file));
    if written.is_err() {
        // There may be nothing to remove; what went wrong first is what matters.
        let _ = fs::remove_file(&part);
    }
    written
}

/// Once it is back the content is on the disk.
fn write_through(file: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    write(&mut out)?;
    let out = out.into_inner()?;
    // Only what is kept can be on the disk: a pipe or a device is not.
    if out.metadata()?.is_file() { out.sync_all() } else { Ok(()) }
}
