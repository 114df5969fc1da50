//! What follows from the batches of a bundle: the hit, its round and commands, the meters around it, and the configuration.
//!
//! # Shape
//! Pure: the server and the verifier call [`derive`] with the same batches and get the same values. Rows of hits are
//! projected as the server projects them.

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::event::{Event, TableJoined};
use meterhouse_domain::ids::{ActorId, HitId, TableName, TableNo, Timestamp};
use meterhouse_domain::link::{ACCOUNTS, Account, LinkTerms};
use meterhouse_domain::money::Money;
use meterhouse_journal::batch::{Batch, HASH_BYTES};
use meterhouse_journal::hit::{HitRow, project};
use meterhouse_journal::house::HouseFact;
use meterhouse_journal::position::Position;
use meterhouse_journal::record::from_row;
use meterhouse_journal::terms::content_hash;

use super::bundle::{EvidenceProof, HISTORY, ProvenBatch};
use super::proposals::proposals;
use super::round::{Placed, Round, round};
use crate::queries::checked_hits::another;
use crate::reports::hit_entries::concerns;
use crate::reports::payoff::recorded_by;
use crate::view::{HitView, JournalEntry};

/// The meters after a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetersAfter {
    /// Number of the batch.
    pub batch: u64,
    /// Time of the batch.
    pub at: Timestamp,
    /// Exact amounts, level by level.
    pub meters: Vec<Money>,
}

/// An actor of the commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// Number in the journal.
    pub actor: ActorId,
    /// Name.
    pub name: String,
    /// Role.
    pub role: String,
    /// Department, if one was given.
    pub department: Option<String>,
}

/// The paytable as the house's chain has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPaytable {
    /// Number of the entry.
    pub entry: u64,
    /// SHA-256 of the stored document.
    pub document: [u8; HASH_BYTES],
}

/// What follows from a bundle's batches.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The hit as of the last of these batches.
    pub hit: HitView,
    /// Batch that recorded the hit.
    pub recorded_in: u64,
    /// Terms of the link.
    pub terms: LinkTerms,
    /// SHA-256 of the paytable's content.
    pub content: [u8; HASH_BYTES],
    /// Paytable of the house's chain with this content.
    pub paytable: Option<StoredPaytable>,
    /// Event that opened the link.
    pub opened: JournalEntry,
    /// Event by which the table joined.
    pub joined: JournalEntry,
    /// Table of the hit.
    pub table: TableJoined,
    /// Names of the tables that are known here.
    pub tables: BTreeMap<TableNo, TableName>,
    /// Round.
    pub round: Round,
    /// Commands of the round, and those of people about the hit.
    pub commands: Vec<JournalEntry>,
    /// Meters after the batches around the hit.
    pub history: Vec<MetersAfter>,
    /// Meters after the batch before the hit.
    pub before: MetersAfter,
    /// Actors of the commands.
    pub participants: Vec<Participant>,
    /// Rows of the hits that are recorded here.
    pub rows: BTreeMap<HitId, HitRow>,
    /// Batches and commands that are missing.
    pub gaps: Vec<String>,
}

