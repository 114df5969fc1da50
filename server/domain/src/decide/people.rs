//! What people decide: joining a table, validating, rejecting, paying.

use crate::card::Card;
use crate::command::{Envelope, JoinTable, PersonCommand};
use crate::event::{Event, TableJoined};
use crate::link::LinkTerms;
use crate::name::{Document, HitId, Note, TableNo};
use crate::paytable::{HandedOver, Pays, Paytable};
use crate::refusal::{Refusal, RefusalCode};
use crate::seat::SEATS_MAX;
use crate::state::{Hit, HitStatus, LinkState};

use super::cards::check_found;
use super::round::payment;
use super::undo::{named, status_name, withdrawn};
use super::{Decision, Stop, balanced};

pub(super) fn decide_person(
    state: &LinkState,
    envelope: &Envelope,
    command: &PersonCommand,
) -> Result<Decision, Stop> {
    match command {
        PersonCommand::JoinTable(join) => join_table(state, join),
        PersonCommand::ValidateHit { hit, cards, note } => {
            validate(state, envelope, *hit, cards.as_deref(), note.as_ref())
        }
        PersonCommand::RejectHit { hit, note } => reject(state, envelope, *hit, note.as_ref()),
        PersonCommand::PayPayout {
            hit,
            number,
            document,
        } => pay(state, *hit, *number, document),
    }
}

/// A table joins only with equal content, wager and decks; the refusal lists every difference (`rules` §4).
fn join_table(state: &LinkState, join: &JoinTable) -> Result<Decision, Stop> {
    if let Some(known) = state.tables.iter().find(|table| table.name == join.name) {
        let same = known.game == join.game && known.seats == join.seats;
        if same && differences(&state.terms, join).fields.is_empty() {
            return Ok(Decision::AlreadyDone);
        }
    }
    let refusal = differences(&state.terms, join);
    if !refusal.fields.is_empty() {
        return Err(refusal.into());
    }
    let Some(game) = join
        .paytable
        .games
        .iter()
        .find(|game| game.name == join.game)
    else {
        return Err(Refusal::new(RefusalCode::TableDiffers)
            .with("game", &join.game)
            .into());
    };
    let seats_max = game.seats_max.min(SEATS_MAX);
    if join.seats == 0 || join.seats > seats_max {
        return Err(Refusal::new(RefusalCode::OutOfRange)
            .with("seats", join.seats)
            .with("seats_max", seats_max)
            .into());
    }
    if state.tables.iter().any(|table| table.name == join.name) {
        return Err(Refusal::new(RefusalCode::TableDiffers)
            .with("table", &join.name)
            .into());
    }
    let number = u32::try_from(state.tables.len() + 1).map_err(|_| Stop::Broken("tables"))?;
    Ok(Decision::Event(Event::TableJoined(Box::new(TableJoined {
        table: TableNo(number),
        name: join.name.clone(),
        game: join.game.clone(),
        seats: join.seats,
        paytable: join.paytable.id.clone(),
        rules: join.paytable.rules,
    }))))
}

/// Every difference between what a table has and what its link has: the link's value, then the table's.
fn differences(terms: &LinkTerms, join: &JoinTable) -> Refusal {
    let mut refusal = Refusal::new(RefusalCode::TableDiffers);
    let mut compare = |field: &str, link: String, table: String| {
        if link != table {
            refusal
                .fields
                .push((field.to_owned(), format!("link {link}, table {table}")));
        }
    };
    compare("wager", terms.wager.to_string(), join.wager.to_string());
    compare("decks", terms.decks.to_string(), join.decks.to_string());
    let (ours, theirs) = (describe(&terms.paytable), describe(&join.paytable));
    let fields = ours.iter().map(|(field, _)| field);
    let new = theirs
        .iter()
        .map(|(field, _)| field)
        .filter(|it| value(&ours, it) == NONE);
    for field in fields.chain(new) {
        compare(field, value(&ours, field), value(&theirs, field));
    }
    refusal
}

/// What stands for a line or level that one of two paytables doesn't have.
const NONE: &str = "none";

fn value(fields: &[(String, String)], field: &str) -> String {
    let found = fields.iter().find(|(name, _)| name == field);
    found.map_or_else(|| NONE.to_owned(), |(_, value)| value.clone())
}

