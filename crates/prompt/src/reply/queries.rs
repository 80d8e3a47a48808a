//! What to look up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ParseError,
    words::{Cleaner, is_said},
};
use domain::{MOST_QUERIES, shortened};

/// Longest query in characters: what search engines take.
const LONGEST: usize = 300;

/// What a module wants to have looked up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "search_queries")]
pub struct QueriesReply {
    /// What to type into a search engine, each after something else.
    #[schemars(length(min = 1, max = 4), inner(length(max = 160)), extend("items_asked" = "3-4", "words" = "9-40"))]
    pub queries: Vec<String>,
}

impl QueriesReply {
    /// The queries, each once and on a line, four at most; none with a word in it is an error.
    pub fn into_queries(self) -> Result<Vec<String>, ParseError> {
        let queries = Cleaner::default().lines(&self.queries).into_iter();
        let said = queries.map(|query| shortened(&query, LONGEST)).filter(|query| is_said(&[query]));
        let queries: Vec<String> = said.take(MOST_QUERIES as usize).collect();
        if queries.is_empty() { Err(ParseError::Empty("queries")) } else { Ok(queries) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(queries: &[&str]) -> Result<Vec<String>, ParseError> {
        QueriesReply { queries: queries.iter().map(ToString::to_string).collect() }.into_queries()
    }

    #[test]
    fn queries_are_lines_each_once_and_four_at_most() {
        assert_eq!(read(&["rents\nLeipzig", " RENTS Leipzig", "", "…"]), Ok(vec!["rents Leipzig".into()]));
        assert_eq!(read(&["a", "b", "c", "d", "e"]).unwrap().len(), 4);
        let words: Vec<String> = (0..300).map(|n| format!("word{n}")).collect();
        assert!(read(&[&words.join(" ")]).unwrap()[0].chars().count() <= 300);
        assert_eq!(read(&["", "?"]), Err(ParseError::Empty("queries")));
    }
}
