//! The files of the repository.

use breach::coverability::Verdict;
use breach::diagnostics::Source;
use breach::input::Format;
use breach::system::Problem;
use frontend::entry::EntryPoints;
use frontend::preprocess::Environment;
use std::io;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests).to_path_buf()
}

/// All files below a folder, in order; build results and hidden folders are left out.
pub fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let (path, name) = entry.map(|e| (e.path(), e.file_name()))?;
            let name = name.to_string_lossy();
            if path.is_file() {
                files.push(path);
            } else if path.is_dir() && name != "target" && !name.starts_with('.') {
                open.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The entry points that the `OPTIONS` line of a C file names: what is not understood is left out.
pub fn entry_points(text: &str) -> EntryPoints {
    let mut points = EntryPoints::default();
    let options = text.lines().find_map(|line| line.strip_prefix("// OPTIONS: ")).unwrap_or_default();
    let words: Vec<&str> = options.split_whitespace().collect();
    for pair in words.chunks(2) {
        match pair {
            ["--init", init] => points.inits.extend(init.parse()),
            ["--entry", entry] => points.entries.extend(entry.parse()),
            _ => {}
        }
    }
    points
}

/// The kernel whose headers the `OPTIONS` line of a C file asks for.
pub fn environment(text: &str) -> Option<Environment> {
    let options = text.lines().find_map(|line| line.strip_prefix("// OPTIONS: "))?;
    let (_, rest) = options.split_once("--environment ")?;
    Some(match rest.split_whitespace().next()? {
        "freebsd" => Environment::Freebsd,
        "netbsd" => Environment::Netbsd,
        "openbsd" => Environment::Openbsd,
        "linux" => Environment::Linux,
        "illumos" => Environment::Illumos,
        _ => return None,
    })
}

/// A system file with its question and the answer that its first line promises.
#[derive(Clone, Debug)]
pub struct Example {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The question in it.
    pub problem: Problem,
    /// `# EXPECT: coverable` or `# EXPECT: uncoverable`.
    pub is_coverable: bool,
}

impl Example {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Example, String> {
        let fail = |message: String| format!("{}: {message}", path.display());
        let text = std::fs::read_to_string(path).map_err(|e| fail(e.to_string()))?;
        let is_coverable = match text.lines().next() {
            Some("# EXPECT: coverable") => true,
            Some("# EXPECT: uncoverable") => false,
            other => {
                return Err(fail(format!("expected '# EXPECT: ...' in the first line, found {other:?}")));
            }
        };
        let format = Format::of_path(path).ok_or_else(|| fail("unknown suffix".to_owned()))?;
        let name = path.to_string_lossy();
        let input = format.parse(Source { name: &name, text: &text }).map_err(|e| e.to_string())?;
        let init = input.init.ok_or_else(|| fail("no initial states".to_owned()))?;
        if input.targets.is_empty() {
            return Err(fail("no target".to_owned()));
        }
        let problem = Problem { system: input.system, init, targets: input.targets };
        Ok(Example { path: path.to_path_buf(), text, problem, is_coverable })
    }

    /// Reads all files below a folder of the repository.
    pub fn read_all(folder: &str) -> Result<Vec<Example>, String> {
        let files = files_below(&root().join(folder)).map_err(|e| format!("{folder}: {e}"))?;
        let is_system =
            |path: &&PathBuf| path.extension().is_some_and(|e| e == "emdr" || e == "tts" || e == "spec");
        files.iter().filter(is_system).map(|path| Example::read(path)).collect()
    }

    /// True if the verdict is the expected one.
    pub fn agrees(&self, verdict: &Verdict) -> bool {
        match verdict {
            Verdict::Coverable(_) => self.is_coverable,
            Verdict::Uncoverable(_) => !self.is_coverable,
            Verdict::Unknown(_) => false,
        }
    }
}