/// Returns what follows from the batches of a bundle.
///
/// # Errors
/// A sentence on what is missing or can't be read.
pub fn derive(proof: &EvidenceProof) -> Result<Derived, String> {
    let events = events(proof)?;
    let people = people(proof)?;
    let entry = |placed: &Placed| entry(placed, &people);
    let (opened, terms) = opened(&events)?;
    let tables = tables(&events);
    let is_table = |joined: &&(usize, TableJoined)| joined.1.name == proof.hit.table;
    let missing = || {
        format!(
            "the event by which table {} joined is missing",
            proof.hit.table
        )
    };
    let (joined, table) = tables.iter().find(is_table).ok_or_else(missing)?;
    let id = proof.hit.at(table.table);
    let records = |placed: &&Placed| recorded_by(&placed.2, id);
    let recorded = events.iter().find(records);
    let recorded_in = recorded
        .ok_or_else(|| format!("the event that recorded hit {} is missing", proof.hit))?
        .0
        .batch;
    let rows = rows(&events, id);
    let row = rows.get(&id).cloned();
    let row = row.ok_or_else(|| format!("hit {} can't be made from its events", proof.hit))?;
    let mut gaps = Vec::new();
    let (round, of_round) = round(&events, &row, &mut gaps)?;
    let proposals = proposals(&events, id, &mut gaps);
    let about = |placed: &&Placed| {
        let is_own = recorded_by(&placed.2, id) || concerns(&placed.2.event, id);
        is_own || of_round.contains(&placed.0) || proposals.places.contains(&placed.0)
    };
    let commands: Vec<JournalEntry> = events.iter().filter(about).map(entry).collect();
    let levels = terms.content().levels.len();
    let hit = hit_view(proof, &terms, row, (&people, proposals.proposer))?;
    let content = content_hash(terms.content());
    let (opened, joined) = (entry(opened), entry(&events[*joined]));
    let actors = commands.iter().chain([&opened, &joined]);
    let actors: BTreeSet<ActorId> = actors.map(|entry| entry.recorded.actor).collect();
    let participants = people.into_values();
    Ok(Derived {
        recorded_in,
        paytable: paytable(proof, content)?,
        content,
        participants: participants
            .filter(|who| actors.contains(&who.actor))
            .collect(),
        history: history(proof, recorded_in, levels, &mut gaps),
        before: before(proof, recorded_in, levels)?,
        table: table.clone(),
        tables: tables
            .into_iter()
            .map(|(_, joined)| (joined.table, joined.name))
            .collect(),
        hit,
        terms,
        opened,
        joined,
        round,
        commands,
        rows,
        gaps,
    })
}

/// Returns a hit with the names that its row lacks.
fn hit_view(
    proof: &EvidenceProof,
    terms: &LinkTerms,
    row: HitRow,
    (people, proposer): (&BTreeMap<ActorId, Participant>, Option<ActorId>),
) -> Result<HitView, String> {
    let level = row.level.and_then(|level| {
        let level = terms.content().levels.get(usize::from(level))?;
        Some(level.name.clone())
    });
    let (name, table) = (terms.name.clone(), proof.hit.table.clone());
    let mut hit = HitView::new(name, table, level, row).map_err(|error| error.to_string())?;
    let name_of = |actor| people.get(&actor).map(|who| who.name.clone());
    let payers = hit.row.payouts.iter().map(|payout| payout.paid_by_actor);
    hit.paid_by = payers.map(|actor| name_of(ActorId(actor?))).collect();
    hit.proposed_by = proposer.and_then(name_of);
    Ok(hit)
}

/// Returns the events of all batches, in their order.
fn events(proof: &EvidenceProof) -> Result<Vec<Placed>, String> {
    let mut events = Vec::new();
    for ProvenBatch { batch, .. } in &proof.batches {
        for (index, row) in (0..).zip(&batch.events) {
            let recorded = from_row(row);
            let recorded = recorded.map_err(|error| format!("batch {}: {error}", batch.number))?;
            let position = Position {
                batch: batch.number,
                index,
            };
            events.push((position, batch.at, recorded));
        }
    }
    Ok(events)
}

/// Returns the actors of the house's chain.
fn people(proof: &EvidenceProof) -> Result<BTreeMap<ActorId, Participant>, String> {
    let mut people = BTreeMap::new();
    for proven in &proof.entries {
        let number = proven.entry.number;
        let fact = proven.entry.fact();
        let fact = fact.map_err(|error| format!("entry {number} of the house's chain: {error}"))?;
        if let Some(HouseFact::Actor {
            actor,
            name,
            role,
            department,
            ..
        }) = fact
        {
            let who = Participant {
                actor,
                name,
                role,
                department,
            };
            people.insert(actor, who);
        }
    }
    Ok(people)
}

