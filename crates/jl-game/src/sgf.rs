//! Game records as trees of properties: the SGF format, without any game in it.
//!
//! A parser of our own, since the crates at hand read Go. `sgf-parse` (4.2) is the best kept one, but takes a record
//! without `GM` for Go and its moves for Go's, splits properties into some seventy types that Connect6 doesn't have,
//! and says neither where a file is wrong nor what was expected. Here a property is a name and its values as text,
//! and what they mean is the business of the game.
//!
//! [`Tree`] is the principal type. It is flat, a vector of nodes that know their children, so that neither a very
//! long nor a very deep file can overflow the stack.
//!
//! Read as the standard (FF\[4\]) says, with two liberties: lower-case letters in a property's name are dropped, as
//! FF\[3\] did (`White` is `W`), and white space may be anywhere between the parts. Values are kept unescaped; an
//! escaped colon is therefore the same as a plain one.
//!
//! ```
//! use jl_game::sgf;
//! let trees = sgf::parse("(;GM[511]C[a \\] b];B[JJ](;W[JH])(;W[MK]))").unwrap();
//! let main: Vec<_> = trees[0].main_line().map(|node| node.properties[0].name.as_str()).collect();
//! assert_eq!(main, ["GM", "B", "W"]);
//! assert_eq!(trees[0].to_string(), "(;GM[511]C[a \\] b];B[JJ](;W[JH])(;W[MK]))");
//! ```

use std::fmt::{self, Write};

/// One game: nodes in the order of the file, so that parents come before children and the root first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// One position of a record, or what is said about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    pub properties: Vec<Property>,
    /// Places in the tree; the first one continues the main line.
    children: Vec<usize>,
}

/// A name in capitals and its values, unescaped.
#[derive(Clone, Eq, Debug)]
pub struct Property {
    pub name: String,
    pub values: Vec<String>,
    /// The byte of the file at which the name starts; 0 if it wasn't read. Without meaning for equality.
    pub offset: usize,
}

impl Property {
    #[must_use]
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Property {
        Property { name: name.into(), values: vec![value.into()], offset: 0 }
    }
}

impl PartialEq for Property {
    fn eq(&self, other: &Property) -> bool {
        (&self.name, &self.values) == (&other.name, &other.values)
    }
}

/// Where in a text something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// In bytes from the start, from 0.
    pub offset: usize,
    /// From 1.
    pub line: usize,
}

impl Place {
    #[must_use]
    pub fn of(text: &str, offset: usize) -> Place {
        let before = &text.as_bytes()[..offset.min(text.len())];
        Place { offset, line: 1 + before.iter().filter(|&&b| b == b'\n').count() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, byte {}", self.line, self.offset)
    }
}

/// The text is no record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: expected {expected}, found {}", found.map_or("the end".into(), |c| format!("{c:?}")))]
pub struct SgfError {
    pub place: Place,
    pub expected: &'static str,
    /// `None` at the end of the text.
    pub found: Option<char>,
}

impl SgfError {
    /// Something else than `expected` stands at `offset` of `text`.
    #[must_use]
    pub fn at(text: &str, offset: usize, expected: &'static str) -> SgfError {
        let found = text.get(offset..).and_then(|rest| rest.chars().next());
        SgfError { place: Place::of(text, offset), expected, found }
    }
}

impl Tree {
    /// A tree with nothing but a root.
    #[must_use]
    pub fn new(root: Vec<Property>) -> Tree {
        Tree { nodes: vec![Node { properties: root, children: Vec::new() }] }
    }

    /// Adds a node below `parent` and gives its place. Panics if there is no such parent.
    pub fn add(&mut self, parent: usize, properties: Vec<Property>) -> usize {
        let place = self.nodes.len();
        self.nodes[parent].children.push(place);
        self.nodes.push(Node { properties, children: Vec::new() });
        place
    }

    /// Every node, the root first and parents before children.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    #[must_use]
    pub fn children(&self, place: usize) -> &[usize] {
        &self.nodes[place].children
    }

