//! What depends on where objects lie is any value, and the rest is exact.

use crate::lower::testing::outcome;
use crate::program::PropertyKind::{Assertion, Limit};

fn fails(body: &str) -> bool {
    let text = format!(
        "extern void __VERIFIER_assert(int); extern void *malloc(unsigned long); int x, y, a[4]; \
         int main(void) {{ unsigned long n = (unsigned long)&x; {body} return 0; }}"
    );
    outcome(&text).has(Assertion)
}

fn is_limited(body: &str) -> bool {
    let text = format!(
        "extern void *malloc(unsigned long); extern void free(void *); int x; \
         int main(void) {{ unsigned long n = (unsigned long)&x; {body} return 0; }}"
    );
    outcome(&text).has(Limit)
}

#[test]
fn numbers_of_addresses_are_any() {
    for condition in ["n % 3 == 1", "n > 5000", "(n >> 4 & 1) == 0"] {
        assert!(fails(&format!("__VERIFIER_assert({condition});")), "{condition}");
        assert!(fails(&format!("__VERIFIER_assert(!({condition}));")), "{condition}");
    }
}

#[test]
fn what_c_promises_about_addresses_holds() {
    for condition in ["n % 4 == 0", "&x != &y", "&a[1] < &a[3]", "&a[3] - &a[1] == 2", "&x != 0"] {
        assert!(!fails(&format!("__VERIFIER_assert({condition});")), "{condition}");
    }
}

/// The size of what is allocated may depend on an address, too.
#[test]
fn sizes_of_allocations_do_not_depend_on_our_addresses() {
    for size in ["1 + (n >> 4 & 1)", "2 - (n >> 4 & 1)"] {
        assert!(is_limited(&format!("char *p = malloc({size}); p[1] = 0;")), "{size}");
    }
    assert!(!is_limited("char *p = malloc(2); p[1] = 0;"));
}
