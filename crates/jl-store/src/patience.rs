//! Locks that outlive a killed writer for a moment.

use crate::StoreError;
use std::time::{Duration, Instant};

/// A server notices a lost connection a little late; and the lock on a file is also held by a process that its writer was
/// just about to start, until that has become the program it is to run.
const PATIENCE: Duration = Duration::from_secs(1);

/// Tries to lock until a run that is in use can be taken to stay so.
pub fn until_free(mut lock: impl FnMut() -> Result<(), StoreError>) -> Result<(), StoreError> {
    let begin = Instant::now();
    loop {
        match lock() {
            Err(StoreError::InUse { .. }) if begin.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(20));
            }
            other => return other,
        }
    }
}
