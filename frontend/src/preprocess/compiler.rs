//! Finding and running a compiler, as a preprocessor and as a judge of what is C.

use super::headers::Headers;
use super::{MacroOption, PreprocessOptions};
use crate::diagnostics::Severity;
use crate::types::DataModel;
use smt::child;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A compiler with the arguments that do not depend on the mode.
pub(super) struct Compiler {
    /// The program, and arguments that belong to it (`CC="ccache gcc"`).
    command: Vec<String>,
    arguments: Vec<OsString>,
    fallback: PathBuf,
}

/// A way to get text for a data model.
pub(super) struct Mode {
    pub flags: Vec<OsString>,
    pub remark: Option<ModeRemark>,
    /// Whether the compiler has the types of the data model, too, and not only its headers.
    pub has_types: bool,
}

/// What the compiler is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// To preprocess a file.
    Preprocess,
    /// To look for errors in a file.
    Check,
    /// To look for errors in a file that has been preprocessed.
    CheckPreprocessed,
}

/// Errors only. What newer compilers refuse and older ones only warn about is accepted: programs for verifiers call functions that
/// nobody declares.
const CHECK: [&str; 9] = [
    "-fsyntax-only",
    "-w",
    "-fmax-errors=20",
    "-fno-diagnostics-show-caret",
    "-fno-diagnostics-color",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
];

/// What the user should know about a mode.
pub(super) struct ModeRemark {
    pub severity: Severity,
    pub message: &'static str,
}

impl Compiler {
    /// Looks for a compiler that can be started.
    pub(super) fn find(options: &PreprocessOptions, headers: &Headers) -> Result<Compiler, String> {
        let split = |command: &str| command.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let candidates = match &options.compiler {
            Some(named) => vec![vec![named.clone()]],
            None => {
                let variable = std::env::var("CC").ok().map(|variable| split(&variable));
                let variable = variable.filter(|command| !command.is_empty());
                // Another compiler may have other headers and macros: whoever names one means it.
                if let Some(command) = variable.as_ref().filter(|command| !is_there(command)) {
                    return Err(format!(
                        "the compiler `{}`, which CC names, cannot be run",
                        command.join(" ")
                    ));
                }
                variable.into_iter().chain(["cc", "gcc", "clang"].map(split)).collect()
            }
        };
        let found = candidates.into_iter().find(|command| is_there(command));
        let Some(command) = found else {
            return Err(match &options.compiler {
                Some(named) => format!("the preprocessor `{named}` cannot be run"),
                None => {
                    "no C preprocessor was found: none of $CC, `cc`, `gcc`, `clang` can be run".to_owned()
                }
            });
        };
        Ok(Compiler { command, arguments: arguments(options, headers), fallback: headers.after() })
    }

    pub(super) fn name(&self) -> String {
        self.command.join(" ")
    }

    /// The ways to try, the most exact one first.
    pub(super) fn modes(&self, model: DataModel) -> Vec<Mode> {
        let plain = |flags: &[&str]| Mode {
            flags: flags.iter().map(OsString::from).collect(),
            remark: None,
            has_types: true,
        };
        match (model, cfg!(target_pointer_width = "64")) {
            (DataModel::Lp64, true) => vec![plain(&[])],
            (DataModel::Lp64, false) => vec![plain(&["-m64"])],
            (DataModel::Ilp32, _) => vec![plain(&["-m32"]), self.borrowed_headers(), narrowed()],
        }
    }

    /// `-m32`, and the directories that are searched without it behind those that are searched with it.
    fn borrowed_headers(&self) -> Mode {
        let mut flags = vec![OsString::from("-m32")];
        let directories = self.search_list().unwrap_or_default().into_iter().chain([self.fallback.clone()]);
        for directory in directories {
            flags.extend([OsString::from("-idirafter"), directory.into_os_string()]);
        }
        let message = "there are no 32-bit headers; the 64-bit ones were used in 32-bit mode";
        Mode { flags, remark: Some(ModeRemark { severity: Severity::Note, message }), has_types: true }
    }

    /// The directories that the compiler looks for headers in.
    fn search_list(&self) -> io::Result<Vec<PathBuf>> {
        let mut command = self.base();
        let output = command.args(["-E", "-v", "-x", "c", "-"]).stdin(Stdio::null()).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let list = said.split_once("#include <...> search starts here:").map_or("", |(_, rest)| rest);
        let list = list.split_once("End of search list").map_or("", |(list, _)| list);
        Ok(list.lines().map(str::trim).filter(|line| !line.is_empty()).map(PathBuf::from).collect())
    }

    fn base(&self) -> Command {
        let mut command = child::command(&self.command[0]);
        // Messages in English, which are read by this program.
        command.args(&self.command[1..]).env("LC_ALL", "C").env_remove("GCC_COLORS");
        command
    }

