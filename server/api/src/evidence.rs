//! The evidence of a hit: everything that people read about it, and the batches that prove it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::hit_detail::HitDetail;
use crate::journal::JournalEntry;
use crate::level::LevelAmount;
use crate::proof::ProofHead;
use crate::report::Payoff;
use crate::values::{GameName, LinkName, PaytableId, TableName, Time};

/// The first member of a bundle, by which a program recognises it.
pub const FORMAT: &str = "meterhouse-evidence-1";

/// The evidence of a hit. Everything but `payoff_report`, `written_at` and `program` follows from `proof`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Evidence {
    /// Form of the bundle: `meterhouse-evidence-1`.
    #[schema(examples("meterhouse-evidence-1"))]
    pub format: String,
    /// Time at which the bundle was written.
    pub written_at: Time,
    /// Program that wrote it.
    #[schema(examples("meterhouse 0.2.0"))]
    pub program: String,
    /// Identity of the database, in hexadecimal digits.
    pub database: String,
    /// Link.
    pub link: LinkName,
    /// Last batch that the bundle speaks of: what came later is not in it.
    pub through: u64,
    /// Hit with its cards, the server's evaluation, and its payouts.
    pub hit: HitDetail,
    /// Round of the hit.
    pub round: EvidenceRound,
    /// Commands of the round, and those of people about the hit, each with its times.
    pub commands: Vec<JournalEntry>,
    /// Meters after each batch around the hit, exact.
    pub history: Vec<EvidenceMeters>,
    /// Newest amounts that a display was sent before the hit: those after the batch before it, cut to the cent.
    pub displayed: EvidenceMeters,
    /// Configuration in force.
    pub configuration: EvidenceConfiguration,
    /// People and devices behind the commands.
    pub people: Vec<EvidencePerson>,
    /// Origin of the amount; null if the hit took nothing from a level.
    pub payoff_report: Option<Payoff>,
    /// Batches and signatures.
    pub proof: EvidenceProof,
}

/// The round of a hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EvidenceRound {
    /// Round: its table and coin-in.
    #[schema(examples("C4P-07.1"))]
    pub name: String,
    /// Seats with an accepted wager on the own hand.
    pub seats: Vec<u8>,
    /// Seats with an accepted wager on the dealer's hand.
    pub dealer_seats: Vec<u8>,
    /// Seats that got cards.
    pub dealt: Vec<u8>,
    /// Seats that folded.
    pub folded: Vec<u8>,
    /// Time of GAME OVER or of the void; null if the round was open.
    pub closed_at: Option<Time>,
}

/// The meters after a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EvidenceMeters {
    /// Batch.
    pub batch: u64,
    /// Time of the batch.
    pub at: Time,
    /// Levels, highest first.
    pub levels: Vec<LevelAmount>,
}

/// The configuration in force at a hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EvidenceConfiguration {
    /// Paytable of the link.
    pub paytable: PaytableId,
    /// Title of the paytable.
    pub title: String,
    /// SHA-256 of the paytable's content.
    pub content_hash: String,
    /// Number of the entry of the house's chain that has the paytable; null if the link is older than the chain.
    pub paytable_entry: Option<u64>,
    /// SHA-256 of the paytable's stored document.
    pub document_hash: Option<String>,
    /// Table.
    pub table: TableName,
    /// Game of the table.
    pub game: GameName,
    /// Seats on the layout.
    pub seats: u8,
    /// Version of the rules that decided the hit.
    pub rule_version: u16,
    /// Entry that opened the link, with its settings.
    pub opened: JournalEntry,
    /// Entry by which the table joined.
    pub joined: JournalEntry,
}

/// A person or a device behind a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EvidencePerson {
    /// Number in the journal.
    pub actor: i32,
    /// Name of the token's holder.
    pub name: String,
    /// Role.
    pub role: String,
    /// Department, if one was given.
    pub department: Option<String>,
}

/// The proof of a bundle. Bytes and hashes are hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EvidenceProof {
    /// Signed head of the link.
    pub link_head: ProofHead,
    /// Batches with the events of the hit, of its round, and around it.
    pub batches: Vec<EvidenceBatch>,
    /// Signed head of the house's chain.
    pub house_head: ProofHead,
    /// Entries of the house's chain about the people, the paytable, and all signing keys.
    pub entries: Vec<EvidenceEntry>,
}

/// A batch with its path to the root of the link's head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EvidenceBatch {
    /// Number.
    pub batch: u64,
    /// Bytes of the batch: section 2 of JOURNAL says what they are.
    pub bytes: String,
    /// Chain hash of the batch before.
    pub hash_before: String,
    /// Chain hash of the batch.
    pub chain_hash: String,
    /// Hashes beside the way from the leaf to the root.
    pub path: Vec<String>,
}

/// An entry of the house's chain with its path to the root of the house's head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EvidenceEntry {
    /// Number.
    pub entry: u64,
    /// Server time of the entry.
    pub at: Time,
    /// Kind: section 9 of JOURNAL lists them.
    pub kind: u8,
    /// Bytes of the entry's body.
    pub body: String,
    /// Hash of the entry before.
    pub hash_before: String,
    /// Hash of the entry.
    pub hash: String,
    /// Hashes beside the way from the leaf to the root.
    pub path: Vec<String>,
}
