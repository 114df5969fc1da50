//! What a feed says, and how it is written: once for all displays.

use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{LevelName, Timestamp};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_edge::hit;
use meterhouse_engine::feed::item::{FeedEvent, state_word};
use meterhouse_engine::view::{HitView, LinkView};
use meterhouse_journal::position::Position;
use serde::Serialize;
use utoipa::ToSchema;

use crate::links::LinkedTable;
use crate::render::{Amount, At, LevelAmount};

/// A message of a feed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum FeedMessage {
    /// Everything to begin with; again after falling too far behind.
    Snapshot(Box<Snapshot>),
    /// The newest amounts.
    Meters(Meters),
    /// A winning hand was keyed.
    Hit(HitShown),
    /// A hit changed its state.
    HitChanged(HitChanged),
    /// A payout reached its player.
    Paid(PaidShown),
    /// The link changed its state.
    LinkState(LinkStateShown),
    /// The status of a table changed.
    TableState(TableStateShown),
    /// The feed lives.
    Heartbeat(Heartbeat),
}

/// Everything to begin with.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Snapshot {
    /// The link.
    link: String,
    /// What people call its paytable.
    title: String,
    /// The one progressive wager.
    wager: Amount,
    /// `open`, `suspended`, `closed` or `faulted`.
    #[schema(value_type = String)]
    state: &'static str,
    /// Why it is not open.
    reason: Option<String>,
    /// The levels that are off.
    disabled: Vec<String>,
    /// The newest batch.
    sequence: u64,
    /// The newest happening in it: where to resume.
    #[schema(examples("120.0"))]
    position: String,
    /// Whether happenings since the display's last position are left out: there are more than 1,000.
    missing: bool,
    /// The server's time.
    at: At,
    /// What the signs show.
    levels: Vec<LevelAmount>,
    /// Its tables.
    tables: Vec<LinkedTable>,
    /// The newest hits, newest first; for players those of them that are still won.
    hits: Vec<HitShown>,
}

/// The newest amounts.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Meters {
    /// The batch that they are as of: strictly increasing.
    sequence: u64,
    /// The beginning of that batch. Not where to resume: a happening of it may still come.
    #[schema(examples("121.0"))]
    position: String,
    /// The server's time.
    at: At,
    /// What the signs show.
    levels: Vec<LevelAmount>,
}

/// A winning hand.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HitShown {
    /// Where it stands in the journal: where to resume. Left out in a snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    /// When it was keyed.
    at: At,
    /// The hit.
    #[schema(examples("C4P-07.2"))]
    hit: String,
    /// Its position among all hits of the link, from 1.
    order: u64,
    /// The table.
    table: String,
    /// Whose hand; the dealer's has none.
    seat: Option<u8>,
    /// `line`, `envy`, `magic_card` or `lucky_bonus`.
    #[schema(value_type = String, examples("line"))]
    kind: &'static str,
    /// The hand; a bonus of the draw has none.
    #[schema(value_type = Option<String>, examples("royal-flush"))]
    hand: Option<&'static str>,
    /// The level that it was taken from.
    level: Option<String>,
    /// The percentage; null where fixed odds were taken from the level.
    percent: Option<u8>,
    /// What the line or the bonus pays.
    amount: Amount,
    /// What the others get as envy bonus.
    envy: Amount,
    /// As in the list of hits.
    #[schema(value_type = String, examples("pending"))]
    state: &'static str,
}

/// A hit changed its state.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HitChanged {
    /// Where it stands in the journal: where to resume.
    position: String,
    /// When.
    at: At,
    /// The hit.
    hit: String,
    /// Its state now, as in the list of hits; `undone` for players, where it is no longer won.
    #[schema(value_type = String)]
    state: &'static str,
    /// What it pays now, where an earlier hit's withdrawal changed that; else null.
    resettled: Option<Amount>,
}

/// A payout reached its player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PaidShown {
    /// Where it stands in the journal: where to resume.
    position: String,
    /// When.
    at: At,
    /// The hit.
    hit: String,
    /// The payout's number.
    payout: u32,
    /// How much.
    amount: Amount,
}

/// The link changed its state.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LinkStateShown {
    /// Where it stands in the journal: where to resume.
    position: String,
    /// When.
    at: At,
    /// `open`, `suspended`, `closed` or `faulted`.
    #[schema(value_type = String)]
    state: &'static str,
    /// Why.
    reason: Option<String>,
    /// The levels that are off; null where the message doesn't say.
    disabled: Option<Vec<String>>,
}

