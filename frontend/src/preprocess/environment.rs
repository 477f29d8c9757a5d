//! The headers of kernels: one text of ours for each, under all the names that drivers include.
//!
//! What is exact in them and what is not stands beside each part of the text. Some names are those of the C library's own headers, which the
//! library needs: there ours comes behind it.

/// Whose headers the program includes, beside those of the C library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// `sys/mutex.h`, `sys/sx.h`, `machine/atomic.h` and others.
    Freebsd,
    /// `sys/mutex.h`, `sys/condvar.h`, `sys/callout.h` and others.
    Netbsd,
    /// `sys/mutex.h`, `sys/rwlock.h`, `sys/timeout.h` and others.
    Openbsd,
    /// `linux/spinlock.h`, `linux/list.h`, `linux/kref.h` and others.
    Linux,
    /// `sys/ksynch.h`, `sys/ddi.h`, `sys/sunddi.h` and others.
    Illumos,
}

macro_rules! texts {
    ($($name:literal),* $(,)?) => { &[$((concat!("monabs/", $name, ".h"), include_str!(concat!("../headers/environment/", $name, ".h")))),*] };
}

/// All texts, by the names under which they include each other.
const TEXTS: &[(&str, &str)] = texts![
    "common",
    "bsd_errno",
    "solaris_atomic",
    "solaris_locks",
    "freebsd",
    "freebsd_later",
    "netbsd",
    "netbsd_later",
    "openbsd",
    "openbsd_later",
    "linux",
    "linux_later",
    "illumos",
    "illumos_later",
    "illumos_device",
];

/// Behind the C library's `sys/cdefs.h`: marks for versions, and what is known as unused.
const CDEFS: &str = "#include_next <sys/cdefs.h>
#define __FBSDID(text) struct __hack
#define __RCSID(text) struct __hack
#define __KERNEL_RCSID(number, text) struct __hack
#define __COPYRIGHT(text) struct __hack
";

/// Behind the C library's `sys/queue.h`: loops in which elements may be removed. The kernels have them, the library has not.
const QUEUE: &str = include_str!("../headers/environment/queue.h");

impl Environment {
    /// How it is called in the names of headers.
    fn name(self) -> &'static str {
        match self {
            Environment::Freebsd => "freebsd",
            Environment::Netbsd => "netbsd",
            Environment::Openbsd => "openbsd",
            Environment::Linux => "linux",
            Environment::Illumos => "illumos",
        }
    }

    /// Folders with the headers in them, without their suffix.
    fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Environment::Freebsd => &[
                (
                    "sys",
                    "param systm lock mutex sx rwlock condvar kernel malloc proc refcount sema kthread module libkern errno ktr callout taskqueue \
                     conf bus rman sysctl eventhandler _lock _mutex _rwlock _sx _task priority sleepqueue smp unistd uio",
                ),
                ("machine", "atomic cpu cpufunc bus resource"),
                ("", "errno"),
            ],
            Environment::Netbsd => &[
                (
                    "sys",
                    "param systm lock mutex rwlock condvar kernel kmem proc lwp kthread module errno callout workqueue intr atomic conf device \
                     cpu bus sysctl sleepq uio buf malloc",
                ),
                ("machine", "cpu intr bus lock"),
                ("", "errno"),
            ],
            Environment::Openbsd => &[
                (
                    "sys",
                    "param systm lock mutex rwlock kernel malloc proc kthread errno timeout task atomic refcnt device conf sched smr uio pool",
                ),
                ("machine", "cpu intr bus lock atomic"),
                ("", "errno"),
            ],
            Environment::Linux => &[
                (
                    "linux",
                    "spinlock mutex rwlock list atomic refcount kref bitops bug kernel module types slab wait completion kthread sched semaphore \
                     rwsem init compiler workqueue interrupt delay printk export timer fs err jiffies device cdev miscdevice uaccess \
                     spinlock_types rwlock_types wait_bit gfp string irq moduleparam preempt",
                ),
                ("asm", "atomic barrier bitops io irq uaccess processor"),
            ],
            Environment::Illumos => &[(
                "sys",
                "param systm ksynch mutex rwlock condvar semaphore kmem thread atomic debug ddi sunddi conf devops modctl cmn_err list taskq \
                     disp callo proc cred stream stropts t_lock ddi_impldefs dditypes note sysmacros timer",
            )],
        }
    }

    /// All headers with their texts.
    pub(super) fn files(self) -> Vec<(String, String)> {
        let mut files: Vec<(String, String)> =
            TEXTS.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let include = format!("#include <monabs/{}.h>\n", self.name());
        for (folder, names) in self.headers() {
            let slash = if folder.is_empty() { "" } else { "/" };
            let file = |header: &str| (format!("{folder}{slash}{header}.h"), include.clone());
            files.extend(names.split_whitespace().map(file));
        }
        files.push(("sys/cdefs.h".to_owned(), CDEFS.to_owned()));
        files.push(("sys/queue.h".to_owned(), QUEUE.to_owned()));
        files
    }
}
