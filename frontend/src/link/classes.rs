//! Which types of different files are the same type, and which names have to differ.
//!
//! Two declarations are the same type if their tokens are the same and the names in them mean the same. Types refer to each other in
//! circles, so that this is the coarsest such relation: all declarations with the same tokens start in one class, and classes are split
//! while names in them stand for different classes. What is taken for the same type therefore has the same layout and the same members. What is
//! not taken for the same type is told apart by its name; whether it is compatible is found out where declarations meet (`lower::declare::linkage`).

use super::survey::{Space, Spare, Survey};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What a name stands for at the file scope of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Meaning {
    /// What all files share: a function or variable with external linkage, a name that is declared elsewhere.
    Common,
    /// A class of types.
    Type(u32),
    /// A function or variable of this file alone, or a tag that could stand for several types.
    Own(usize),
}

/// The decision.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// For each file, names that have to become others.
    pub renamed: Vec<FxHashMap<(Space, String), String>>,
    /// For each file, the numbers of the declarations that an earlier file has, too.
    pub repeated: Vec<Vec<usize>>,
}

pub(super) struct Classes<'a, 'u> {
    files: &'a [Survey<'u>],
    /// Names of our models' types: those are the same in all files.
    ours: &'a FxHashSet<(Space, &'u str)>,
    /// Which declaration defines a name.
    defined: Vec<FxHashMap<(Space, &'u str), usize>>,
    /// The class of each declaration of each file.
    classes: Vec<Vec<u32>>,
}

impl<'a, 'u> Classes<'a, 'u> {
    pub(super) fn new(files: &'a [Survey<'u>], ours: &'a FxHashSet<(Space, &'u str)>) -> Classes<'a, 'u> {
        let mut defined = Vec::new();
        let mut texts: FxHashMap<&str, u32> = FxHashMap::default();
        let mut classes = Vec::new();
        let mut next = 0;
        for file in files {
            let mut names = FxHashMap::default();
            let mut own = Vec::new();
            for (index, declaration) in file.types.iter().enumerate() {
                for name in &declaration.defines {
                    names.entry(*name).or_insert(index);
                }
                next += 1;
                let is_unique = declaration.spare == Spare::Nothing;
                own.push(if is_unique { next } else { *texts.entry(&declaration.text).or_insert(next) });
            }
            defined.push(names);
            classes.push(own);
        }
        let mut found = Classes { files, ours, defined, classes };
        while found.split() {}
        found
    }

    /// What a name stands for in a file.
    fn meaning(&self, file: usize, name: (Space, &'u str)) -> Meaning {
        if self.ours.contains(&name) {
            return Meaning::Common;
        }
        if let Some(declaration) = self.defined[file].get(&name) {
            return Meaning::Type(self.classes[file][*declaration]);
        }
        match name.0 {
            Space::Ordinary if self.files[file].is_internal(name.1) => Meaning::Own(file),
            Space::Ordinary => Meaning::Common,
            Space::Tag => self.meaning_of_opaque_tag(file, name),
        }
    }

    /// A tag without a body here is that of the other files, if they agree.
    fn meaning_of_opaque_tag(&self, file: usize, name: (Space, &'u str)) -> Meaning {
        let places = self.defined.iter().zip(&self.classes);
        let mut found = places.filter_map(|(defined, classes)| Some(classes[*defined.get(&name)?]));
        match found.next() {
            None => Meaning::Common,
            Some(first) if found.all(|other| other == first) => Meaning::Type(first),
            Some(_) => Meaning::Own(file),
        }
    }

    /// Splits classes by what the names in their declarations stand for; whether there are more classes now.
    fn split(&mut self) -> bool {
        let mut known: FxHashMap<(u32, Vec<Meaning>), u32> = FxHashMap::default();
        let mut refined = Vec::new();
        for (index, file) in self.files.iter().enumerate() {
            let mut own = Vec::new();
            for (declaration, class) in file.types.iter().zip(&self.classes[index]) {
                let words = file.words_in(declaration.span).iter();
                let mentioned = words.map(|word| self.meaning(index, (word.space, word.name))).collect();
                let fresh = known.len() as u32;
                own.push(*known.entry((*class, mentioned)).or_insert(fresh));
            }
            refined.push(own);
        }
        let count = |classes: &[Vec<u32>]| classes.iter().flatten().collect::<FxHashSet<_>>().len();
        let has_grown = count(&refined) > count(&self.classes);
        self.classes = refined;
        has_grown
    }

    /// Names that stand for several things, and declarations that are there more than once.
    pub(super) fn plan(&self) -> Plan {
        let mut meanings: BTreeMap<(Space, &'u str), Vec<(usize, Meaning)>> = BTreeMap::new();
        for (index, file) in self.files.iter().enumerate() {
            let mut seen = FxHashSet::default();
            for word in &file.words {
                let name = (word.space, word.name);
                if seen.insert(name) {
                    meanings.entry(name).or_default().push((index, self.meaning(index, name)));
                }
            }
        }
        let mut renamed = vec![FxHashMap::default(); self.files.len()];
        let is_used = |space: Space, name: &str| meanings.contains_key(&(space, name));
        for (name, places) in &meanings {
            if places.iter().all(|(_, meaning)| *meaning == places[0].1) {
                continue;
            }
            for (index, meaning) in places.iter().filter(|(_, meaning)| *meaning != Meaning::Common) {
                let first =
                    places.iter().find(|(_, other)| other == meaning).map_or(*index, |(first, _)| *first);
                let mut fresh = format!("{}__{}", name.1, first + 1);
                while is_used(name.0, &fresh) {
                    fresh.push('_');
                }
                renamed[*index].insert((name.0, name.1.to_owned()), fresh);
            }
        }
        Plan { renamed, repeated: self.repeated() }
    }

    fn repeated(&self) -> Vec<Vec<usize>> {
        let mut earlier = FxHashSet::default();
        let mut repeated = Vec::new();
        for classes in &self.classes {
            let is_repeated = |(_, class): &(usize, &u32)| earlier.contains(*class);
            repeated.push(classes.iter().enumerate().filter(is_repeated).map(|(index, _)| index).collect());
            earlier.extend(classes.iter().copied());
        }
        repeated
    }
}
