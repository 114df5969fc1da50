//! The columns of large wins, a row for each player, and of last hits.

use meterhouse_api::hit::{Hit, Payout};
use meterhouse_api::hit_detail::{HitDetail, LastHits};
use meterhouse_api::large_win::{LargeWins, WinningPlayer};

use super::{Cells, Columns, cell, maybe};

/// The columns of large wins.
const LARGE_WINS: [&str; 26] = [
    "link",
    "from",
    "to",
    "threshold",
    "tax_threshold",
    "hit",
    "round",
    "table",
    "kind",
    "state",
    "hand",
    "level",
    "due",
    "envy_due",
    "keyed_by",
    "keyed_at",
    "decided_by",
    "decided_at",
    "note",
    "player",
    "seats",
    "amount",
    "paid",
    "large",
    "tax_form",
    "payments",
];

/// The columns of last hits.
const LAST_HITS: [&str; 17] = [
    "link",
    "archived",
    "hit",
    "round",
    "order",
    "table",
    "kind",
    "state",
    "hand",
    "level",
    "due",
    "envy_due",
    "keyed_by",
    "keyed_at",
    "decided_by",
    "decided_at",
    "note",
];

/// Returns the cells of a hit that both reports have.
fn of_hit(detail: &HitDetail) -> Cells {
    let Hit { summary, .. } = &detail.hit;
    vec![
        ("hit", cell(&summary.hit)),
        ("round", summary.round.clone()),
        ("table", cell(&summary.table)),
        ("kind", cell(&summary.kind)),
        ("state", cell(&summary.state)),
        ("hand", maybe(summary.hand.as_ref())),
        ("level", maybe(summary.level.as_ref())),
        ("due", cell(&summary.due)),
        ("envy_due", cell(&summary.envy_due)),
        ("keyed_by", maybe(detail.keyed_by.as_ref())),
        ("keyed_at", cell(&detail.keyed_at)),
        ("decided_by", maybe(detail.decided_by.as_ref())),
        ("decided_at", maybe(detail.decided_at.as_ref())),
        ("note", maybe(detail.note.as_ref())),
    ]
}

/// Returns `true` if a payout is part of what a hit pays to a player.
fn is_of(payout: &Payout, player: &WinningPlayer) -> bool {
    payout.player == player.player
        && (payout.player.is_some() || player.seats.contains(&payout.seat))
}

/// Returns each payment of a player with its document and the person who made it.
fn payments(detail: &HitDetail, player: &WinningPlayer) -> String {
    let own = detail
        .hit
        .payouts
        .iter()
        .filter(|payout| is_of(payout, player));
    let paid = own
        .filter_map(|payout| payout.payment.as_ref())
        .filter(|payment| payment.paid);
    let texts = paid.map(|payment| {
        let document = payment
            .document
            .as_ref()
            .map_or_else(|| "game over".to_owned(), cell);
        format!(
            "{document} by {}",
            payment.by.as_deref().unwrap_or_default()
        )
    });
    texts.collect::<Vec<_>>().join("; ")
}

impl Columns for LargeWins {
    const TITLE: &'static str = "LARGE WINS";
    const COLUMNS: &'static [&'static str] = &LARGE_WINS;

    fn whole(&self) -> Cells {
        vec![
            ("link", cell(&self.link)),
            ("from", maybe(self.from.as_ref())),
            ("to", maybe(self.to.as_ref())),
            ("threshold", cell(&self.threshold)),
            ("tax_threshold", cell(&self.tax_threshold)),
        ]
    }

    fn parts(&self) -> Vec<Cells> {
        let mut parts = Vec::new();
        for win in &self.wins {
            for player in &win.players {
                let seats: Vec<String> = player.seats.iter().map(cell).collect();
                let mut cells = of_hit(&win.hit);
                cells.extend([
                    ("player", maybe(player.player.as_ref())),
                    ("seats", seats.join(" ")),
                    ("amount", cell(&player.amount)),
                    ("paid", cell(&player.paid)),
                    ("large", cell(&player.large)),
                    ("tax_form", cell(&player.tax_form)),
                    ("payments", payments(&win.hit, player)),
                ]);
                parts.push(cells);
            }
        }
        parts
    }
}

impl Columns for LastHits {
    const TITLE: &'static str = "LAST HITS";
    const COLUMNS: &'static [&'static str] = &LAST_HITS;

    fn whole(&self) -> Cells {
        vec![("link", cell(&self.link))]
    }

    fn parts(&self) -> Vec<Cells> {
        let mut parts = Vec::new();
        for level in &self.levels {
            for hit in &level.hits {
                let mut cells = of_hit(hit);
                cells.extend([
                    ("archived", cell(&level.archived)),
                    ("order", cell(&hit.hit.summary.order)),
                ]);
                parts.push(cells);
            }
        }
        parts
    }
}
