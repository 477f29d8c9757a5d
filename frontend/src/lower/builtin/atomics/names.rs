//! The names of atomic functions.

/// How a read-modify-write changes the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}

/// What an atomic function does. "Through" variants take operands by pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atomic {
    Load,
    LoadThrough,
    /// `atomic_init`: a plain write, since nobody else knows the object yet.
    Init,
    Store,
    StoreThrough,
    Exchange,
    ExchangeThrough,
    /// Expected by pointer, desired by value; the flag says whether it may fail for no reason.
    Compare(bool),
    CompareThrough,
    /// `__sync_bool_compare_and_swap` (true) and `__sync_val_compare_and_swap`.
    Swap(bool),
    /// Returns the old value (true) or the new one.
    Update(Change, bool),
    TestAndSet,
    Clear,
    Fence,
    LockFree,
}

pub(super) fn change(name: &str) -> Option<Change> {
    Some(match name {
        "add" => Change::Add,
        "sub" => Change::Sub,
        "and" => Change::And,
        "or" => Change::Or,
        "xor" => Change::Xor,
        "nand" => Change::Nand,
        _ => return None,
    })
}

/// Recognises the name of an atomic function.
pub(super) fn classify(name: &str) -> Option<Atomic> {
    if let Some(sync) = name.strip_prefix("__sync_") {
        let sync = sync.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        return Some(match sync {
            "synchronize" => Atomic::Fence,
            "bool_compare_and_swap" => Atomic::Swap(true),
            "val_compare_and_swap" => Atomic::Swap(false),
            "lock_test_and_set" => Atomic::Exchange,
            "lock_release" => Atomic::Clear,
            other => match (other.strip_prefix("fetch_and_"), other.strip_suffix("_and_fetch")) {
                (Some(operator), _) => Atomic::Update(change(operator)?, true),
                (_, Some(operator)) => Atomic::Update(change(operator)?, false),
                _ => return None,
            },
        });
    }
    if let Some(gcc) = name.strip_prefix("__atomic_") {
        return Some(match gcc {
            "load_n" => Atomic::Load,
            "load" => Atomic::LoadThrough,
            "store_n" => Atomic::Store,
            "store" => Atomic::StoreThrough,
            "exchange_n" => Atomic::Exchange,
            "exchange" => Atomic::ExchangeThrough,
            "compare_exchange_n" => Atomic::Compare(false),
            "compare_exchange" => Atomic::CompareThrough,
            "test_and_set" => Atomic::TestAndSet,
            "clear" => Atomic::Clear,
            "thread_fence" | "signal_fence" => Atomic::Fence,
            "is_lock_free" | "always_lock_free" => Atomic::LockFree,
            other => match (other.strip_prefix("fetch_"), other.strip_suffix("_fetch")) {
                (Some(operator), _) => Atomic::Update(change(operator)?, true),
                (_, Some(operator)) => Atomic::Update(change(operator)?, false),
                _ => return None,
            },
        });
    }
    let c11 = name.strip_prefix("__c11_").unwrap_or(name).strip_prefix("atomic_")?;
    let c11 = c11.strip_suffix("_explicit").unwrap_or(c11);
    Some(match c11 {
        "load" => Atomic::Load,
        "store" => Atomic::Store,
        "init" => Atomic::Init,
        "exchange" => Atomic::Exchange,
        "compare_exchange_strong" => Atomic::Compare(false),
        "compare_exchange_weak" => Atomic::Compare(true),
        "flag_test_and_set" => Atomic::TestAndSet,
        "flag_clear" => Atomic::Clear,
        "thread_fence" | "signal_fence" => Atomic::Fence,
        "is_lock_free" => Atomic::LockFree,
        other => Atomic::Update(change(other.strip_prefix("fetch_")?)?, true),
    })
}

/// Which of its arguments ask for an order of memory accesses, by their number from the end; all orders are strong if there are none.
pub(super) fn orders(name: &str, atomic: Atomic) -> usize {
    let has_orders =
        name.starts_with("__atomic_") || name.starts_with("__c11_") || name.ends_with("_explicit");
    match atomic {
        _ if !has_orders || name.ends_with("_init") => 0,
        Atomic::Compare(_) | Atomic::CompareThrough => 2,
        _ => 1,
    }
}
