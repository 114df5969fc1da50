//! A hit as people see it.

use meterhouse_domain::card::Card;
use meterhouse_domain::event::Payout;
use meterhouse_domain::hand::{Hand, evaluate};
use meterhouse_domain::link::LinkTerms;
use meterhouse_edge::hit;
use meterhouse_edge::value;
use meterhouse_engine::view::{HitCursor, HitView, JournalEntry, Page};
use meterhouse_journal::hit::PayoutRow;
use serde::Serialize;
use utoipa::ToSchema;

use super::entry::EntryView;
use super::{Amount, At, Names};

/// A page of hits.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HitPage {
    /// By link, then by their order on it.
    hits: Vec<HitDetail>,
    /// Whether there is more.
    more: bool,
    /// What to write as `after` for the next page.
    next: Option<String>,
}

impl From<Page<HitView, HitCursor>> for HitPage {
    fn from(page: Page<HitView, HitCursor>) -> Self {
        Self {
            hits: page
                .items
                .iter()
                .map(|hit| HitDetail::new(hit, None))
                .collect(),
            more: page.next.is_some(),
            next: page.next.map(value::hit_cursor_text),
        }
    }
}

/// A hit with everything that a floorperson needs to decide.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HitDetail {
    /// The hit: its table and the command that keyed it, and its number where that keyed several.
    #[schema(examples("C4P-07.2"))]
    hit: String,
    /// The link.
    link: String,
    /// The table.
    table: String,
    /// The round: its table and coin-in.
    #[schema(examples("C4P-07.1"))]
    round: String,
    /// Its position among all hits of the link, from 1.
    #[schema(minimum = 1)]
    order: u64,
    /// `line`, `envy` for a holder without a wager, `magic_card` or `lucky_bonus`.
    #[schema(value_type = String)]
    kind: &'static str,
    /// `pending`, `validated_by_rule`, `validated`, `paid`, `cancelled`, `rejected`, `void`, `withdrawn`.
    #[schema(value_type = String)]
    state: &'static str,
    /// Whose hand; the dealer's has none.
    seat: Option<u8>,
    /// Whether it is the dealer's hand.
    dealer: bool,
    /// The hand that was keyed; a bonus of the draw has none.
    #[schema(value_type = Option<String>)]
    hand: Option<&'static str>,
    /// The cards that the table sent.
    cards: Option<Vec<String>>,
    /// The cards that the supervisor saw.
    validated_cards: Option<Vec<String>>,
    /// What the server itself makes of the cards (the supervisor's, else the table's).
    evaluation: Option<HandEvaluation>,
    /// The level that it was taken from.
    level: Option<String>,
    /// The percentage; null where fixed odds were taken from the level.
    percent: Option<u8>,
    /// That level's exact balance before.
    before: Option<Amount>,
    /// And after, restarted where it was won.
    after: Option<Amount>,
    /// What the line or the bonus pays.
    due: Amount,
    /// What the others get as envy bonus.
    envy_due: Amount,
    /// What has to be paid to whom.
    payouts: Vec<PayoutView>,
    /// The dealer's badge.
    keyed_by: Option<String>,
    /// When the server took it.
    keyed_at: At,
    /// Who validated, rejected, cancelled, voided or withdrew it.
    decided_by: Option<String>,
    /// When.
    decided_at: Option<At>,
    /// What that person wanted remembered.
    note: Option<String>,
    /// The journal's entries that moved its money, oldest first; left out in lists. An entry that moved other money as
    /// well is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<Vec<EntryView>>,
}

/// What the server makes of the cards.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HandEvaluation {
    /// By which ranking.
    #[schema(value_type = String, examples("five-card"))]
    ranking: &'static str,
    /// The hand.
    #[schema(value_type = String, examples("royal-flush"))]
    hand: &'static str,
    /// Whether it is the hand that was keyed.
    agrees: bool,
}

/// A payout.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PayoutView {
    /// Its number, from 1.
    #[schema(minimum = 1)]
    payout: u32,
    /// `line`, `envy`, `bonus`, or `supplement` for what a correction adds.
    #[schema(value_type = String)]
    kind: &'static str,
    /// The seat it is recorded on: a player's first in turn order.
    seat: u8,
    /// Who sits there, as far as the table said.
    player: Option<String>,
    /// How much.
    amount: Amount,
    /// `meter` or `house`.
    #[schema(value_type = String)]
    charged_to: &'static str,
    /// `slip`, `rack` or `game_account`.
    #[schema(value_type = String)]
    handed_over: &'static str,
    /// Whether and how it was paid; left out in the answer to the hit itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    paid: Option<Paid>,
}

