//! Numbers of things in words.

/// A number of things: `1 thread`, `2 threads`.
pub fn plural(number: impl std::fmt::Display, thing: &str) -> String {
    match number.to_string().as_str() {
        "1" => format!("1 {thing}"),
        number => format!("{number} {thing}s"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_is_not_many() {
        assert_eq!(super::plural(1u8, "thread"), "1 thread");
        assert_eq!(super::plural(0usize, "thread"), "0 threads");
    }
}
