//! Attributes that say nothing about values, and so are not shown to the parser.
//!
//! They advise optimisers, linkers and warnings, promise what the program does anyway, or choose how arguments are passed.
//! Others (`packed`, `aligned`, `mode`, `noreturn`, `cleanup`, ...) are kept, and so is what is not known here: translation either
//! knows what they mean or says that it does not.

use super::code::Code;

/// Names without the underscores that may be around them.
const HARMLESS: [&str; 130] = [
    "access",
    "acquire_capability",
    "acquired_after",
    "acquired_before",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "annotate",
    "artificial",
    "assert_capability",
    "assume_aligned",
    "availability",
    "bounded",
    "btf_decl_tag",
    "btf_type_tag",
    "capability",
    "cdecl",
    "cf_check",
    "cold",
    "common",
    "const",
    "counted_by",
    "deprecated",
    "designated_init",
    "diagnose_if",
    "disable_sanitizer_instrumentation",
    "dllexport",
    "dllimport",
    "enum_extensibility",
    "error",
    "exclusive_lock_function",
    "exclusive_locks_required",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flag_enum",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "guarded_by",
    "hot",
    "internal_linkage",
    "leaf",
    "likely",
    "lock_returned",
    "locks_excluded",
    "malloc",
    "may_alias",
    "maybe_unused",
    "minsize",
    "ms_abi",
    "musttail",
    "no_address_safety_analysis",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_coverage",
    "no_sanitize_memory",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "no_thread_safety_analysis",
    "nocf_check",
    "noclone",
    "nocommon",
    "nodebug",
    "noderef",
    "nodiscard",
    "noescape",
    "noinline",
    "noipa",
    "nomerge",
    "nonnull",
    "nonstring",
    "noplt",
    "nothrow",
    "null_terminated_string_arg",
    "optimize",
    "optnone",
    "patchable_function_entry",
    "pcs",
    "preserve_all",
    "preserve_most",
    "pt_guarded_by",
    "ptr_guarded_by",
    "pure",
    "regparm",
    "release_capability",
    "reproducible",
    "requires_capability",
    "retain",
    "returns_nonnull",
    "scoped_lockable",
    "section",
    "sentinel",
    "shared_lock_function",
    "shared_locks_required",
    "simd",
    "stack_protect",
    "stdcall",
    "strict_flex_array",
    "symver",
    "sysv_abi",
    "tainted_args",
    "target",
    "target_clones",
    "thiscall",
    "tls_model",
    "try_acquire_capability",
    "unavailable",
    "uninitialized",
    "unlikely",
    "unlock_function",
    "unsequenced",
    "unused",
    "used",
    "visibility",
    "warn_if_not_aligned",
    "warn_unused_result",
    "warning",
    "zero_call_used_regs",
];

/// Whether all attributes in the bracket that opens at `open` are harmless; also if there are none.
pub(super) fn harmless(code: &Code<'_>, open: usize) -> bool {
    let commas = code.commas(open);
    let starts = std::iter::once(open).chain(commas).map(|before| before + 1);
    // `gnu::unused`
    let name = |start: usize| {
        let is_prefixed = matches!(code.at(start), "gnu" | "__gnu__" | "clang") && code.at(start + 1) == ":";
        code.at(if is_prefixed { start + 3 } else { start })
    };
    let mut names = starts.map(name).filter(|name| !matches!(*name, "," | ")" | "]"));
    names.all(is_harmless)
}

/// Whether the attribute with this name changes nothing.
pub(crate) fn is_harmless(name: &str) -> bool {
    HARMLESS.binary_search(&plain(name)).is_ok()
}

/// An attribute's name without the underscores around it.
pub(crate) fn plain(name: &str) -> &str {
    name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lex;
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(HARMLESS.is_sorted());
    }

    #[test]
    fn attributes_that_matter_are_kept() {
        let judge = |text: &str| harmless(&Code::new(text, lex(text).tokens).unwrap(), 0);
        for text in ["()", "(unused)", "(__nothrow__, __leaf__)", "(format(printf, 1, 2), const,)"] {
            assert!(judge(text), "{text}");
        }
        for text in [
            "(packed)",
            "(unused, aligned(8))",
            "(__mode__(__DI__))",
            "(unheard_of)",
            "(noreturn)",
            "(ifunc(\"f\"))",
        ] {
            assert!(!judge(text), "{text}");
        }
    }
}
