//! Program text as a tree, so that a program that is translated wrongly can be made smaller.
//!
//! The tree knows nothing about C but this: some parts can be left out (statements, declarations, cases, values of initialisers),
//! some contain parts that can stand in their place, and expressions can be replaced by a number or by an expression
//! inside of them. Whether the result is a program is for a compiler to say.
//! `@` in the text stands for a prefix that all names of file scope have: many programs go into one file for the compiler.

use std::fmt::Write;

/// What can be done with a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Group,
    /// It can be left out, or replaced by the blocks in it.
    Item,
    /// Statements that can stand in the place of the item around them.
    Block,
    /// An expression: its type, and the numbers it can be, if that is known.
    Expression(String, Option<(i128, i128)>),
}

/// A piece of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it is.
    Text(String),
    /// A part.
    Tree(Tree),
}

/// A part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// What can be done with it.
    pub kind: Kind,
    /// Text and parts, in order.
    pub pieces: Vec<Piece>,
}

impl From<&str> for Piece {
    fn from(text: &str) -> Piece {
        Piece::Text(text.to_owned())
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Piece {
        Piece::Text(text)
    }
}

impl From<Tree> for Piece {
    fn from(tree: Tree) -> Piece {
        Piece::Tree(tree)
    }
}

/// A part from texts and parts.
macro_rules! tree {
    ($($piece:expr),* $(,)?) => {
        $crate::random_c::tree::Tree::new($crate::random_c::tree::Kind::Group, vec![$($piece.into()),*])
    };
}

/// A part that can be left out, from texts and parts.
macro_rules! item {
    ($($piece:expr),* $(,)?) => {
        $crate::random_c::tree::Tree::new($crate::random_c::tree::Kind::Item, vec![$($piece.into()),*])
    };
}

pub(crate) use {item, tree};

impl Tree {
    /// A part.
    pub fn new(kind: Kind, pieces: Vec<Piece>) -> Tree {
        Tree { kind, pieces }
    }

    /// Statements in a row.
    pub fn block(statements: Vec<Tree>) -> Tree {
        Tree::new(Kind::Block, statements.into_iter().map(Piece::Tree).collect())
    }

    /// Parts in a row.
    pub fn group(parts: Vec<Tree>) -> Tree {
        Tree::new(Kind::Group, parts.into_iter().map(Piece::Tree).collect())
    }

    /// Text alone.
    pub fn text(text: impl Into<String>) -> Tree {
        Tree::new(Kind::Group, vec![Piece::Text(text.into())])
    }

    /// The text with `@` replaced by the prefix.
    pub fn print(&self, prefix: &str) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text.replace('@', prefix)
    }

    fn write(&self, text: &mut String) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Tree(tree) => tree.write(text),
            }
        }
    }

    /// The number of parts that something can be done with, in it and below.
    pub fn size(&self) -> usize {
        let inner: usize = self.children().map(Tree::size).sum();
        inner + usize::from(matches!(self.kind, Kind::Item | Kind::Expression(..)))
    }

    fn children(&self) -> impl Iterator<Item = &Tree> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Tree(tree) => Some(tree),
            Piece::Text(_) => None,
        })
    }

    /// Texts of one change each, roughly those that drop most first.
    pub fn simpler(&self) -> Vec<Tree> {
        let mut all = Vec::new();
        let mut places = Vec::new();
        self.places(&mut Vec::new(), &mut places);
        for place in &places {
            self.replacements(place, &mut all);
        }
        // The sort keeps the order of equals: outer parts before inner ones, earlier before later.
        all.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        all.into_iter().map(|(_, tree)| tree).collect()
    }

    /// Paths to all parts, outer ones first.
    fn places(&self, path: &mut Vec<usize>, places: &mut Vec<Vec<usize>>) {
        places.push(path.clone());
        for (index, piece) in self.pieces.iter().enumerate() {
            if let Piece::Tree(tree) = piece {
                path.push(index);
                tree.places(path, places);
                path.pop();
            }
        }
    }

    fn at(&self, path: &[usize]) -> Option<&Tree> {
        match path.split_first() {
            None => Some(self),
            Some((index, rest)) => match self.pieces.get(*index)? {
                Piece::Tree(tree) => tree.at(rest),
                Piece::Text(_) => None,
            },
        }
    }

    /// A copy in which the part at the path is another one.
    fn with(&self, path: &[usize], new: Tree) -> Tree {
        let Some((index, rest)) = path.split_first() else { return new };
        let mut copy = self.clone();
        if let Some(Piece::Tree(tree)) = copy.pieces.get_mut(*index) {
            *tree = tree.with(rest, new);
        }
        copy
    }

    /// What the part at the path can become, with how much smaller the tree gets.
    fn replacements(&self, path: &[usize], all: &mut Vec<(usize, Tree)>) {
        let Some(part) = self.at(path) else { return };
        let before = part.size();
        match &part.kind {
            Kind::Group | Kind::Block => self.without_halves(part, path, all),
            Kind::Item => {
                if before > 0 && !part.pieces.is_empty() {
                    all.push((before, self.with(path, Tree::group(Vec::new()))));
                }
                let mut blocks = Vec::new();
                part.blocks(&mut blocks);
                for block in blocks {
                    let block = Tree::new(Kind::Item, vec!["{ ".into(), block.clone().into(), "}\n".into()]);
                    if block.size() < before {
                        all.push((before - block.size(), self.with(path, block)));
                    }
                }
            }
            Kind::Expression(ty, range) => {
                if let Some(number) = range.map(|(low, high)| nearest(low, high))
                    && part.pieces != [Piece::Text(literal(ty, number))]
                {
                    let text = Piece::Text(literal(ty, number));
                    let kind = Kind::Expression(ty.clone(), Some((number, number)));
                    all.push((before - 1, self.with(path, Tree::new(kind, vec![text]))));
                }
                let mut inner = Vec::new();
                part.expressions(&mut inner);
                for candidate in inner {
                    let fits = match (&candidate.kind, range) {
                        (Kind::Expression(other, Some((low, high))), Some((least, most))) => {
                            other == ty && low >= least && high <= most
                        }
                        (Kind::Expression(other, None), None) => other == ty,
                        _ => false,
                    };
                    if fits && candidate.size() < before {
                        all.push((before - candidate.size(), self.with(path, candidate.clone())));
                    }
                }
            }
        }
    }

    /// Half of the items of a long list at once.
    fn without_halves(&self, part: &Tree, path: &[usize], all: &mut Vec<(usize, Tree)>) {
        let is_item = |piece: &Piece| matches!(piece, Piece::Tree(tree) if tree.kind == Kind::Item);
        let items: Vec<usize> =
            (0..part.pieces.len()).filter(|&index| is_item(&part.pieces[index])).collect();
        for size in [2, 4] {
            if items.len() < 2 * size {
                continue;
            }
            for chunk in items.chunks(items.len().div_ceil(size)) {
                let mut smaller = part.clone();
                chunk.iter().for_each(|&index| smaller.pieces[index] = Tree::group(Vec::new()).into());
                all.push((part.size() - smaller.size(), self.with(path, smaller)));
            }
        }
    }

    /// The outermost blocks below.
    fn blocks<'a>(&'a self, blocks: &mut Vec<&'a Tree>) {
        for tree in self.children() {
            if tree.kind == Kind::Block {
                blocks.push(tree);
            } else {
                tree.blocks(blocks);
            }
        }
    }

    /// All expressions below.
    fn expressions<'a>(&'a self, expressions: &mut Vec<&'a Tree>) {
        for tree in self.children() {
            if matches!(tree.kind, Kind::Expression(..)) {
                expressions.push(tree);
            }
            tree.expressions(expressions);
        }
    }
}