/// How a payout was paid.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Paid {
    /// When; null while it waits.
    at: Option<At>,
    /// Whose token said so.
    by: Option<String>,
    /// The document; what GAME OVER pays has none.
    document: Option<String>,
}

impl HitDetail {
    /// A hit; with the terms of its link the cards are evaluated.
    pub(crate) fn new(view: &HitView, terms: Option<&LinkTerms>) -> Self {
        let row = &view.row;
        let (due, envy_due) = hit::due(view);
        let cards = |text: &Option<String>| text.as_deref().map(|it| words(it).collect());
        Self {
            hit: value::hit_text(&view.table, row.sequence, row.number),
            link: view.link.to_string(),
            table: view.table.to_string(),
            round: value::round_text(&view.table, row.round),
            order: row.hit_order,
            kind: view.kind.name(),
            state: row.state.name(),
            seat: row.seat,
            dealer: row.seat.is_none(),
            hand: view.hand.map(Hand::name),
            cards: cards(&row.cards),
            validated_cards: cards(&row.validated_cards),
            evaluation: terms.and_then(|terms| evaluation(terms, view)),
            level: view.level.as_ref().map(ToString::to_string),
            percent: row.percent,
            before: row.before.map(Amount::from_micros),
            after: row.after.map(Amount::from_micros),
            due: Amount(due),
            envy_due: Amount(envy_due),
            payouts: payouts(view),
            keyed_by: row.keyed_by.clone(),
            keyed_at: At::from_micros(row.keyed_at),
            decided_by: row.decided_by.clone(),
            decided_at: row.decided_at.map(At::from_micros),
            note: row.note.clone(),
            entries: None,
        }
    }

    /// Adds the journal's entries that moved its money.
    pub(crate) fn with_entries(mut self, names: Names<'_>, entries: &[JournalEntry]) -> Self {
        let entries = entries.iter();
        self.entries = Some(entries.map(|entry| EntryView::new(names, entry)).collect());
        self
    }
}

impl PayoutView {
    /// The payouts of a hit as they were decided, numbered from 1.
    pub(crate) fn of_all(payouts: &[Payout]) -> Vec<Self> {
        let numbered = (1..).zip(payouts);
        numbered.map(|(n, it)| Self::of_event(n, it)).collect()
    }

    /// A payout as it was decided, whatever became of it.
    fn of_event(number: u32, payout: &Payout) -> Self {
        Self {
            payout: number,
            kind: payout.kind.name(),
            seat: payout.seat.0,
            player: payout.player.as_ref().map(ToString::to_string),
            amount: Amount(payout.amount),
            charged_to: payout.charged_to.name(),
            handed_over: payout.handed_over.name(),
            paid: None,
        }
    }

    fn of_row(row: &PayoutRow, payout: &Payout, paid_by: Option<&String>) -> Self {
        Self {
            paid: Some(Paid {
                at: row.paid_at.map(At::from_micros),
                by: paid_by.cloned(),
                document: row.document.clone(),
            }),
            ..Self::of_event(row.number, payout)
        }
    }
}

/// The payouts of a hit with who paid them.
fn payouts(view: &HitView) -> Vec<PayoutView> {
    let paid_by = view.paid_by.iter().map(Option::as_ref);
    let paid_by = paid_by.chain(std::iter::repeat(None));
    let payouts = view.row.payouts.iter().zip(&view.payouts).zip(paid_by);
    payouts
        .map(|((row, payout), by)| PayoutView::of_row(row, payout, by))
        .collect()
}

/// What the server makes of the newest cards, where there are some.
fn evaluation(terms: &LinkTerms, view: &HitView) -> Option<HandEvaluation> {
    let row = &view.row;
    let text = row.validated_cards.as_ref().or(row.cards.as_ref())?;
    let keyed = view.hand?;
    let cards: Vec<Card> = words(text)
        .map(|it| it.parse().ok())
        .collect::<Option<_>>()?;
    let ranking = terms.content().ranking;
    let found = evaluate(ranking, &cards)?.hand();
    Some(HandEvaluation {
        ranking: ranking.name(),
        hand: found.name(),
        agrees: keyed == found,
    })
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().map(str::to_owned)
}