fn paytable(
    proof: &EvidenceProof,
    asked: [u8; HASH_BYTES],
) -> Result<Option<StoredPaytable>, String> {
    for proven in &proof.entries {
        let number = proven.entry.number;
        let fact = proven.entry.fact();
        let fact = fact.map_err(|error| format!("entry {number} of the house's chain: {error}"))?;
        if let Some(HouseFact::Paytable {
            content, document, ..
        }) = fact
            && content == asked
        {
            return Ok(Some(StoredPaytable {
                entry: number,
                document,
            }));
        }
    }
    Ok(None)
}

fn entry(placed: &Placed, people: &BTreeMap<ActorId, Participant>) -> JournalEntry {
    let (position, at, recorded) = placed;
    let actor = people.get(&recorded.actor);
    JournalEntry {
        position: *position,
        at: *at,
        actor: actor.map_or_else(|| recorded.actor.to_string(), |who| who.name.clone()),
        table: None,
        recorded: recorded.clone(),
    }
}

fn opened(events: &[Placed]) -> Result<(&Placed, LinkTerms), String> {
    let first = events.iter().find_map(|placed| match &placed.2.event {
        Event::LinkOpened { terms, .. } => Some((placed, (**terms).clone())),
        _ => None,
    });
    first.ok_or_else(|| "batch 1, which opened the link, is missing".to_owned())
}

/// Returns the tables that joined in these batches, each with the index of its event.
fn tables(events: &[Placed]) -> Vec<(usize, TableJoined)> {
    let joined = events.iter().enumerate();
    let joined = joined.filter_map(|(index, placed)| match &placed.2.event {
        Event::TableJoined(joined) => Some((index, (**joined).clone())),
        _ => None,
    });
    joined.collect()
}

/// Returns the rows of the hits that are recorded here. The events of another hit need no row.
fn rows(events: &[Placed], asked: HitId) -> BTreeMap<HitId, HitRow> {
    let mut rows: BTreeMap<HitId, HitRow> = BTreeMap::new();
    for (_, at, recorded) in events {
        let known = &rows;
        let mut find = |hit: HitId| match known.get(&hit) {
            Some(row) => Some(row.clone()),
            None if hit == asked => None,
            None => known.values().next().map(|row| another(row, hit)),
        };
        let changed = project(*at, recorded, &mut find).unwrap_or_default();
        let is_here =
            |row: &HitRow| rows.contains_key(&row.id()) || recorded_by(recorded, row.id());
        let changed: Vec<HitRow> = changed.into_iter().filter(|row| is_here(row)).collect();
        rows.extend(changed.into_iter().map(|row| (row.id(), row)));
    }
    rows
}

/// Returns the meters around the hit. Every batch of the stretch has to be there, as far as it is signed.
fn history(
    proof: &EvidenceProof,
    recorded_in: u64,
    levels: usize,
    gaps: &mut Vec<String>,
) -> Vec<MetersAfter> {
    let first = recorded_in.saturating_sub(HISTORY).max(1);
    let last = recorded_in
        .saturating_add(HISTORY)
        .min(proof.head.head.batch);
    let mut history = Vec::new();
    for number in first..=last {
        match proof.batch(number) {
            Some(found) => history.push(meters(found, levels)),
            None => gaps.push(format!("batch {number} is missing")),
        }
    }
    history
}

fn before(proof: &EvidenceProof, recorded_in: u64, levels: usize) -> Result<MetersAfter, String> {
    let number = recorded_in.saturating_sub(1);
    let found = proof.batch(number);
    let found =
        found.ok_or_else(|| format!("batch {number}, the one before the hit, is missing"))?;
    Ok(meters(found, levels))
}

fn meters(batch: &Batch, levels: usize) -> MetersAfter {
    let books = batch.after.chunks_exact(ACCOUNTS).take(levels);
    let meter = |book: &[i64]| {
        book.get(Account::Meter.index())
            .copied()
            .unwrap_or_default()
    };
    MetersAfter {
        batch: batch.number,
        at: batch.at,
        meters: books.map(|book| Money::from_micros(meter(book))).collect(),
    }
}
