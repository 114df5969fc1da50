//! `GET /v1/tables/{table}`: what a controller needs to resume.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{Payout, PayoutKind};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{PaytableId, Sequence, TableNo};
use meterhouse_domain::money::Money;
use meterhouse_domain::state::{Hit, PayoutState, Round, Table};
use meterhouse_edge::authorize;
use meterhouse_edge::hit::split_due;
use meterhouse_edge::value;
use meterhouse_engine::view::TableView;
use meterhouse_journal::hit::HitState;
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Authenticated;
use crate::deadline::WAIT_MAX;
use crate::document::ReadProblems;
use crate::extract::{Query, TableOf};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::{Amount, At, Drawn, LevelAmount, Names, listed};

/// How long a request waits for a change of the table's hits: less than any request may take.
const HITS_WAIT_MAX: Duration = Duration::from_secs(8);

const _: () = assert!(HITS_WAIT_MAX.as_secs() < WAIT_MAX.as_secs());

/// A table as it stands.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableNow {
    /// The table.
    table: String,
    /// Its link.
    link: String,
    /// `in_service`, `lost` after too long a silence, `disabled` by a manager, or `left`: off its link for good.
    #[schema(value_type = String)]
    state: &'static str,
    /// Why the table is disabled, if it is.
    disabled_reason: Option<String>,
    /// Whether the table has to send a heartbeat before its next coin-in.
    must_resume: bool,
    /// When it was last heard, by a command or a heartbeat.
    heard_at: Option<At>,
    /// `open`, `suspended`, `closed` or `faulted`.
    #[schema(value_type = String)]
    link_state: &'static str,
    /// Why the link is not open.
    reason: Option<String>,
    /// The levels that are off.
    disabled: Vec<String>,
    /// Its game.
    game: String,
    /// Seats on its layout.
    seats: u8,
    /// The link's paytable.
    paytable: String,
    /// The paytable that the table joined with: the content is the link's, the rules of forming and folding are its own.
    table_paytable: String,
    /// The one progressive wager.
    wager: Amount,
    /// Decks in play in one round.
    decks: u8,
    /// The last number used up; 0 before the first.
    last_sequence: u64,
    /// The number that the next command has to have.
    #[schema(minimum = 1)]
    next_sequence: u64,
    /// The open round.
    round: Option<RoundNow>,
    /// The hits of the table's closed rounds that can still change, oldest first.
    closed_hits: Vec<RoundHit>,
    /// What the levels show.
    levels: Vec<LevelAmount>,
    /// The position in the link's journal that all this is as of: what `after` takes.
    #[schema(examples("12.2147483647"))]
    position: String,
}

/// An open round.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RoundNow {
    /// The round: its table and coin-in.
    #[schema(examples("C4P-07.1"))]
    round: String,
    /// `locked`, or `settling` once a hit stands.
    #[schema(value_type = String)]
    state: &'static str,
    /// The seats that are lit: an accepted wager on the own hand.
    seats: Vec<u8>,
    /// Seats with an accepted wager on the dealer's hand.
    dealer_seats: Vec<u8>,
    /// Seats that got cards.
    dealt: Vec<u8>,
    /// Seats that folded.
    folded: Vec<u8>,
    /// What the table game system drew for it.
    #[serde(flatten)]
    drawn: Drawn,
    /// Who sits where, as far as the table said.
    players: Vec<SeatedPlayer>,
    /// Its hits in the order they were keyed.
    hits: Vec<RoundHit>,
}

/// Who sits on a seat.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SeatedPlayer {
    /// The seat.
    seat: u8,
    /// The player.
    player: String,
}

/// A hit of an open round, or of a closed one.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RoundHit {
    /// The hit.
    #[schema(examples("C4P-07.2"))]
    hit: String,
    /// The round: its table and coin-in.
    #[schema(examples("C4P-07.1"))]
    round: String,
    /// Its position among all hits of the link, from 1.
    #[schema(minimum = 1)]
    order: u64,
    /// `line`, `envy`, `magic_card` or `lucky_bonus`.
    #[schema(value_type = String)]
    kind: &'static str,
    /// `pending`, `validated_by_rule`, `validated`, `paid`, `cancelled`, `rejected` or `withdrawn`.
    #[schema(value_type = String)]
    state: &'static str,
    /// Whose hand; the dealer's has none.
    seat: Option<u8>,
    /// Whether it is the dealer's hand.
    dealer: bool,
    /// The hand; a bonus of the draw has none.
    #[schema(value_type = Option<String>)]
    hand: Option<&'static str>,
    /// The level that it was taken from.
    level: Option<String>,
    /// The percentage; null where fixed odds were taken from the level.
    percent: Option<u8>,
    /// What the line or the bonus pays.
    due: Amount,
    /// What the others get as envy bonus.
    envy_due: Amount,
    /// What has to be paid to whom.
    payouts: Vec<RoundPayout>,
}

/// A payout of a hit of an open round.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RoundPayout {
    /// Its number, from 1.
    #[schema(minimum = 1)]
    payout: u32,
    /// `line`, `envy`, `bonus` or `supplement`.
    #[schema(value_type = String)]
    kind: &'static str,
    /// The seat.
    seat: u8,
    /// How much.
    amount: Amount,
    /// `slip`, `rack` or `game_account`.
    #[schema(value_type = String)]
    handed_over: &'static str,
    /// Whether it was paid.
    paid: bool,
    /// The document, where it was paid with one.
    document: Option<String>,
}

