//! What a rule means: from guards and effects to one transition.
//!
//! Write m(x) for the old and m'(x) for the new number of tokens. A rule says m'(v) = c(v) + the sum of m(w) over
//! the *sources* w of v, for every variable v; without an effect, c(v) = 0 and v is its own only source. The rule
//! is supported when every w is a source of at most one v, its *destination*: the tokens of w then stay (v = w),
//! move (v != w, a transfer rule) or vanish (no v, a transfer rule without a target).
//!
//! Let k(w) be at least the guard of w. The transition consumes k(w) tokens of every w, lets the others follow the
//! transfer rules, and produces p(v) = c(v) + sum of k(w) over the sources of v. So it needs m(w) >= k(w), and
//!
//! ```text
//! m'(v) = sum of (m(w) - k(w)) over the sources + p(v) = c(v) + sum of m(w) over the sources
//! ```
//!
//! as the rule demands: tokens that a guard takes out of a transfer are produced where the transfer would have
//! brought them. p(v) must not be negative. If it is with k = guards, and v has one source w, then m'(v) >= 0 needs
//! m(w) >= -c(v), which is what raising k(w) to -c(v) asks for. With several sources no single transition says
//! "their sum is at least -c(v)"; such a rule needs stronger guards. Every w has one destination, so it is raised
//! at most once.

use crate::diagnostics::{Diagnostic, Source};
use crate::system::{Local, Multiset, Transfer, Transition};
use std::ops::Range;

/// One variable on the right side of an effect.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) from: Local,
    /// The variable on the left side.
    pub(super) to: Local,
    pub(super) offset: usize,
}

/// One effect: the left side, the sum of the constants, and which of the rule's terms belong to it.
#[derive(Clone, Debug)]
pub(super) struct Effect {
    pub(super) variable: Local,
    pub(super) constant: i64,
    pub(super) terms: Range<usize>,
    pub(super) offset: usize,
}

/// A rule as written.
#[derive(Clone, Debug, Default)]
pub(super) struct Rule {
    /// The guards; of several for one variable, the largest counts.
    pub(super) guards: Vec<(Local, u32)>,
    pub(super) effects: Vec<Effect>,
    pub(super) terms: Vec<Term>,
}

impl Rule {
    /// The transition that does the same, or why there is none.
    pub(super) fn transition(
        mut self,
        source: Source<'_>,
        names: &[String],
    ) -> Result<Transition, Diagnostic> {
        self.effects.sort_unstable_by_key(|e| (e.variable, e.offset));
        let meaning = Meaning { rule: &self, source, names };
        meaning.check_effects()?;
        let transfers = meaning.transfers()?;
        let consume = meaning.consume()?;
        let produce = meaning.produce(&consume)?;
        Ok(Transition { from: 0, to: 0, consume, produce, transfers })
    }
}

/// A rule with its effects in the order of their variables, and what messages need.
struct Meaning<'a> {
    rule: &'a Rule,
    source: Source<'a>,
    names: &'a [String],
}

impl Meaning<'_> {
    fn name(&self, variable: Local) -> &str {
        self.names.get(variable as usize).map_or("?", String::as_str)
    }

    fn has_effect(&self, variable: Local) -> bool {
        self.rule.effects.binary_search_by_key(&variable, |e| e.variable).is_ok()
    }

    fn sources(&self, effect: &Effect) -> &[Term] {
        self.rule.terms.get(effect.terms.clone()).unwrap_or(&[])
    }

    fn check_effects(&self) -> Result<(), Diagnostic> {
        match self.rule.effects.windows(2).find(|pair| pair[0].variable == pair[1].variable) {
            Some(pair) => {
                let message = format!("a second effect for '{}' in one rule", self.name(pair[1].variable));
                Err(self.source.error(pair[1].offset, message))
            }
            None => Ok(()),
        }
    }

    /// The transfer rules; fails when a variable has two destinations, or twice the same.
    fn transfers(&self) -> Result<Vec<Transfer>, Diagnostic> {
        let mut terms = self.rule.terms.clone();
        terms.sort_unstable_by_key(|t| (t.from, t.offset));
        if let Some(pair) = terms.windows(2).find(|pair| pair[0].from == pair[1].from) {
            return Err(self.copied(pair[1], pair[0].to));
        }
        if let Some(&term) = terms.iter().find(|t| !self.has_effect(t.from)) {
            return Err(self.copied(term, term.from));
        }
        let rule = |effect: &Effect| {
            let from = effect.variable;
            let to = terms.binary_search_by_key(&from, |t| t.from).ok().map(|i| terms[i].to);
            (to != Some(from)).then(|| Transfer { from, to: to.into_iter().collect() })
        };
        Ok(self.rule.effects.iter().filter_map(rule).collect())
    }

    /// The message for a variable that is needed both in `term.to` and in `other`.
    fn copied(&self, term: Term, other: Local) -> Diagnostic {
        let (from, to) = (self.name(term.from), self.name(term.to));
        let message = if term.to == other {
            format!("'{from}' occurs twice in the effect of '{to}'; multiplication is not supported")
        } else if term.from == other && !self.has_effect(other) {
            format!(
                "copying '{from}' to '{to}' is not supported; to move all of it, add the effect \"{from}' = 0\""
            )
        } else {
            format!("'{from}' goes both to '{}' and to '{to}'; copying is not supported", self.name(other))
        };
        self.source.error(term.offset, message)
    }

    /// The k of the module's explanation.
    fn consume(&self) -> Result<Multiset, Diagnostic> {
        let mut consume = Multiset::new();
        for &(variable, count) in &self.rule.guards {
            raise(&mut consume, variable, count);
        }
        for effect in self.rule.effects.iter().filter(|e| e.constant < 0) {
            if self.balance(effect, &consume) >= 0 {
                continue;
            }
            let name = self.name(effect.variable);
            match self.sources(effect) {
                [] => {
                    return Err(self.source.error(effect.offset, format!("'{name}' would become negative")));
                }
                [term] => raise(&mut consume, term.from, self.count(effect, -effect.constant)?),
                _ => {
                    let message = format!(
                        "a sum of several variables minus a constant is not supported unless guards 'x >= k' ensure that '{name}' does not become negative"
                    );
                    return Err(self.source.error(effect.offset, message));
                }
            }
        }
        Ok(consume)
    }

    /// The p of the module's explanation.
    fn produce(&self, consume: &Multiset) -> Result<Multiset, Diagnostic> {
        let mut produce = Vec::new();
        for effect in &self.rule.effects {
            produce.push((effect.variable, self.count(effect, self.balance(effect, consume))?));
        }
        produce.extend(consume.pairs().iter().filter(|p| !self.has_effect(p.0)));
        produce.retain(|p| p.1 > 0);
        produce.sort_unstable();
        Ok(Multiset::from_sorted(produce))
    }

    /// The constant of an effect plus what is consumed of its sources.
    fn balance(&self, effect: &Effect, consume: &Multiset) -> i64 {
        let consumed = self.sources(effect).iter().map(|t| i64::from(consume.count(t.from)));
        consumed.fold(effect.constant, i64::saturating_add)
    }

    fn count(&self, effect: &Effect, number: i64) -> Result<u32, Diagnostic> {
        u32::try_from(number).map_err(|_| {
            let message =
                format!("number of tokens out of range in the effect of '{}'", self.name(effect.variable));
            self.source.error(effect.offset, message)
        })
    }
}

/// Makes sure that there are at least `count`.
fn raise(threads: &mut Multiset, variable: Local, count: u32) {
    threads.add(variable, count.saturating_sub(threads.count(variable)));
}
