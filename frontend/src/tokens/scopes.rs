//! Which names are types where. C cannot be read without knowing.

use rustc_hash::FxHashMap;

/// Names in nested blocks.
#[derive(Debug)]
pub(super) struct Scopes<'t> {
    /// Whether a name is a type, innermost block last.
    names: Vec<FxHashMap<&'t str, bool>>,
    /// Labels that are local to a block, with the name that they have in the function.
    labels: Vec<FxHashMap<&'t str, String>>,
}

impl<'t> Scopes<'t> {
    pub(super) fn new() -> Scopes<'t> {
        let built_in = FxHashMap::from_iter([("__builtin_va_list", true)]);
        Scopes { names: vec![built_in], labels: Vec::new() }
    }

    pub(super) fn enter(&mut self) {
        self.names.push(FxHashMap::default());
        self.labels.push(FxHashMap::default());
    }

    pub(super) fn leave(&mut self) {
        self.names.pop();
        self.labels.pop();
    }

    pub(super) fn declare(&mut self, name: &'t str, is_type: bool) {
        if let Some(innermost) = self.names.last_mut() {
            innermost.insert(name, is_type);
        }
    }

    pub(super) fn is_type(&self, name: &str) -> bool {
        self.names.iter().rev().find_map(|scope| scope.get(name).copied()).unwrap_or(false)
    }

    pub(super) fn declare_label(&mut self, label: &'t str, name: String) {
        if let Some(innermost) = self.labels.last_mut() {
            innermost.insert(label, name);
        }
    }

    /// The name of a label that is local to a block.
    pub(super) fn label(&self, label: &str) -> Option<&str> {
        self.labels.iter().rev().find_map(|scope| scope.get(label).map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_names_hide_outer_ones() {
        let mut scopes = Scopes::new();
        scopes.declare("T", true);
        scopes.enter();
        assert!(scopes.is_type("T") && !scopes.is_type("x"));
        scopes.declare("T", false);
        scopes.declare_label("l", "l_1".to_owned());
        scopes.enter();
        assert!(!scopes.is_type("T"));
        assert_eq!((scopes.label("l"), scopes.label("m")), (Some("l_1"), None));
        scopes.leave();
        scopes.leave();
        assert!(scopes.is_type("T") && scopes.label("l").is_none());
        scopes.leave();
        scopes.leave();
        assert!(!scopes.is_type("T"), "too many ends are harmless");
    }
}
