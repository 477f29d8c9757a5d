//! How much memory the process has and may have, where the system tells.

use std::fs;
use std::path::Path;

/// Resident memory in bytes.
pub fn resident() -> Option<u64> {
    read_status("VmRSS:")
}

/// The peak of resident memory in bytes.
pub fn peak() -> Option<u64> {
    read_status("VmHWM:")
}

/// What the system allows, apart from what the user of this program says. A process that goes beyond it is killed, or
/// gets no more memory, which ends it in the middle of whatever it does; so it should stop before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// `ulimit -v`, in bytes of address space, used or not.
    address_space: Option<u64>,
    /// The limit of the control group, such as a container's, in bytes.
    group: Option<u64>,
}

impl Allowance {
    /// What is allowed, if there is a limit.
    pub fn read() -> Option<Allowance> {
        let limits = fs::read_to_string("/proc/self/limits").ok();
        let address_space = limits.as_deref().and_then(address_space);
        let group = fs::read_to_string("/proc/self/cgroup").ok();
        let group = group.as_deref().and_then(|groups| group_limit(groups, Path::new("/sys/fs/cgroup")));
        (address_space.is_some() || group.is_some()).then_some(Allowance { address_space, group })
    }

    /// Whether the process is about to have too little, and of what.
    pub fn exhausted(&self) -> Option<String> {
        let near = |used: Option<u64>, limit: Option<u64>| {
            limit.filter(|&limit| used.is_some_and(|used| used >= limit - limit / 10))
        };
        let megabytes = |bytes: u64| bytes >> 20;
        if let Some(limit) = near(read_status("VmSize:"), self.address_space) {
            return Some(format!("memory is used up: `ulimit -v` allows {} MB", megabytes(limit)));
        }
        let limit = near(resident(), self.group)?;
        Some(format!("memory is used up: the control group of this process has {} MB", megabytes(limit)))
    }
}

/// The soft limit in the text of /proc/self/limits.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The least limit of a group of version 2 and of those around it.
fn group_limit(groups: &str, root: &Path) -> Option<u64> {
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let all = Path::new(own).ancestors().map(|group| root.join(group).join("memory.max"));
    all.filter_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok()).min()
}

fn read_status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let limits =
            "Limit  Soft Limit  Hard Limit  Units\nMax address space  1048576000  unlimited  bytes\n";
        assert_eq!(address_space(limits), Some(1_048_576_000));
        assert_eq!(address_space(&limits.replace("1048576000", "unlimited")), None);
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("a/b")).unwrap();
        fs::write(root.path().join("a/memory.max"), "5000\n").unwrap();
        fs::write(root.path().join("a/b/memory.max"), "max\n").unwrap();
        assert_eq!(group_limit("1:x:/y\n0::/a/b\n", root.path()), Some(5000));
        assert_eq!(group_limit("0::/\n", root.path()), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_knows_when_it_has_too_little() {
        let allowed = |address_space, group| Allowance { address_space, group };
        assert!(allowed(Some(1 << 20), None).exhausted().unwrap().contains("`ulimit -v` allows 1 MB"));
        assert!(allowed(None, Some(1 << 20)).exhausted().unwrap().contains("control group"));
        assert_eq!(allowed(Some(u64::MAX), Some(u64::MAX)).exhausted(), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_has_memory() {
        assert!(super::resident().unwrap() > 0 && super::peak().unwrap() > 0);
    }
}
