//! Says where libz3 is, to `cargo test` and `cargo run`, and to executables that run without cargo.
//!
//! Search paths for the linker reach every dependent package, arguments of the linker do not. So the run path goes out
//! as metadata, `DEP_SMT_RPATH`, to the build scripts of packages that depend on this one directly; these pass it on
//! with `-Wl,-rpath`. For everything that cargo itself runs, documentation tests included, a link to the library in
//! the build directory is enough, because cargo puts that directory on the loader's path.
//!
//! Programs that are installed find a library of their own: see [`place`].

mod place;

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    if let Some(program) = program() {
        println!("cargo::rustc-env=SMT_Z3_PROGRAM={}", program.display());
    }
    // The configuration of cargo tells dependencies not to name it; see there.
    if env::var_os("CARGO_FEATURE_CADICAL").is_some() {
        println!("cargo::rustc-link-lib=stdc++");
    }
    if env::var_os("CARGO_FEATURE_Z3").is_none() {
        return;
    }
    if let Err(message) = announce() {
        println!("cargo::error={message}");
    }
}

fn announce() -> Result<(), String> {
    let directory = variable("Z3_LIBRARY_PATH_OVERRIDE").map_err(|_| {
        "Z3_LIBRARY_PATH_OVERRIDE is not set; please run cargo inside the repository".to_string()
    })?;
    let directory = fs::canonicalize(&directory)
        .map_err(|_| format!("there is no Z3 in {}; please run scripts/setup", directory.display()))?;
    println!("cargo::rerun-if-changed={}", directory.display());
    let build = variable("OUT_DIR")?;
    link_libraries(&directory, &build).map_err(|error| format!("{}: {error}", directory.display()))?;
    println!("cargo::rustc-link-search=native={}", build.display());
    let path = run_path(&directory)?.join(":");
    println!("cargo::metadata=rpath={path}");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{path}");
    Ok(())
}

/// The program z3 that came with the library.
fn program() -> Option<PathBuf> {
    let library = fs::canonicalize(env::var_os("Z3_LIBRARY_PATH_OVERRIDE")?).ok()?;
    Some(library.parent()?.join("bin/z3")).filter(|program| program.exists())
}

fn variable(name: &str) -> Result<PathBuf, String> {
    env::var_os(name).map(PathBuf::from).ok_or_else(|| format!("{name} is not set"))
}

/// Puts a link to each libz3 into the build directory.
fn link_libraries(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_string_lossy().starts_with("libz3.") {
            let link = to.join(&name);
            if fs::symlink_metadata(&link).is_ok() {
                fs::remove_file(&link)?;
            }
            std::os::unix::fs::symlink(entry.path(), link)?;
        }
    }
    Ok(())
}

/// Where the loader looks: beside an installed program, beside a checkout that was moved with its `target` directory, in the
/// place that outlives the checkout, and where the library is now.
fn run_path(directory: &Path) -> Result<Vec<String>, String> {
    let root = variable("CARGO_MANIFEST_DIR")?.parent().map(Path::to_owned).unwrap_or_default();
    let here = directory.display().to_string();
    let Ok(inside) = directory.strip_prefix(&root) else {
        // A library of the user's own stays where it is.
        return Ok(vec![here]);
    };
    let below = place::below_prefix(&variable("Z3_SYS_Z3_VERSION")?.to_string_lossy());
    let mut entries = vec![format!("$ORIGIN/../{}", below.display())];
    // From target/release and from target/release/deps.
    for up in ["$ORIGIN/../..", "$ORIGIN/../../.."] {
        entries.push(format!("{up}/{}", inside.display()));
    }
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        entries.extend(outlive(directory, &below));
    }
    entries.push(here);
    Ok(entries)
}

/// Places a copy of the library for installed programs. That this cannot be done matters to these only.
fn outlive(directory: &Path, below: &Path) -> Option<String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&env::var_os("HOME")?).join(".cargo")));
    let placed = home.ok_or_else(|| "neither CARGO_HOME nor HOME is set".to_owned()).and_then(|home| {
        let (folder, library) = (home.join(below), named(directory)?);
        place::place(&library, &folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        // Put it back if it is gone.
        println!("cargo::rerun-if-changed={}", folder.display());
        Ok(folder.display().to_string())
    });
    let warn =
        |why| println!("cargo::warning=installed programs will need libz3 of this source folder: {why}");
    placed.map_err(warn).ok()
}

/// The file of the library under the name that programs have for it, which has a version in it.
fn named(directory: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let is_named = |path: &&PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libz3.so."))
    };
    let file = files.iter().find(is_named).cloned();
    file.ok_or_else(|| format!("there is no libz3.so with a version in {}", directory.display()))
}
