//! `scripts/package`, and the programs in it inside of a root that has the C library and nothing else: no source, no build, no compiler.

use crate::support::{Ended, names, program, programs, repository, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../../../smt/build/place.rs"]
mod place;

/// How to change the root: as root, or in a user namespace. None where neither is allowed.
fn chroot() -> Option<Vec<&'static str>> {
    let ways = [vec!["chroot"], vec!["unshare", "--user", "--map-root-user", "chroot"]];
    let works = |way: &Vec<&str>| {
        let tried = Command::new(way[0]).args(&way[1..]).args(["/", "true"]).output();
        tried.is_ok_and(|output| output.status.success())
    };
    ways.into_iter().find(works)
}

/// The files that the loader maps for a program, but those that came with it.
fn system_libraries(file: &Path, prefix: &Path) -> BTreeSet<PathBuf> {
    let listed = run(Command::new("ldd").arg(file).env_remove("LD_LIBRARY_PATH")).stdout;
    assert!(!listed.contains("not found"), "{}: {listed}", file.display());
    let paths = listed.split_whitespace().filter(|word| word.starts_with('/')).map(PathBuf::from);
    paths.filter(|path| !path.starts_with(prefix)).collect()
}

/// What a bare system has of the C library, as far as the programs in `prefix` need it, and a folder for temporary files.
fn furnish(root: &Path, prefix: &Path) {
    for name in names(&prefix.join("bin")) {
        for library in system_libraries(&prefix.join("bin").join(name), prefix) {
            let to = root.join(library.strip_prefix("/").unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(&library, to).unwrap();
        }
    }
    fs::create_dir_all(root.join("tmp")).unwrap();
}

/// Asks the programs of `bin`, a path inside of `root`, what they can answer there.
fn answers(root: &Path, bin: &str) {
    let Some(way) = chroot() else {
        eprintln!("skipped: this user may not change the root");
        return;
    };
    // The loader asks /proc where a program is. All of ours are in the same folder, so one link does for them.
    let link = root.join("proc/self/exe");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(format!("{bin}/monabs"), &link).unwrap();
    let inside = |name: &str, arguments: &[&str]| -> Ended {
        let mut command = Command::new(way[0]);
        command.args(&way[1..]).arg(root).arg(format!("{bin}/{name}")).args(arguments);
        run(command.env_remove("LD_LIBRARY_PATH"))
    };
    for name in ["monabs", "breach", "asyncc", "cseq", "impara"] {
        let version = inside(name, &["--version"]);
        assert_eq!(version.code, Some(0), "{name}: {version:#?}");
    }
    let safe = inside("monabs", &["--no-search", "/counter.prog"]);
    assert!(safe.code == Some(0) && safe.stdout.contains("VERIFICATION SUCCESSFUL"), "{safe:#?}");
    let covered = inside("breach", &["/bug.emdr"]);
    assert!(covered.code == Some(10), "{covered:#?}");
    let no_compiler = inside("monabs", &["/counter.c"]);
    assert!(no_compiler.code == Some(2), "{no_compiler:#?}");
    assert!(no_compiler.stderr.contains("no C preprocessor was found"), "{no_compiler:#?}");
    assert_eq!(names(&root.join("tmp")), Vec::<String>::new());
}

#[test]
fn packages_run_on_a_bare_system() {
    let scratch = tempfile::tempdir().unwrap();
    let out = scratch.path().join("out");
    let mut package = Command::new(repository("scripts/package"));
    package.arg("--from").arg(programs()).arg("--out").arg(&out).arg("--fast");
    let made = run(&mut package);
    assert_eq!(made.code, Some(0), "{made:#?}");
    assert!(made.stdout.contains("they need glibc 2."), "{made:#?}");

    let root = scratch.path().join("root");
    fs::create_dir(&root).unwrap();
    let source = repository("examples/walk/2-mutex-counter.c");
    let prepared = run(program("asyncc").args(["--emit", "program"]).arg(&source));
    fs::write(root.join("counter.prog"), prepared.stdout).unwrap();
    fs::copy(&source, root.join("counter.c")).unwrap();
    fs::copy(repository("examples/emdr/readers-writer-bug.emdr"), root.join("bug.emdr")).unwrap();

    let files = names(&out);
    let tarball = files.iter().find(|name| name.ends_with(".tar.gz")).unwrap();
    let unpacked = run(Command::new("tar").arg("-C").arg(&root).arg("-xzf").arg(out.join(tarball)));
    assert_eq!(unpacked.code, Some(0), "{unpacked:#?}");
    let folder = tarball.strip_suffix(".tar.gz").unwrap();
    let prefix = root.join(folder);
    for file in ["share/man/man1/monabs.1", "share/man/man1/monabs-check.1", "share/zsh/site-functions/_cseq"]
    {
        assert!(fs::metadata(prefix.join(file)).is_ok_and(|data| data.len() > 500), "{file}");
    }
    for file in ["bash-completion/completions/impara", "fish/vendor_completions.d/asyncc.fish"] {
        assert!(fs::metadata(prefix.join("share").join(file)).is_ok_and(|data| data.len() > 500), "{file}");
    }
    looks_beside_itself_only(&prefix.join("bin/monabs"));
    furnish(&root, &prefix);
    answers(&root, &format!("/{folder}/bin"));

    let Some(deb) = files.iter().find(|name| name.ends_with(".deb")) else {
        eprintln!("skipped: there is no dpkg-deb here");
        return;
    };
    let unpacked = run(Command::new("dpkg-deb").arg("-x").arg(out.join(deb)).arg(&root));
    assert_eq!(unpacked.code, Some(0), "{unpacked:#?}");
    answers(&root, "/usr/bin");
    let depends = run(Command::new("dpkg-deb").arg("-f").arg(out.join(deb)).arg("Depends")).stdout;
    assert!(depends.starts_with("libc6 (>= 2.") && depends.contains("libstdc++6 (>= "), "{depends}");
}

/// Paths of the machine that built a program are of no use elsewhere, and somebody else may put files there.
fn looks_beside_itself_only(program: &Path) {
    let section = run(Command::new("readelf").arg("-d").arg(program)).stdout;
    let path = section.split_once("[$ORIGIN").and_then(|(_, rest)| rest.lines().next()).unwrap();
    assert!(path.starts_with("/../lib/monabs/z3-") && !path.contains(':'), "{path}");
}

/// What a release build does for `cargo install`.
#[test]
fn the_library_is_placed_as_a_whole_or_not_at_all() {
    let scratch = tempfile::tempdir().unwrap();
    let (library, folder) =
        (scratch.path().join("libz3.so.1"), scratch.path().join("home").join(place::below_prefix("1")));
    fs::write(&library, "one").unwrap();
    place::place(&library, &folder).unwrap();
    assert_eq!(fs::read_to_string(folder.join("libz3.so.1")).unwrap(), "one");
    fs::write(&library, "two").unwrap();
    place::place(&library, &folder).unwrap();
    assert_eq!(fs::read_to_string(folder.join("libz3.so.1")).unwrap(), "two");
    assert_eq!(names(&folder), ["libz3.so.1"]);
    // A folder in its place cannot be replaced.
    fs::remove_file(folder.join("libz3.so.1")).unwrap();
    fs::create_dir(folder.join("libz3.so.1")).unwrap();
    assert!(place::place(&library, &folder).is_err());
    assert_eq!(names(&folder), ["libz3.so.1"]);
}
