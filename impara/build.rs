//! Lets the program find libz3 without cargo: passes on what the build script of `smt` says.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(path) = std::env::var("DEP_SMT_RPATH") {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{path}");
    }
}