/// Reads a table: its open round, its last number, its link's state.
///
/// With `after`, the position of an earlier answer, it waits until a hit of the table changed behind that position, at
/// most 8 s, and then answers how the table stands. A change that came meanwhile is answered immediately.
#[utoipa::path(
    get,
    path = "/v1/tables/{table}",
    operation_id = "read_table",
    tag = "tables",
    security(("token" = [])),
    params(
        ("table" = String, Path, description = "The table", pattern = "^[A-Za-z0-9-]{1,32}$"),
        ("after" = Option<String>, Query, description = "The position of an earlier answer: waits for a change of \
            the table's hits behind it", pattern = r"^[0-9]+(\.[0-9]+)?$"),
    ),
    responses((status = 200, description = "The table", body = TableNow), ReadProblems),
)]
pub(crate) async fn read(
    State(shared): State<Shared>,
    Authenticated(caller): Authenticated,
    TableOf(table): TableOf,
    query: Query,
) -> Result<Json<TableNow>, Failure> {
    authorize::read_table(&caller, &table)?;
    let after = query.only(&["after"])?.get("after", value::position)?;
    if let Some(after) = after {
        tokio::select! {
            biased;
            moved = shared.engine.hits_moved(&table, after, HITS_WAIT_MAX) => moved?,
            // What is known is answered before the server goes.
            () = shared.options.stopping.cancelled() => {}
        }
    }
    let view = shared.engine.table(&table).await?;
    let own = shared.engine.table_paytable(&table).await?;
    Ok(Json(now(&view, &own)?))
}

/// Makes the view of a table with its own paytable, to resume by.
pub(super) fn now(view: &TableView, own: &PaytableId) -> Result<TableNow, Failure> {
    let table = view.state.table(view.number);
    let table = table.ok_or_else(|| Failure::internal("a table is not in its link's state"))?;
    let terms = &view.state.terms;
    let names = Names::of_state(&view.state);
    let displayed: Vec<Money> = view.state.displayed().collect();
    let lost = view.lost();
    Ok(TableNow {
        table: table.name.to_string(),
        link: terms.name.to_string(),
        state: view.status().name(),
        disabled_reason: table.disabled.as_ref().map(ToString::to_string),
        must_resume: lost.is_some_and(|it| it.must_resume),
        heard_at: view.heard_at.map(At),
        link_state: view.word().name(),
        reason: view.reason(),
        disabled: view.disabled().iter().map(ToString::to_string).collect(),
        game: table.game.to_string(),
        seats: table.seats,
        paytable: terms.paytable.id.to_string(),
        table_paytable: own.to_string(),
        wager: Amount(terms.wager),
        decks: terms.decks,
        last_sequence: table.last_sequence.0,
        next_sequence: table.last_sequence.0.saturating_add(1),
        round: round(names, view.number, table),
        closed_hits: view
            .closed_hits()
            .map(|closed| hit(names, view.number, closed.round, &closed.hit))
            .collect(),
        position: view.position().to_string(),
        levels: LevelAmount::all(terms, &displayed),
    })
}

fn round(names: Names<'_>, number: TableNo, table: &Table) -> Option<RoundNow> {
    let round: &Round = table.round.as_ref()?;
    let settling = round.standing_hits().next().is_some();
    let players = round.players.iter().map(|(seat, player)| SeatedPlayer {
        seat: seat.0,
        player: player.to_string(),
    });
    Some(RoundNow {
        round: names.numbered(number, round.sequence),
        state: if settling { "settling" } else { "locked" },
        seats: listed(round.own),
        dealer_seats: listed(round.dealer),
        dealt: listed(round.dealt),
        folded: listed(round.folded),
        drawn: Drawn::from(&round.draws),
        players: players.collect(),
        hits: round
            .hits
            .iter()
            .map(|it| hit(names, number, round.sequence, it))
            .collect(),
    })
}

fn hit(names: Names<'_>, table: TableNo, round: Sequence, hit: &Hit) -> RoundHit {
    let payouts: Vec<Payout> = hit.payouts.iter().map(|it| it.payout.clone()).collect();
    let (due, envy_due) = split_due(&payouts);
    let seat = match hit.holder {
        Holder::Seat(seat) => Some(seat.0),
        Holder::Dealer => None,
    };
    let numbered = (1..).zip(&hit.payouts).map(|(payout, it)| RoundPayout {
        payout,
        kind: PayoutKind::name(it.payout.kind),
        seat: it.payout.seat.0,
        amount: Amount(it.payout.amount),
        handed_over: it.payout.handed_over.name(),
        paid: it.paid.is_some(),
        document: paid_with(it),
    });
    RoundHit {
        hit: names.hit(hit.id(table)),
        round: names.numbered(table, round),
        order: hit.order.0,
        kind: hit.kind.name(),
        state: HitState::of(hit).name(),
        seat,
        dealer: seat.is_none(),
        hand: hit.hand.map(Hand::name),
        level: hit.taken.map(|it| names.level(it.level).to_owned()),
        percent: hit.taken.and_then(|it| it.percent),
        due: Amount(due),
        envy_due: Amount(envy_due),
        payouts: numbered.collect(),
    }
}

/// The document of a payout that was paid with one.
fn paid_with(payout: &PayoutState) -> Option<String> {
    let payment = payout.paid.as_ref()?;
    payment.document.as_ref().map(ToString::to_string)
}