/// A paytable's content, field by field.
fn describe(paytable: &Paytable) -> Vec<(String, String)> {
    let content = &paytable.content;
    let mut fields = vec![
        ("ranking".to_owned(), format!("{:?}", content.ranking)),
        (
            "bet_on_dealer".to_owned(),
            content.bet_on_dealer.to_string(),
        ),
        ("validation".to_owned(), format!("{:?}", content.validation)),
        ("settlement".to_owned(), format!("{:?}", content.settlement)),
        (
            "envy_printed_for".to_owned(),
            format!("{:?}", content.envy_printed_for),
        ),
    ];
    for level in &content.levels {
        let text = format!(
            "seed {} reseed {} primary {} reserve {}",
            level.seed, level.reseed, level.primary, level.reserve
        );
        fields.push((format!("level {}", level.name), text));
    }
    for line in &content.lines {
        let pays = match line.pays {
            Pays::Percent { percent, level } => {
                let name = content
                    .levels
                    .get(level)
                    .map_or("none", |it| it.name.as_str());
                format!("{percent}% of {name}")
            }
            Pays::ForOne(odds) => format!("{odds} for 1"),
        };
        let envy = line
            .envy
            .map_or_else(String::new, |odds| format!(", envy {odds} for 1"));
        fields.push((format!("line {}", line.hand), format!("{pays}{envy}")));
    }
    fields
}

/// A hit of an open round. One of a closed round is for the caller to look up.
fn find(state: &LinkState, id: HitId) -> Result<&Hit, Stop> {
    state.hit(id).ok_or_else(|| {
        let refusal = Refusal::new(RefusalCode::UnknownHit);
        refusal
            .with("hit", named(state, id.table, id.sequence))
            .into()
    })
}

/// A floorperson or above validates (§ 657a.11(e)(3)); who keyed it may not.
fn validate(
    state: &LinkState,
    envelope: &Envelope,
    id: HitId,
    cards: Option<&[Card]>,
    note: Option<&Note>,
) -> Result<Decision, Stop> {
    let hit = find(state, id)?;
    match &hit.status {
        HitStatus::Pending => {}
        HitStatus::Validated { actor, .. } if *actor == envelope.actor => {
            return Ok(Decision::AlreadyDone);
        }
        HitStatus::ValidatedByRule
        | HitStatus::Validated { .. }
        | HitStatus::Cancelled
        | HitStatus::Rejected { .. } => return Err(not_pending(state, id, hit)),
    }
    let keyed_it = envelope.by.is_some() && envelope.by == hit.keyed_by;
    if keyed_it || hit.keyed_by_actor == envelope.actor {
        return Err(Refusal::new(RefusalCode::KeyedByValidator)
            .with("hit", named(state, id.table, id.sequence))
            .into());
    }
    if let Some(cards) = cards {
        check_found(state, hit.hand, cards)?;
    }
    Ok(Decision::Event(Event::HitValidated {
        hit: id,
        cards: cards.map(<[Card]>::to_vec),
        note: note.cloned(),
    }))
}

/// A supervisor rejects a hit that no person has validated: its entries are reversed.
fn reject(
    state: &LinkState,
    envelope: &Envelope,
    id: HitId,
    note: Option<&Note>,
) -> Result<Decision, Stop> {
    let hit = find(state, id)?;
    if hit.status
        == (HitStatus::Rejected {
            actor: envelope.actor,
        })
    {
        return Ok(Decision::AlreadyDone);
    }
    let moves = balanced(state, withdrawn(state, id, hit)?)?;
    Ok(Decision::Event(Event::HitRejected {
        hit: id,
        note: note.cloned(),
        moves,
    }))
}

/// The documentation of a payout is complete (§ 657a.11(e)(4)); each payout of a split by itself.
fn pay(state: &LinkState, id: HitId, number: u32, document: &Document) -> Result<Decision, Stop> {
    let hit = find(state, id)?;
    let index = usize::try_from(number)
        .ok()
        .and_then(|it| it.checked_sub(1));
    let Some(payout) = index.and_then(|it| hit.payouts.get(it)) else {
        return Err(Refusal::new(RefusalCode::NoSuchPayout)
            .with("payout", number)
            .with("payouts", hit.payouts.len())
            .into());
    };
    if payout.payout.handed_over != HandedOver::Slip {
        let refusal = Refusal::new(RefusalCode::NotPaidBySlip);
        return Err(refusal
            .with("handed_over", payout.payout.handed_over)
            .into());
    }
    match &payout.paid {
        Some(payment) if payment.document == *document => return Ok(Decision::AlreadyDone),
        Some(payment) => {
            let refusal = Refusal::new(RefusalCode::HitPaid).with("document", &payment.document);
            return Err(refusal.into());
        }
        None => {}
    }
    match hit.status {
        HitStatus::Validated { .. } | HitStatus::ValidatedByRule => {}
        HitStatus::Pending | HitStatus::Cancelled | HitStatus::Rejected { .. } => {
            return Err(not_pending(state, id, hit));
        }
    }
    let moves = balanced(state, vec![payment(state, hit, payout)])?;
    Ok(Decision::Event(Event::PayoutPaid {
        hit: id,
        number,
        document: document.clone(),
        moves,
    }))
}

fn not_pending(state: &LinkState, id: HitId, hit: &Hit) -> Stop {
    Refusal::new(RefusalCode::HitNotPending)
        .with("hit", named(state, id.table, id.sequence))
        .with("state", status_name(&hit.status))
        .into()
}
