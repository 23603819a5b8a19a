//! The words of a question.

use crate::Query;
use clap::error::ErrorKind;
use std::ffi::OsString;

/// Words that are no question.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadWords {
    /// What the parser of the command line says, on one line.
    #[error("{0}")]
    Usage(String),
    #[error("{0} is for the command itself, not for one of its queries")]
    CommandOnly(&'static str),
    #[error("a quotation mark is not closed in '{0}'")]
    OpenQuote(String),
}

/// Reads the words of one question.
pub fn read<Q: Query, W: Into<OsString> + Clone>(words: impl IntoIterator<Item = W>) -> Result<Q, BadWords> {
    let query = Q::try_parse_from(words).map_err(|e| match e.kind() {
        ErrorKind::DisplayHelp => BadWords::CommandOnly("--help"),
        _ => BadWords::Usage(usage(&e)),
    })?;
    match query.command_only() {
        Some(flag) => Err(BadWords::CommandOnly(flag)),
        None => Ok(query),
    }
}

/// What clap says in its first paragraph, with the name that it thinks was meant, on one line.
#[must_use]
pub fn usage(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut lines = text.lines().map(str::trim);
    let first: Vec<&str> = lines.by_ref().take_while(|l| !l.is_empty()).collect();
    let similar = lines.find_map(|l| l.strip_prefix("tip: ").filter(|tip| tip.contains("similar")));
    let mut message = first.join(" ").trim_start_matches("error: ").to_string();
    if let Some(tip) = similar {
        message += &format!("; {tip}");
    }
    one_line(&message)
}

/// The text with a space for every control character: what a message quotes may hold any.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The words of a line, separated by spaces; quotation marks keep spaces inside a word.
pub fn split_line(line: &str) -> Result<Vec<OsString>, BadWords> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take().map(OsString::from)),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word.map(OsString::from));
    if quoted { Err(BadWords::OpenQuote(line.trim().into())) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_keep_spaces() {
        let split =
            |line| split_line(line).map(|w| w.into_iter().map(|w| w.into_string().unwrap()).collect());
        assert_eq!(split(" a  \"b c\"d \"\"\r\n"), Ok(vec!["a".to_string(), "b cd".into(), "".into()]));
        assert_eq!(split(""), Ok(vec![]));
        assert_eq!(split("a \"b"), Err(BadWords::OpenQuote("a \"b".into())));
    }
}
