//! The server's reconciliation, rendered for a terminal.

use core::fmt;

use meterhouse_api::report::{Reconciliation, ReconciliationLine};
use meterhouse_api::values::Amount;
use meterhouse_domain::money::Money;

/// A column of the table: its heading, and its amount of a line.
type Column = (&'static str, fn(&ReconciliationLine) -> Amount);

/// The amounts of a line in display order.
const COLUMNS: [Column; 7] = [
    ("opening", |line| line.opening),
    ("contributions", |line| line.contributions),
    ("house", |line| line.house),
    ("paid", |line| line.paid),
    ("adjustments", |line| line.adjustments),
    ("closing", |line| line.closing),
    ("pending", |line| line.pending),
];
/// Width of a column with amounts, in characters.
const AMOUNT_WIDTH: usize = 15;
/// Width of the column with the names of levels, in characters.
const NAME_WIDTH: usize = 10;

/// Returns `true` if every line of a reconciliation has a difference of 0.00. Without lines, returns `false`.
pub fn is_balanced(reconciliation: &Reconciliation) -> bool {
    let lines = &reconciliation.levels;
    !lines.is_empty() && lines.iter().all(|line| *line.difference == Money::ZERO)
}

/// Renders a reconciliation as a table. Each level has a line, which ends in `difference 0.00`.
pub fn render_reconciliation(reconciliation: &Reconciliation) -> String {
    Rendered(reconciliation).to_string()
}

/// A reconciliation, displayed as a table.
struct Rendered<'a>(&'a Reconciliation);

impl fmt::Display for Rendered<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "link {}\n{:NAME_WIDTH$}", self.0.link, "")?;
        for (heading, _) in COLUMNS {
            write!(out, "{heading:>AMOUNT_WIDTH$}")?;
        }
        for line in &self.0.levels {
            write!(out, "\n{:NAME_WIDTH$}", line.level.as_str())?;
            for (_, amount) in COLUMNS {
                write!(out, "{:>AMOUNT_WIDTH$}", amount(line).to_string())?;
            }
            write!(out, "  difference {}", line.difference)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_api::report::{Reconciliation, ReconciliationLine};

    use super::{is_balanced, render_reconciliation};

    fn reconciliation(lines: &[(&str, &str)]) -> Reconciliation {
        let amount = |text: &str| text.parse().expect("an amount");
        let line = |(level, difference): &(&str, &str)| ReconciliationLine {
            level: level.parse().expect("a name"),
            opening: amount("0.00"),
            contributions: amount("0.27"),
            house: amount("10000.00"),
            paid: amount("0.00"),
            adjustments: amount("0.00"),
            closing: amount("10000.27"),
            pending: amount("0.00"),
            difference: amount(difference),
        };
        Reconciliation {
            link: "main".parse().expect("a name"),
            from: None,
            to: None,
            from_batch: 0,
            to_batch: 1,
            balanced: true,
            levels: lines.iter().map(line).collect(),
        }
    }

    /// Each level has a line that ends with its difference.
    #[test]
    fn a_reconciliation_is_a_table() {
        let balanced = reconciliation(&[("mega", "0.00"), ("major", "0.00")]);
        let table = render_reconciliation(&balanced);
        let shown: Vec<&str> = table.lines().collect();
        let amounts = "0.00           0.27       10000.00           0.00           0.00       10000.27           0.00";
        assert_eq!(shown.len(), 4, "{table}");
        assert_eq!(shown[0], "link main");
        assert_eq!(
            shown[2],
            format!("mega                 {amounts}  difference 0.00")
        );
        assert_eq!(table.matches("difference 0.00").count(), 2, "{table}");
        assert!(is_balanced(&balanced));
        assert!(!is_balanced(&reconciliation(&[("mega", "0.01")])));
        assert!(!is_balanced(&reconciliation(&[])));
    }
}