    /// The root, its first child, and so on to the end.
    pub fn main_line(&self) -> impl Iterator<Item = &Node> {
        std::iter::successors(self.nodes.first(), |node| node.children.first().map(|&c| &self.nodes[c]))
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Step {
            Node(usize),
            Variation(usize),
            Close,
        }
        let mut rest = vec![Step::Variation(0)];
        while let Some(step) = rest.pop() {
            match step {
                Step::Close => f.write_char(')')?,
                Step::Variation(place) => {
                    f.write_char('(')?;
                    rest.extend([Step::Close, Step::Node(place)]);
                }
                Step::Node(place) => {
                    let node = &self.nodes[place];
                    f.write_char(';')?;
                    node.properties.iter().try_for_each(|p| write!(f, "{p}"))?;
                    match node.children[..] {
                        [only] => rest.push(Step::Node(only)),
                        ref several => rest.extend(several.iter().rev().map(|&c| Step::Variation(c))),
                    }
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for value in &self.values {
            f.write_char('[')?;
            for c in value.chars() {
                if matches!(c, ']' | '\\') {
                    f.write_char('\\')?;
                }
                f.write_char(c)?;
            }
            f.write_char(']')?;
        }
        Ok(())
    }
}

/// Reads the games of a file, one or more.
pub fn parse(text: &str) -> Result<Vec<Tree>, SgfError> {
    let mut reader = Reader { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
    let mut trees = Vec::new();
    loop {
        reader.skip_white();
        match reader.peek() {
            Some('(') => trees.push(reader.tree()?),
            None if !trees.is_empty() => return Ok(trees),
            _ => return Err(reader.error("a game, which starts with '('")),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn tree(&mut self) -> Result<Tree, SgfError> {
        let mut tree = Tree { nodes: Vec::new() };
        // For each open parenthesis, the node that its first node is a child of.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut last: Option<usize> = None;
        loop {
            // A variation starts with a node.
            self.take('(', "'('")?;
            open.push(last);
            loop {
                self.take(';', "a node, which starts with ';'")?;
                let properties = self.properties()?;
                last = Some(match last {
                    Some(parent) => tree.add(parent, properties),
                    None => {
                        tree = Tree::new(properties);
                        0
                    }
                });
                if self.peek() != Some(';') {
                    break;
                }
            }
            // After its nodes, variations or the end; after a variation, no nodes.
            let mut expected = "a property, ';', '(' or ')'";
            while self.peek() == Some(')') {
                self.at += 1;
                last = open.pop().expect("one was opened");
                if open.is_empty() {
                    return Ok(tree);
                }
                self.skip_white();
                expected = "'(' or ')' after a variation";
            }
            if self.peek() != Some('(') {
                return Err(self.error(expected));
            }
        }
    }

    fn properties(&mut self) -> Result<Vec<Property>, SgfError> {
        let mut properties = Vec::new();
        while self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
            let offset = self.at;
            let letters = self.text[offset..].bytes().take_while(u8::is_ascii_alphanumeric).count();
            let name: String = self.text[offset..][..letters].replace(|c: char| c.is_ascii_lowercase(), "");
            if name.is_empty() {
                return Err(self.error("a property's name in capitals"));
            }
            self.at += letters;
            self.skip_white();
            let mut values = Vec::new();
            while values.is_empty() || self.peek() == Some('[') {
                self.take('[', "a property's value, which starts with '['")?;
                values.push(self.value()?);
            }
            properties.push(Property { name, values, offset });
        }
        Ok(properties)
    }

    /// The rest of a value, and the white space after it.
    fn value(&mut self) -> Result<String, SgfError> {
        let mut value = String::new();
        loop {
            match self.next() {
                None => return Err(self.error("']' at the end of a value")),
                Some(']') => break,
                Some('\\') => match self.next() {
                    // An escaped line break is none.
                    Some('\r') if self.peek() == Some('\n') => self.at += 1,
                    Some('\r' | '\n') => (),
                    Some(c) => value.push(c),
                    None => return Err(self.error("']' at the end of a value")),
                },
                Some(c) => value.push(c),
            }
        }
        self.skip_white();
        Ok(value)
    }

    fn take(&mut self, wanted: char, expected: &'static str) -> Result<(), SgfError> {
        if self.peek() != Some(wanted) {
            return Err(self.error(expected));
        }
        self.at += wanted.len_utf8();
        // Within a value, white space is text.
        if wanted != '[' {
            self.skip_white();
        }
        Ok(())
    }

    fn skip_white(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn error(&self, expected: &'static str) -> SgfError {
        SgfError::at(self.text, self.at, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_read_as_they_are_written() {
        for text in [
            "(;)",
            "(;;;B[JJ])",
            "(;C[])",
            "(;AB[aa][bb]C[\\]\\\\ ü\n];B[JJ](;W[JH];B[KK])(;W[MK](;B[AA])(;B[BB])))",
            "(;A[1](;B[2](;C[3]))(;D[4]))",
        ] {
            let trees = parse(text).expect(text);
            assert_eq!(parse(&trees[0].to_string()), Ok(trees), "{text}");
        }
    }

    #[test]
    fn white_space_old_names_and_escapes_are_understood() {
        let trees = parse("\u{feff}\n ( ; White\n [JH] [ x\\\ny\\:\\a\\]] )\r\n(;B[])").unwrap();
        let property = &trees[0].nodes()[0].properties[0];
        assert_eq!((property.name.as_str(), property.offset), ("W", 9));
        assert_eq!(property.values, ["JH", " xy:a]"]);
        assert_eq!(trees.len(), 2);
    }

    #[test]
    fn errors_say_where_and_what() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(error(""), "line 1, byte 0: expected a game, which starts with '(', found the end");
        assert_eq!(error("(;B[a])x"), "line 1, byte 7: expected a game, which starts with '(', found 'x'");
        assert_eq!(error("()"), "line 1, byte 1: expected a node, which starts with ';', found ')'");
        assert_eq!(
            error("(;\nB)"),
            "line 2, byte 4: expected a property's value, which starts with '[', found ')'"
        );
        assert_eq!(error("(;b[JJ])"), "line 1, byte 2: expected a property's name in capitals, found 'b'");
        assert_eq!(error("(;B[JJ"), "line 1, byte 6: expected ']' at the end of a value, found the end");
        assert_eq!(error("(;B[JJ]"), "line 1, byte 7: expected a property, ';', '(' or ')', found the end");
        assert_eq!(
            error("(;B[J](;W[K]);B[L])"),
            "line 1, byte 13: expected '(' or ')' after a variation, found ';'"
        );
    }

    #[test]
    fn depth_does_not_overflow() {
        let text = "(;".repeat(200_000) + &")".repeat(200_000);
        let trees = parse(&text).unwrap();
        assert_eq!(trees[0].main_line().count(), 200_000);
        assert_eq!(trees[0].to_string().len(), 200_002);
    }
}