    /// Runs the compiler on a file, or on `input`.
    pub(super) fn run(
        &self,
        task: Task,
        path: &Path,
        input: Option<&[u8]>,
        flags: &[OsString],
    ) -> io::Result<Output> {
        let mut command = self.base();
        match task {
            Task::Preprocess => command.arg("-E").args(["-x", "c"]).args(&self.arguments),
            Task::Check => command.args(CHECK).args(["-D__MONABS_CHECK", "-x", "c"]).args(&self.arguments),
            Task::CheckPreprocessed => command.args(CHECK).args(["-x", "cpp-output", STANDARD]),
        };
        command.args(flags).stdout(Stdio::piped()).stderr(Stdio::piped());
        match input {
            Some(_) => command.arg("-").stdin(Stdio::piped()),
            None => command.arg(not_an_option(path)).stdin(Stdio::null()),
        };
        let mut child = command.spawn()?;
        let pipe = child.stdin.take();
        std::thread::scope(|scope| {
            if let (Some(mut pipe), Some(input)) = (pipe, input) {
                // A preprocessor that stops reading has reported why.
                scope.spawn(move || pipe.write_all(input).is_ok());
            }
            child.wait_with_output()
        })
    }
}

/// The language.
const STANDARD: &str = "-std=gnu11";

fn is_there(command: &[String]) -> bool {
    let Some((program, arguments)) = command.split_first() else { return false };
    let mut probe = child::command(program);
    probe.args(arguments).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}

/// A file name that cannot be taken for an option.
fn not_an_option(path: &Path) -> PathBuf {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    }
}

fn arguments(options: &PreprocessOptions, headers: &Headers) -> Vec<OsString> {
    // The language; no diversions for optimised code in headers; no blocks of Clang; words that only CBMC knows.
    let standard =
        options.standard.as_ref().map_or_else(|| STANDARD.to_owned(), |name| format!("-std={name}"));
    let flags = [
        &*standard,
        "-U_FORTIFY_SOURCE",
        "-U__BLOCKS__",
        "-D__MONABS__=1",
        "-D__CPROVER_bool=_Bool",
        "-D__CPROVER_thread_local=_Thread_local",
    ];
    let mut arguments: Vec<OsString> = flags.map(Into::into).into();
    let joined = |flag: &str, value: &std::ffi::OsStr| {
        let mut argument = OsString::from(flag);
        argument.push(value);
        argument
    };
    arguments.extend(options.include_directories.iter().map(|directory| joined("-I", directory.as_os_str())));
    // Not -isystem: line markers for macros of system headers would split the user's lines.
    arguments.push(joined("-I", headers.before().as_os_str()));
    arguments.extend(options.search.iter().cloned());
    for option in &options.macros {
        arguments.push(match option {
            MacroOption::Define(definition) => joined("-D", definition.as_ref()),
            MacroOption::Undefine(name) => joined("-U", name.as_ref()),
        });
    }
    for file in &options.includes {
        arguments.push("-include".into());
        arguments.push(file.into());
    }
    arguments
}

/// 64-bit mode with macros that make headers choose 32-bit types.
fn narrowed() -> Mode {
    const UNDEFINED: [&str; 5] = ["__LP64__", "_LP64", "__x86_64__", "__x86_64", "__SIZEOF_INT128__"];
    const DEFINED: [(&str, &str); 26] = [
        ("__ILP32__", "1"),
        ("_ILP32", "1"),
        ("__SIZEOF_LONG__", "4"),
        ("__SIZEOF_POINTER__", "4"),
        ("__SIZEOF_SIZE_T__", "4"),
        ("__SIZEOF_PTRDIFF_T__", "4"),
        ("__LONG_MAX__", "0x7fffffffL"),
        ("__LONG_WIDTH__", "32"),
        ("__SIZE_TYPE__", "unsigned int"),
        ("__SIZE_MAX__", "0xffffffffU"),
        ("__PTRDIFF_TYPE__", "int"),
        ("__PTRDIFF_MAX__", "0x7fffffff"),
        ("__INTPTR_TYPE__", "int"),
        ("__INTPTR_MAX__", "0x7fffffff"),
        ("__UINTPTR_TYPE__", "unsigned int"),
        ("__UINTPTR_MAX__", "0xffffffffU"),
        ("__INT64_TYPE__", "long long int"),
        ("__UINT64_TYPE__", "long long unsigned int"),
        ("__INT_LEAST64_TYPE__", "long long int"),
        ("__UINT_LEAST64_TYPE__", "long long unsigned int"),
        ("__INT_FAST16_TYPE__", "int"),
        ("__UINT_FAST16_TYPE__", "unsigned int"),
        ("__INT_FAST64_TYPE__", "long long int"),
        ("__UINT_FAST64_TYPE__", "long long unsigned int"),
        ("__INTMAX_TYPE__", "long long int"),
        ("__UINTMAX_TYPE__", "long long unsigned int"),
    ];
    let undefined =
        UNDEFINED.iter().chain(DEFINED.iter().map(|(name, _)| name)).map(|name| format!("-U{name}"));
    let defined = DEFINED.iter().map(|(name, value)| format!("-D{name}={value}"));
    let message = "the preprocessor has no 32-bit mode; headers were told by macros to use 32-bit types";
    let flags = undefined.chain(defined).map(OsString::from).collect();
    Mode { flags, remark: Some(ModeRemark { severity: Severity::Warning, message }), has_types: false }
}
