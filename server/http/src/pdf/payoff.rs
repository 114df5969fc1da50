//! The printed page of a payoff report.

use meterhouse_api::report::Payoff;

use super::sheet::Sheet;

/// Returns the pages of a payoff report.
pub(crate) fn payoff_sheet(report: &Payoff) -> Sheet {
    let mut sheet = Sheet::new(&format!("PAYOFF OF HIT {}", report.hit));
    sheet.space();
    sheet.field("link", &report.link.to_string());
    sheet.field("level", &report.level.to_string());
    let since = match &report.since_hit {
        Some(hit) => format!("{}, when hit {hit} took it", report.since),
        None => format!("{}, when the link opened", report.since),
    };
    sheet.field("since", &since);
    sheet.heading("Amount");
    sheet.field("opening", &report.opening.to_string());
    for table in &report.contributions {
        let wagers = format!("{} from {} wagers", table.amount, table.wagers);
        sheet.field(&format!("table {}", table.table), &wagers);
    }
    for entry in &report.entries {
        let hit = entry.hit.as_ref();
        let hit = hit.map_or_else(String::new, |hit| format!(" {hit}"));
        let (kind, at) = (entry.kind.name(), &entry.at);
        let value = format!("{} on {at}, batch {}{hit}", entry.amount, entry.position);
        sheet.field(kind, &value);
    }
    sheet.bold_field("before the hit", &report.before.to_string());
    sheet.field("displayed", &report.displayed.to_string());
    sheet.bold_field("DUE", &format!("$ {}", report.due));
    sheet.field("after the hit", &report.after.to_string());
    sheet.field("difference", &report.difference.to_string());
    sheet
}
