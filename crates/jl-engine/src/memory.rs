//! An amount of memory, as people write it.

/// Reads `64MB` or `2GB`.
pub fn read_memory(text: &str) -> Result<usize, String> {
    let bad = || "write 64MB or 2GB, from 1MB to 64GB".to_string();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let shift = match unit.trim().to_ascii_uppercase().as_str() {
        "KB" | "K" => 10,
        "MB" | "M" => 20,
        "GB" | "G" => 30,
        "B" | "" => 0,
        _ => return Err(bad()),
    };
    let number: u64 = number.parse().map_err(|_| bad())?;
    let bytes = number.checked_mul(1 << shift).ok_or_else(bad)?;
    if (1 << 20..=64 << 30).contains(&bytes) { usize::try_from(bytes).map_err(|_| bad()) } else { Err(bad()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(read_memory("1MB"), Ok(1 << 20));
        assert_eq!(read_memory("3gb"), Ok(3 << 30));
        assert_eq!(read_memory("2048K"), Ok(2 << 20));
        for bad in ["", "MB", "1TB", "0MB", "65GB", "-1MB", "99999999999999999999GB", "1.5GB"] {
            assert!(read_memory(bad).is_err(), "{bad}");
        }
    }
}
