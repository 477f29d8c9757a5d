//! Objects come to life and end: locals, and what allocations make.

use super::Emitter;
use crate::lower::expand::{Step, Trust};
use crate::lower::graph::{ObjectId, RegisterId, Storage};
use crate::lower::layout::UNKNOWN_SIZE;
use crate::lower::memory::INDEX_WIDTH;
use crate::lower::sites::Site;
use crate::program::{Input, LocationId, Origin, PropertyKind, VariableId};
use crate::types::Leaf;
use smt::{Sort, Term, Value};
use std::collections::BTreeSet;

/// What an edge assigns, the values that it chooses, and what it assigns to passive threads.
#[derive(Default)]
struct Contents {
    assign: Vec<(VariableId, Term)>,
    inputs: Vec<Input>,
    others: Vec<(VariableId, Term)>,
}

/// What an allocation asks for.
pub(super) struct Request {
    pub register: RegisterId,
    pub size: Term,
    pub zeroed: bool,
    pub fallible: bool,
}

impl Emitter<'_, '_, '_> {
    /// A local comes to life: all its scalars at once, since nobody can have its address yet.
    pub(super) fn birth(&mut self, object: ObjectId, step: &Step, zero: bool, origin: Vec<Origin>) {
        let mut contents = Contents::default();
        let is_first = self.born_once.contains(&object);
        for (cell, about) in self.memory.layout(object).cells.clone().into_iter().enumerate() {
            // What each thread has of its own starts with zero (figure 14), and nobody has changed it before.
            if about.thread_local && is_first {
                continue;
            }
            let variable = self.memory.variable(object, cell);
            let sort = self.memory.variables.get(variable).data_type.sort();
            let zeros = Term::value(&Value::zero(sort));
            if about.thread_local && self.memory.is_shared(object) {
                contents.others.push((variable, zeros));
            }
            let new = self.fresh(sort, zero || about.thread_local, &mut contents.inputs);
            contents.assign.push((variable, new));
        }
        if self.memory.lifetimes.is_tracked(object) {
            contents.assign.push((self.memory.alive(object), Term::tru()));
        }
        self.contents_edge(step, Term::tru(), contents, origin);
    }

    /// The size of a local whose size is known from here on.
    pub(super) fn measure(&mut self, object: ObjectId, size: Term, step: &Step, origin: Vec<Origin>) {
        let mut contents = Contents::default();
        let size = self.term(size);
        if let Some(variable) = self.memory.size(object) {
            let most = Term::bv(self.code.pointer_width(), u128::from(UNKNOWN_SIZE));
            let fits = size.ule(most);
            self.limit(
                step,
                fits.not(),
                "an array of more than 1 MB whose size is not constant is not modelled",
            );
            contents.assign.push((variable, size));
            return self.contents_edge(step, fits, contents, origin);
        }
        self.contents_edge(step, Term::tru(), contents, origin);
    }

    /// Control leaves the block of a local.
    pub(super) fn death(&mut self, object: ObjectId, step: &Step, origin: Vec<Origin>) {
        let mut contents = Contents::default();
        if self.memory.lifetimes.is_tracked(object) {
            contents.assign.push((self.memory.alive(object), Term::fls()));
        }
        if self.memory.lifetimes.is_renewed(object) {
            let choice = self.input(Sort::Bool);
            contents.assign.push(self.memory.renew(object, choice.term()));
            contents.inputs.push(choice);
        }
        self.contents_edge(step, Term::tru(), contents, origin);
    }

    fn contents_edge(&mut self, step: &Step, guard: Term, contents: Contents, origin: Vec<Origin>) {
        if guard.is_false() {
            return;
        }
        let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
        self.push(from, to, guard, contents.assign, contents.inputs, origin).broadcast.assign =
            contents.others;
    }

    /// A new object of a site, any that is not in use.
    pub(super) fn allocate(&mut self, site: &Site, request: &Request, step: &Step, origin: Vec<Origin>) {
        let target = self.register(request.register);
        let size = self.term(request.size);
        let width = self.code.pointer_width();
        // No object is free, and at most one is, as far as was looked.
        let (mut all_used, mut few_free) = (Term::tru(), Term::tru());
        let mut count = 0;
        let mut fits = Term::tru();
        for &object in &site.objects {
            if self.memory.size(object).is_some() {
                fits = size.ule(Term::bv(width, u128::from(UNKNOWN_SIZE)));
            }
            for slot in 0..self.memory.layout(object).slots {
                count += 1;
                let mut contents = Contents::default();
                contents.assign.push((target, self.memory.slot_address(object, slot)));
                let mut guard = fits;
                let at = Term::bv(INDEX_WIDTH, u128::from(slot));
                if !site.once {
                    let used = self.memory.alive(object);
                    let flag = self.memory.of_slot(object, used, at);
                    // Records of threads are taken in order; which address an allocation gets is any.
                    guard = guard.and(if request.fallible { all_used.and(flag.not()) } else { flag.not() });
                    few_free = few_free.and(flag).or(all_used);
                    all_used = all_used.and(flag);
                } else {
                    all_used = Term::fls();
                }
                if !site.once || self.memory.lifetimes.is_freed(object) || self.code.options.leak_check {
                    let used = self.memory.alive(object);
                    contents.assign.push((used, self.memory.with_slot(object, used, at, Term::tru())));
                }
                if let Some(variable) = self.memory.size(object) {
                    contents.assign.push((variable, self.memory.with_slot(object, variable, at, size)));
                }
                // What is never given back is taken once.
                let is_first = site.once || !self.memory.lifetimes.is_freed(object);
                self.fresh_contents((object, slot), request.zeroed, is_first, &mut contents);
                self.contents_edge(step, guard, contents, origin.clone());
            }
        }
        self.limit(
            step,
            fits.not(),
            "an allocation of more than 1 MB whose size is not constant is not modelled",
        );
        if request.fallible {
            let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
            let null = vec![(target, Term::bv(width, 0))];
            self.edge(from, to, all_used.and(fits), null, Vec::new(), origin);
        } else {
            let is_freed = |object: &ObjectId| self.memory.lifetimes.is_freed(*object);
            let needs_spare = site.spare && site.objects.iter().any(is_freed);
            let count = count - u64::from(needs_spare);
            let full = if needs_spare { few_free } else { all_used };
            let message = format!(
                "more than {count} objects of this allocation are in use at once; raise --objects-per-site"
            );
            self.limit(step, full.and(fits), &message);
        }
    }

    /// What a new heap object holds. `first` says that there was none at its place before.
    fn fresh_contents(
        &mut self,
        (object, slot): (ObjectId, u64),
        zeroed: bool,
        first: bool,
        contents: &mut Contents,
    ) {
        let layout = self.memory.layout(object);
        let (slots, cells): (u64, Vec<Leaf>) = (layout.slots, layout.cells.clone());
        for (number, cell) in cells.into_iter().enumerate() {
            // Zero since the start of the program.
            if cell.thread_local && first {
                continue;
            }
            let variable = self.memory.variable(object, number);
            let sort = self.memory.variables.get(variable).data_type.sort();
            // What each thread has of its own starts with zero (figure 14).
            let zeroed = zeroed || cell.thread_local;
            let everywhere = cell.thread_local && self.memory.is_shared(object);
            let (mut whole, mut passive) =
                (self.memory.variables.term(variable), self.memory.variables.get(variable).passive_term());
            match sort.element() {
                Some(element) if slots > 1 => {
                    let inner = self.memory.layout(object).length(&cell) / slots;
                    for position in slot * inner..(slot + 1) * inner {
                        let new = self.fresh(element, zeroed, &mut contents.inputs);
                        let at = Term::bv(INDEX_WIDTH, u128::from(position));
                        whole = whole.store(at, new);
                        passive = passive.store(at, new);
                    }
                }
                _ => {
                    whole = self.fresh(sort, zeroed, &mut contents.inputs);
                    passive = whole;
                }
            }
            contents.assign.push((variable, whole));
            if everywhere {
                contents.others.push((variable, passive));
            }
        }
    }

    fn fresh(&mut self, sort: Sort, zeroed: bool, inputs: &mut Vec<Input>) -> Term {
        if zeroed {
            return Term::value(&Value::zero(sort));
        }
        let input = self.input(sort);
        inputs.push(input.clone());
        input.term()
    }

    /// The object that a pointer points to ends.
    pub(super) fn free(&mut self, pointer: Term, step: &Step, origin: Vec<Origin>) {
        let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
        let width = self.code.pointer_width();
        let value = self.term(pointer);
        let null = value.equals(Term::bv(width, 0));
        // Who joins a thread twice releases its record twice, without effect.
        let lenient = step.trust >= Trust::Numbers;
        self.edge(from, to, null, Vec::new(), Vec::new(), origin.clone());
        let mut none = null.not();
        let may_race = self.code.options.race_check && self.may_race(step);
        let targets: BTreeSet<ObjectId> =
            self.memory.points_to.of_term(pointer).iter().map(|(object, _)| object).collect();
        for object in targets {
            let about = &self.code.objects[object.index()];
            if !matches!(about.storage, Storage::Heap(_)) || (!about.freeable && !lenient) {
                continue;
            }
            let used = self.memory.alive(object);
            for slot in 0..self.memory.layout(object).slots {
                let mut here = value.equals(self.memory.slot_address(object, slot));
                none = none.and(here.not());
                let mut start = from;
                if may_race && self.memory.is_shared(object) && !here.is_false() {
                    start = self.branch(step, here);
                    here = Term::tru();
                    self.free_site(step, start, object, slot);
                }
                let at = Term::bv(INDEX_WIDTH, u128::from(slot));
                let flag = self.memory.of_slot(object, used, at);
                let assign = vec![(used, self.memory.with_slot(object, used, at, Term::fls()))];
                let flag = if lenient { Term::tru() } else { flag };
                self.edge(start, to, here.and(flag), assign, Vec::new(), origin.clone());
                let twice = here.and(flag.not());
                self.free_violation(step, start, twice, "memory is freed that was freed before");
            }
        }
        if lenient {
            return self.edge(from, to, none, Vec::new(), Vec::new(), origin);
        }
        self.free_violation(step, from, none, "a pointer is freed that no allocation returned");
    }

    pub(super) fn free_violation(&mut self, step: &Step, from: LocationId, condition: Term, what: &str) {
        if self.code.options.checks(PropertyKind::Free) {
            return self.violation_from(from, step, condition, PropertyKind::Free, what);
        }
        let limit = format!("{what}; --memory-safety-check makes this a violation");
        self.violation_from(from, step, condition, PropertyKind::Limit, &limit);
    }

    /// Objects that must not overlap. Objects that are not the same one do not.
    pub(super) fn apart(&mut self, ranges: [Term; 4], step: &Step, origin: Vec<Origin>) {
        let [target, written, source, read] = ranges;
        let objects = |term: Term| -> BTreeSet<ObjectId> {
            self.memory.points_to.of_term(term).iter().map(|(object, _)| object).collect()
        };
        let both: Vec<ObjectId> = objects(target).intersection(&objects(source)).copied().collect();
        let mut overlap = Term::fls();
        if !both.is_empty() {
            let none = Term::bv(written.width(), 0);
            let meet = source.bv_sub(target).ult(written).or(target.bv_sub(source).ult(read));
            overlap = self.term(meet.and(none.ult(written)).and(none.ult(read)));
            let inside = |s: &mut Self, term: Term, object: ObjectId| s.memory.points_into(term, object).0;
            let mut same = Term::fls();
            for object in both {
                same = same.or(inside(self, target, object).and(inside(self, source, object)));
            }
            overlap = overlap.and(self.term(same));
        }
        self.overlap(step, overlap);
        let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
        self.edge(from, to, overlap.not(), Vec::new(), Vec::new(), origin);
    }

    /// The pointer must not point to memory that was freed.
    pub(super) fn valid(&mut self, pointer: Term, step: &Step, origin: Vec<Origin>) {
        let targets: BTreeSet<ObjectId> =
            self.memory.points_to.of_term(pointer).iter().map(|(object, _)| object).collect();
        let mut dangling = Term::fls();
        for object in targets {
            if self.memory.lifetimes.is_freed(object) || self.memory.lifetimes.is_renewed(object) {
                dangling = dangling.or(self.memory.is_dangling(pointer, object));
            }
        }
        let dangling = self.term(dangling);
        let message = "a pointer to an object that is no more is compared with another one: where later objects lie is not modelled";
        self.limit(step, dangling, message);
        let (from, to) = (LocationId(step.from.0), LocationId(step.to.0));
        self.edge(from, to, dangling.not(), Vec::new(), Vec::new(), origin);
    }

    /// `main` stops, but the process goes on until the last thread stops: what is allocated then is not looked at.
    pub(super) fn left_behind(&mut self, step: &Step) {
        let is_main = self.expanded.root_of[step.from.index()] == 0;
        if self.code.options.leak_check && is_main && self.program.pool.is_some() && !self.sites.is_empty() {
            self.limit(
                step,
                Term::tru(),
                "memory that is not freed when the last thread stops is not looked for",
            );
        }
    }

    /// The process ends while memory is allocated.
    pub(super) fn leaks(&mut self, step: &Step, from: LocationId) {
        if !self.code.options.leak_check {
            return;
        }
        let objects: Vec<ObjectId> = self.sites.values().flat_map(|site| site.objects.clone()).collect();
        for object in objects {
            let about = &self.code.objects[object.index()];
            if about.model {
                continue;
            }
            let used = self.memory.alive(object);
            for slot in 0..self.memory.layout(object).slots {
                let flag = self.memory.of_slot(object, used, Term::bv(INDEX_WIDTH, u128::from(slot)));
                self.violation_from(
                    from,
                    step,
                    flag,
                    PropertyKind::Leak,
                    "memory is not freed when the program ends",
                );
            }
        }
    }
}