/// The status of a table changed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableStateShown {
    /// Where it stands in the journal: where to resume.
    position: String,
    /// When.
    at: At,
    /// The table.
    table: String,
    /// `in_service`; `unavailable`: its progressive can't be played (the floor hears why: `lost` or `disabled`); `left`:
    /// it is no table of the link any more.
    #[schema(value_type = String)]
    state: &'static str,
}

/// The feed lives.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Heartbeat {
    /// The server's time.
    at: At,
}

/// A message as text.
pub(super) fn text(event: &FeedEvent, terms: &LinkTerms) -> String {
    written(&message(event, terms))
}

/// A heartbeat as text.
pub(super) fn heartbeat(at: Timestamp) -> String {
    written(&FeedMessage::Heartbeat(Heartbeat { at: At(at) }))
}

/// Plain data with texts for keys is always writable.
fn written(message: &FeedMessage) -> String {
    serde_json::to_string(message).unwrap_or_default()
}

fn message(event: &FeedEvent, terms: &LinkTerms) -> FeedMessage {
    match event {
        FeedEvent::Snapshot {
            link,
            hits,
            position,
            missing,
            at,
        } => FeedMessage::Snapshot(Box::new(snapshot(link, hits, *position, *missing, *at))),
        FeedEvent::Meters {
            batch,
            displayed,
            at,
        } => FeedMessage::Meters(meters(*batch, displayed, *at, terms)),
        FeedEvent::Hit { position, at, hit } => {
            FeedMessage::Hit(shown(hit, Some(position.to_string()), *at))
        }
        FeedEvent::HitChanged {
            position,
            at,
            hit,
            state,
            resettled,
        } => FeedMessage::HitChanged(HitChanged {
            position: position.to_string(),
            at: At(*at),
            hit: hit.clone(),
            state: state_word(*state),
            resettled: resettled.map(Amount),
        }),
        FeedEvent::Paid {
            position,
            at,
            hit,
            payout,
            amount,
        } => FeedMessage::Paid(PaidShown {
            position: position.to_string(),
            at: At(*at),
            hit: hit.clone(),
            payout: *payout,
            amount: Amount(*amount),
        }),
        FeedEvent::LinkState {
            position,
            at,
            state,
            reason,
            disabled,
        } => FeedMessage::LinkState(LinkStateShown {
            position: position.to_string(),
            at: At(*at),
            state: state.name(),
            reason: reason.clone(),
            disabled: disabled.as_deref().map(names),
        }),
        FeedEvent::TableState {
            position,
            at,
            table,
            status,
        } => FeedMessage::TableState(TableStateShown {
            position: position.to_string(),
            at: At(*at),
            table: table.to_string(),
            state: status.name(),
        }),
    }
}

fn snapshot(
    link: &LinkView,
    hits: &[HitView],
    position: Position,
    missing: bool,
    at: Timestamp,
) -> Snapshot {
    let hit = |it: &HitView| shown(it, None, Timestamp(it.row.keyed_at));
    Snapshot {
        link: link.terms.name.to_string(),
        title: link.terms.paytable.title.clone(),
        wager: Amount(link.terms.wager),
        state: link.state.name(),
        reason: link.reason.clone(),
        disabled: names(&link.disabled),
        sequence: link.batch,
        position: position.to_string(),
        missing,
        at: At(at),
        levels: LevelAmount::all(&link.terms, &link.displayed),
        tables: link.present_tables().map(LinkedTable::from).collect(),
        hits: hits.iter().map(hit).collect(),
    }
}

fn names(levels: &[LevelName]) -> Vec<String> {
    levels.iter().map(ToString::to_string).collect()
}

fn meters(batch: u64, displayed: &[Money], at: Timestamp, terms: &LinkTerms) -> Meters {
    Meters {
        sequence: batch,
        position: Position { batch, index: 0 }.to_string(),
        at: At(at),
        levels: LevelAmount::all(terms, displayed),
    }
}

fn shown(view: &HitView, position: Option<String>, at: Timestamp) -> HitShown {
    let row = &view.row;
    let (line, envy) = hit::due(view);
    HitShown {
        position,
        at: At(at),
        hit: view.name().to_string(),
        order: row.hit_order,
        table: view.table.to_string(),
        seat: row.seat,
        kind: view.kind.name(),
        hand: view.hand.map(Hand::name),
        level: view.level.as_ref().map(ToString::to_string),
        percent: row.percent,
        amount: Amount(line),
        envy: Amount(envy),
        state: row.state.name(),
    }
}
