//! The printed page of a slip.

use core::fmt::Display;

use meterhouse_api::slip::{PayoutSlip, Reprint};

use super::print::Print;
use super::sheet::Sheet;

/// What became of a payout after its slip was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// It waits for its payment.
    Nothing,
    /// It was paid: the time, the person and the document.
    Paid(String),
    /// Its hit was undone.
    Undone,
    /// Its hit's events are archived.
    Archived,
}

impl Since {
    fn mark(&self, sheet: &mut Sheet) {
        match self {
            Self::Nothing => {}
            Self::Paid(how) => {
                sheet.mark("PAID SINCE: NO PAYMENT");
                sheet.field("paid", how);
            }
            Self::Undone => sheet.mark("HIT UNDONE SINCE: NO PAYMENT"),
            Self::Archived => sheet.mark("ARCHIVED: LOOK WHETHER IT IS PAID"),
        }
    }
}

/// Returns the page of a slip.
pub(crate) fn slip_sheet(slip: &PayoutSlip, print: Print, since: &Since) -> Sheet {
    let mut sheet = Sheet::new(&format!("JACKPOT SLIP {}", slip.slip));
    match print {
        Print::Original => {}
        Print::Reprint(number) => {
            sheet.mark(&format!("REPRINT {number} OF SLIP {}", slip.slip));
            let reprint = slip.reprints.iter().find(|one| one.number == number);
            if let Some(reprint) = reprint {
                printed_by(&mut sheet, reprint);
            }
        }
        Print::Copy => sheet.mark(&format!("COPY OF SLIP {}: NO PAYMENT", slip.slip)),
    }
    if let Some(newer) = slip.replaced_by {
        sheet.mark(&format!("VOID: REPLACED BY SLIP {newer}"));
    }
    since.mark(&mut sheet);
    if let Some(older) = slip.replaces {
        sheet.field("replaces slip", &format!("{older}, which is void"));
    }
    sheet.space();
    sheet.bold_field("AMOUNT", &format!("$ {}", slip.amount));
    payout(&mut sheet, slip);
    hit(&mut sheet, slip);
    sheet.heading("Signatures");
    for who in ["player", "cage", "supervisor"] {
        sheet.signature(who);
    }
    sheet
}

fn printed_by(sheet: &mut Sheet, reprint: &Reprint) {
    sheet.field(
        "printed again",
        &format!("{} by {}", reprint.at, reprint.by),
    );
    sheet.field("reason", &reprint.reason);
}

fn payout(sheet: &mut Sheet, slip: &PayoutSlip) {
    sheet.field("slip made", &format!("{} by {}", slip.at, slip.made_by));
    let player = slip.player.as_ref();
    let player = player.map_or_else(|| "not named".to_owned(), ToString::to_string);
    sheet.field("seat", &slip.seat.to_string());
    sheet.field("player", &player);
    sheet.field(
        "payout",
        &format!("{} of hit {}, {}", slip.payout, slip.hit, slip.payout_kind),
    );
    sheet.field("charged to", &slip.charged_to.to_string());
}

fn hit(sheet: &mut Sheet, slip: &PayoutSlip) {
    sheet.heading("Hit");
    sheet.field("table", &slip.table.to_string());
    sheet.field(
        "hit",
        &format!("{}, number {} of its link", slip.hit, slip.order),
    );
    sheet.field("round", &slip.round);
    sheet.field("link", &slip.link.to_string());
    sheet.field("paytable", &slip.title);
    sheet.field("award", &award(slip));
    let cards = slip.cards.iter().flatten().map(ToString::to_string);
    let cards: Vec<String> = cards.collect();
    if !cards.is_empty() {
        sheet.field("cards", &cards.join(" "));
    }
    sheet.field("entered", &who(&slip.keyed_at, slip.keyed_by.as_deref()));
    let validated = match &slip.validated_at {
        Some(at) => who(at, slip.validated_by.as_deref()),
        None => "by rule".to_owned(),
    };
    sheet.field("validated", &validated);
}

/// Returns the award: hand, and the share of the level.
fn award(slip: &PayoutSlip) -> String {
    let hand = slip.hand.as_ref().map(ToString::to_string);
    let hand = hand.unwrap_or_else(|| slip.hit_kind.to_string());
    match (slip.percent, &slip.level) {
        (Some(percent), Some(level)) => format!("{hand}, {percent}% of {level}"),
        (None, Some(level)) => format!("{hand}, of {level}"),
        (_, None) => hand,
    }
}

fn who(at: &impl Display, by: Option<&str>) -> String {
    match by {
        Some(by) => format!("{at} by {by}"),
        None => at.to_string(),
    }
}
