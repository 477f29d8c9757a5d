//! What the options mean for the library.

use crate::args::{EnvironmentArg, InputArgs, UndefinedArg};
use crate::failure::Result;
use frontend::lower;
use frontend::preprocess::{Environment, PreprocessOptions};
use frontend::translate::Source;
use frontend::types::DataModel;

fn data_model(args: &InputArgs) -> DataModel {
    if args.translation.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 }
}

/// The files of the program, each with what the preprocessor is told.
pub fn sources(args: &InputArgs) -> Result<Vec<Source>> {
    let given = preprocess(args);
    let mut sources: Vec<Source> =
        args.files.iter().map(|path| Source { path: path.clone(), options: given.clone() }).collect();
    if let Some(project) = &args.project.project {
        sources.extend(crate::project::sources(project, &args.project.only, &given)?);
    }
    Ok(sources)
}

/// For the preprocessor.
pub fn preprocess(args: &InputArgs) -> PreprocessOptions {
    PreprocessOptions {
        include_directories: args.preprocessor.include_directories.clone(),
        macros: args.preprocessor.macros.clone(),
        includes: args.preprocessor.include.clone(),
        environment: args.preprocessor.environment.map(environment),
        data_model: data_model(args),
        no_syntax_check: args.preprocessor.no_syntax_check,
        ..PreprocessOptions::default()
    }
}

fn environment(given: EnvironmentArg) -> Environment {
    match given {
        EnvironmentArg::Freebsd => Environment::Freebsd,
        EnvironmentArg::Netbsd => Environment::Netbsd,
        EnvironmentArg::Openbsd => Environment::Openbsd,
        EnvironmentArg::Linux => Environment::Linux,
        EnvironmentArg::Illumos => Environment::Illumos,
    }
}

/// For the translation.
pub fn translation(args: &InputArgs) -> lower::Options {
    let default = lower::Options::default();
    let (given, properties) = (&args.translation, &args.properties);
    lower::Options {
        data_model: data_model(args),
        function: given.function.clone().unwrap_or(default.function),
        atomic_statements: given.atomic_statements,
        unwind_recursion: given.unwind_recursion.unwrap_or(default.unwind_recursion),
        objects_per_site: given.objects_per_site.unwrap_or(default.objects_per_site),
        thread_identities: given.thread_identities.unwrap_or(default.thread_identities),
        max_operations: given.max_operations.unwrap_or(default.max_operations),
        copied_operations: default.copied_operations,
        undefined: given.undefined.map_or(default.undefined, undefined),
        error_labels: properties.error_label.clone(),
        bounds_check: !properties.no_bounds_check || properties.memory_safety_check,
        division_check: !properties.no_div_by_zero_check,
        mutex_check: !properties.no_mutex_check,
        overflow_check: properties.signed_overflow_check,
        shift_check: properties.shift_check,
        pointer_check: properties.pointer_check || properties.memory_safety_check,
        free_check: properties.memory_safety_check,
        leak_check: properties.memory_safety_check && !properties.no_leak_check,
        race_check: properties.data_race_check,
        deadlock_check: properties.deadlock_check,
        watch: default.watch,
    }
}

fn undefined(given: UndefinedArg) -> lower::Undefined {
    match given {
        UndefinedArg::Pure => lower::Undefined::Pure,
        UndefinedArg::Arguments => lower::Undefined::Arguments,
        UndefinedArg::All => lower::Undefined::All,
        UndefinedArg::Refuse => lower::Undefined::Refuse,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory as _, Parser};

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        input: InputArgs,
    }

    fn parse(options: &[&str]) -> InputArgs {
        let all = ["test", "x.c"].iter().chain(options);
        Cli::try_parse_from(all).unwrap().input
    }

    /// The help says the defaults of the library.
    #[test]
    fn defaults() {
        let default = lower::Options::default();
        let found = translation(&parse(&[]));
        assert_eq!(format!("{found:?}"), format!("{default:?}"));
        let help = Cli::command().render_long_help().to_string();
        for (option, value) in [
            ("--unwind-recursion", default.unwind_recursion.to_string()),
            ("--objects-per-site", default.objects_per_site.to_string()),
            ("--thread-identities", default.thread_identities.to_string()),
            ("--max-operations", default.max_operations.to_string()),
            ("--function", default.function),
        ] {
            let text = help.split(&format!("{option} <")).nth(1).unwrap();
            let text = text.split_once("(default: ").unwrap().1;
            assert_eq!(text.split_once(')').unwrap().0, value, "{option}");
        }
    }

    #[test]
    fn the_last_of_contradicting_checks_counts() {
        let check = |options: &[&str]| translation(&parse(options)).bounds_check;
        assert!(check(&["--bounds-check"]));
        assert!(!check(&["--no-bounds-check"]));
        assert!(check(&["--no-bounds-check", "--bounds-check"]));
        assert!(!check(&["--bounds-check", "--no-bounds-check"]));
    }
}
