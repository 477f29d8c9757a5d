//! What the options mean for the library.

use super::args::{MainArgs, PropertyArgs, ReductionArgs};
use frontend::preprocess::PreprocessOptions;
use frontend::types::DataModel;
use frontend::{lower, reduce};

fn data_model(args: &MainArgs) -> DataModel {
    if args.translation.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 }
}

/// For the preprocessor.
pub(super) fn preprocess(args: &MainArgs) -> PreprocessOptions {
    PreprocessOptions {
        include_directories: args.preprocessor.include_directories.clone(),
        macros: args.preprocessor.macros.clone(),
        includes: args.preprocessor.include.clone(),
        data_model: data_model(args),
        ..PreprocessOptions::default()
    }
}

/// For the translation.
pub(super) fn translation(args: &MainArgs) -> lower::Options {
    let default = lower::Options::default();
    let (given, properties): (_, &PropertyArgs) = (&args.translation, &args.properties);
    lower::Options {
        data_model: data_model(args),
        function: given.function.clone().unwrap_or(default.function),
        atomic_statements: given.atomic_statements,
        unwind_recursion: given.unwind_recursion.unwrap_or(default.unwind_recursion),
        objects_per_site: given.objects_per_site.unwrap_or(default.objects_per_site),
        thread_identities: given.thread_identities.unwrap_or(default.thread_identities),
        max_operations: given.max_operations.unwrap_or(default.max_operations),
        error_labels: properties.error_label.clone(),
        bounds_check: !properties.no_bounds_check,
        division_check: !properties.no_div_by_zero_check,
        mutex_check: !properties.no_mutex_check,
        overflow_check: properties.signed_overflow_check,
        shift_check: properties.shift_check,
        pointer_check: properties.pointer_check,
        race_check: properties.data_race_check,
    }
}

/// For making the program smaller. Properties have been selected before.
pub(super) fn reduction(args: &ReductionArgs, is_reduced: bool) -> reduce::Options {
    let reduces = is_reduced && !args.no_reductions;
    reduce::Options {
        constants: reduces && !args.no_constants,
        slice: reduces && !args.no_slice,
        merge: reduces && !args.no_merge,
        ..reduce::Options::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::args::Cli;
    use super::*;
    use clap::{CommandFactory as _, Parser as _};

    fn parse(options: &[&str]) -> MainArgs {
        let all = ["asyncc", "x.c"].iter().chain(options);
        Cli::try_parse_from(all).unwrap().main
    }

    /// The help says the defaults of the library.
    #[test]
    fn defaults() {
        let default = lower::Options::default();
        let found = translation(&parse(&[]));
        assert_eq!(format!("{found:?}"), format!("{default:?}"));
        let help = Cli::command().render_long_help().to_string();
        let explore = frontend::program::interpret::ExploreOptions::default();
        for (option, value) in [
            ("--unwind-recursion", default.unwind_recursion.to_string()),
            ("--objects-per-site", default.objects_per_site.to_string()),
            ("--thread-identities", default.thread_identities.to_string()),
            ("--max-operations", default.max_operations.to_string()),
            ("--function", default.function),
            ("--max-states", explore.limits.states.to_string()),
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

    #[test]
    fn reductions_are_switched_off() {
        let all = |options: &[&str]| reduction(&parse(options).reductions, true);
        assert_eq!(all(&[]), reduce::Options::default());
        assert_eq!(all(&["--no-reductions"]), reduce::Options::minimal());
        assert_eq!(all(&["--no-merge"]), reduce::Options { merge: false, ..reduce::Options::default() });
        assert_eq!(reduction(&parse(&[]).reductions, false), reduce::Options::minimal());
    }
}