/// The number nearest to zero.
fn nearest(low: i128, high: i128) -> i128 {
    0.clamp(low, high)
}

/// A number as an expression of a type.
fn literal(ty: &str, number: i128) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = match (ty, i32::try_from(number)) {
        ("int", Ok(0..)) => write!(text, "{number}"),
        (_, Ok(i32::MIN)) => write!(text, "(({ty})(-2147483647 - 1))"),
        (_, Ok(_)) => write!(text, "(({ty}){number})"),
        _ if number == i128::from(i64::MIN) => write!(text, "(({ty})(-9223372036854775807LL - 1))"),
        _ if number > i128::from(i64::MAX) => write!(text, "(({ty}){number}ULL)"),
        _ => write!(text, "(({ty}){number}LL)"),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str, range: (i128, i128)) -> Tree {
        Tree::new(Kind::Expression("int".to_owned(), Some(range)), vec![text.into()])
    }

    #[test]
    fn names_get_the_prefix() {
        let tree = tree!["int @x = ", number("@y", (0, 9)), ";"];
        assert_eq!(tree.print("c7_"), "int c7_x = c7_y;");
        assert_eq!(tree.print(""), "int x = y;");
    }

    #[test]
    fn items_go_and_blocks_take_their_place() {
        let statement = item!["if (", number("c", (0, 1)), ") { ", Tree::block(vec![item!["x();\n"]]), "}\n"];
        let tree = Tree::block(vec![statement]);
        let texts: Vec<String> = tree.simpler().iter().map(|t| t.print("")).collect();
        assert!(texts.contains(&String::new()), "{texts:?}");
        assert!(texts.contains(&"{ x();\n}\n".to_owned()), "{texts:?}");
        assert!(texts.contains(&"if (0) { x();\n}\n".to_owned()), "{texts:?}");
        assert!(texts.contains(&"if (c) { }\n".to_owned()), "{texts:?}");
    }

    #[test]
    fn expressions_become_numbers_and_parts_of_themselves() {
        let inner = number("a", (3, 5));
        let other = number("b", (0, 99));
        let sum = Tree::new(
            Kind::Expression("int".to_owned(), Some((3, 104))),
            vec!["(".into(), inner.into(), " + ".into(), other.into(), ")".into()],
        );
        let texts: Vec<String> = sum.simpler().iter().map(|t| t.print("")).collect();
        assert!(texts.contains(&"3".to_owned()) && texts.contains(&"a".to_owned()), "{texts:?}");
        // The second operand may be smaller than the sum can be.
        assert!(!texts.contains(&"b".to_owned()), "{texts:?}");
    }

    #[test]
    fn shrinking_ends() {
        let mut tree = Tree::block(vec![item!["a"], item![number("1 + 1", (2, 2)), "b"], item!["c"]]);
        for _ in 0..20 {
            let Some(next) = tree.simpler().into_iter().next() else { break };
            tree = next;
        }
        assert!(tree.simpler().is_empty(), "{tree:?}");
    }
}
