//! Names of properties: by function, kind and number, in the order of the source. They do not depend on how the translation goes.

use crate::program::{Property, PropertyKind};
use std::collections::BTreeMap;

/// Names all properties, which have the name of their function so far.
pub(super) fn name_properties(properties: &mut [Property]) {
    properties.sort_by(|a, b| {
        let place = |p: &Property| (p.position.file, p.position.line, p.position.column, p.kind);
        place(a).cmp(&place(b)).then_with(|| a.description.cmp(&b.description))
    });
    let mut counts: BTreeMap<(String, PropertyKind), u32> = BTreeMap::new();
    for property in properties {
        let count = counts.entry((property.name.clone(), property.kind)).or_insert(0);
        *count += 1;
        property.name = format!("{}.{}.{count}", property.name, kind_name(property.kind));
    }
}

fn kind_name(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Assertion => "assertion",
        PropertyKind::ErrorFunction => "error",
        PropertyKind::ErrorLabel => "label",
        PropertyKind::Bounds => "bounds",
        PropertyKind::DivisionByZero => "division",
        PropertyKind::Mutex => "mutex",
        PropertyKind::SignedOverflow => "overflow",
        PropertyKind::Shift => "shift",
        PropertyKind::Pointer => "pointer",
        PropertyKind::DataRace => "race",
        PropertyKind::Deadlock => "deadlock",
        PropertyKind::Free => "free",
        PropertyKind::Leak => "leak",
        PropertyKind::Limit => "limit",
    }
}
