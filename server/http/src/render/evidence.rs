//! The evidence of a hit, made from the batches alone: the server and the verifier write the same.

use meterhouse_api::evidence::{
    Evidence, EvidenceConfiguration, EvidenceMeters, EvidencePerson, EvidenceRound, FORMAT,
};
use meterhouse_api::level::LevelAmount;
use meterhouse_api::report::Payoff;
use meterhouse_api::text::Text;
use meterhouse_domain::ids::{TableNo, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_engine::evidence::EvidenceProof;
use meterhouse_engine::evidence::derived::{Derived, MetersAfter, Participant};
use meterhouse_engine::evidence::round::Round;

use super::event::journal_entry;
use super::evidence_proof::evidence_proof;
use super::hit_detail::hit_detail;
use super::names::Names;
use super::value::seat_list;

/// What the batches don't prove.
pub(crate) struct Unproven {
    pub(crate) written_at: Timestamp,
    pub(crate) program: String,
    pub(crate) payoff: Option<Payoff>,
}

/// Returns the evidence of a hit.
pub(crate) fn evidence(proof: &EvidenceProof, derived: &Derived, unproven: Unproven) -> Evidence {
    let names = Names::of_known(&derived.terms, &derived.tables);
    let table = TableNo(derived.hit.row.table);
    Evidence {
        format: FORMAT.to_owned(),
        written_at: Text(unproven.written_at),
        program: unproven.program,
        database: hex::encode(proof.head.head.identity),
        link: Text(derived.terms.name.clone()),
        through: proof.head.head.batch,
        hit: hit_detail(&derived.hit, Some(&derived.terms)),
        round: round(names, table, &derived.round),
        commands: derived
            .commands
            .iter()
            .map(|entry| journal_entry(names, entry))
            .collect(),
        history: derived
            .history
            .iter()
            .map(|after| meters(names, after, |amount| amount))
            .collect(),
        displayed: meters(names, &derived.before, Money::displayed),
        configuration: configuration(proof, derived, names),
        people: derived.participants.iter().map(person).collect(),
        payoff_report: unproven.payoff,
        proof: evidence_proof(proof),
    }
}

fn round(names: Names<'_>, table: TableNo, round: &Round) -> EvidenceRound {
    EvidenceRound {
        name: names.round(table, round.sequence),
        seats: seat_list(round.coin_in.own),
        dealer_seats: seat_list(round.coin_in.dealer),
        dealt: seat_list(round.coin_in.dealt),
        folded: seat_list(round.folded),
        closed_at: round.closed_at.map(Text),
    }
}

fn meters(names: Names<'_>, after: &MetersAfter, shown: fn(Money) -> Money) -> EvidenceMeters {
    let levels = (0..).zip(&after.meters);
    EvidenceMeters {
        batch: after.batch,
        at: Text(after.at),
        levels: levels
            .map(|(level, amount)| LevelAmount {
                level: names.level(level),
                amount: Text(shown(*amount)),
            })
            .collect(),
    }
}

fn configuration(
    proof: &EvidenceProof,
    derived: &Derived,
    names: Names<'_>,
) -> EvidenceConfiguration {
    let mut batches = proof.batches.iter().map(|proven| &proven.batch);
    let recorded_in = batches.find(|batch| batch.number == derived.recorded_in);
    let stored = derived.paytable.as_ref();
    EvidenceConfiguration {
        paytable: Text(derived.terms.paytable.id.clone()),
        title: derived.terms.paytable.title.clone(),
        content_hash: hex::encode(derived.content),
        paytable_entry: stored.map(|stored| stored.entry),
        document_hash: stored.map(|stored| hex::encode(stored.document)),
        table: Text(derived.table.name.clone()),
        game: Text(derived.table.game.clone()),
        seats: derived.table.seats,
        rule_version: recorded_in.map_or(0, |batch| batch.rule_version),
        opened: journal_entry(names, &derived.opened),
        joined: journal_entry(names, &derived.joined),
    }
}

fn person(who: &Participant) -> EvidencePerson {
    EvidencePerson {
        actor: who.actor.0,
        name: who.name.clone(),
        role: who.role.clone(),
        department: who.department.clone(),
    }
}
