//! The server's reconciliation, rendered for a terminal.

use core::fmt;

use serde_json::Value;

use crate::amount;

/// The amounts of a line in display order: field and heading.
const COLUMNS: [(&str, &str); 7] = [
    ("opening", "opening"),
    ("contributions", "contributions"),
    ("house", "house"),
    ("paid", "paid"),
    ("adjustments", "adjustments"),
    ("closing", "closing"),
    ("pending", "pending"),
];
/// Width of a column with amounts, in characters.
const AMOUNT_WIDTH: usize = 15;
/// Width of the column with the names of levels, in characters.
const NAME_WIDTH: usize = 10;

/// Returns the lines of a reconciliation: one for each level, and one for pays that touch no meter.
pub(crate) fn lines(reconciliation: &Value) -> Option<&Vec<Value>> {
    reconciliation.get("levels")?.as_array()
}

/// Returns `true` if every line of a reconciliation has a difference of 0.00. Without lines, returns `false`.
pub fn is_balanced(reconciliation: &Value) -> bool {
    lines(reconciliation).is_some_and(|lines| {
        let is_zero = |line: &Value| amount::parse(&text(line, "difference")) == Some(0);
        !lines.is_empty() && lines.iter().all(is_zero)
    })
}

/// Renders a response of `GET /v1/links/{link}/reconciliation` as a table. Each level has a line, which ends in
/// `difference 0.00`.
pub fn render_reconciliation(reconciliation: &Value) -> String {
    Rendered(reconciliation).to_string()
}

/// A reconciliation, displayed as a table.
struct Rendered<'a>(&'a Value);

impl fmt::Display for Rendered<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "link {}\n{:NAME_WIDTH$}", text(self.0, "link"), "")?;
        for (_, heading) in COLUMNS {
            write!(out, "{heading:>AMOUNT_WIDTH$}")?;
        }
        for line in lines(self.0).into_iter().flatten() {
            write!(out, "\n{:NAME_WIDTH$}", text(line, "level"))?;
            for (field, _) in COLUMNS {
                write!(out, "{:>AMOUNT_WIDTH$}", text(line, field))?;
            }
            write!(out, "  difference {}", text(line, "difference"))?;
        }
        Ok(())
    }
}

fn text(value: &Value, field: &str) -> String {
    value
        .get(field)
        .and_then(Value::as_str)
        .unwrap_or("?")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{is_balanced, render_reconciliation};

    /// Each level has a line that ends with its difference.
    #[test]
    fn a_reconciliation_is_a_table() {
        let line = |name: &str, difference: &str| {
            json!({"level": name, "opening": "0.00", "contributions": "0.27", "house": "10000.00",
                   "paid": "0.00", "adjustments": "0.00", "closing": "10000.27", "pending": "0.00",
                   "difference": difference})
        };
        let balanced =
            json!({"link": "main", "levels": [line("mega", "0.00"), line("major", "0.00")]});
        let table = render_reconciliation(&balanced);
        assert_eq!(table.lines().count(), 4, "{table}");
        assert_eq!(table.matches("difference 0.00").count(), 2, "{table}");
        assert!(table.contains("10000.27"), "{table}");
        assert!(is_balanced(&balanced));
        assert!(!is_balanced(
            &json!({"link": "main", "levels": [line("mega", "0.01")]})
        ));
        assert!(!is_balanced(&json!({"link": "main", "levels": []})));
    }
}
