//! How much memory the process has, where the system tells.

/// Resident memory in bytes.
pub fn resident() -> Option<u64> {
    read_status("VmRSS:")
}

/// The peak of resident memory in bytes.
pub fn peak() -> Option<u64> {
    read_status("VmHWM:")
}

fn read_status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_has_memory() {
        assert!(super::resident().unwrap() > 0 && super::peak().unwrap() > 0);
    }
}
