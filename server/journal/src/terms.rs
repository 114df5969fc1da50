//! Canonical forms of a link's terms and paytable, and the hash that identifies the content that tables share.
//!
//! # Shape
//! The whole paytable is written, so that a journal never depends on a file. It is used by the event that opens a
//! link, by refused joins and by snapshots.

use meterhouse_domain::link::{LinkSettings, LinkTerms};
use meterhouse_domain::paytable::{
    Charge, Content, FoldRule, Game, GameRules, Level, Line, Pays, Paytable, Settlement,
    TableLimits, Validation,
};
use sha2::{Digest, Sha256};

use crate::batch::HASH_BYTES;
use crate::codec::{Canonical, DecodeError, Problem, Reader, Writer};
use crate::forms::{structs, variants};

/// Number of hash bytes in a [`content_version`].
const VERSION_BYTES: usize = 8;

/// Version of the bytes that [`content_hash`] covers.
pub const CONTENT_VERSION: u8 = 2;

/// Returns SHA-256 over [`CONTENT_VERSION`] and a content's canonical bytes: equal exactly if the contents are.
pub fn content_hash(content: &Content) -> [u8; HASH_BYTES] {
    let mut bytes = vec![CONTENT_VERSION];
    content.write(&mut Writer::new(&mut bytes));
    Sha256::digest(&bytes).into()
}

/// Returns the short version of a content for people: the first eight bytes of [`content_hash`] in hexadecimal.
pub fn content_version(content: &Content) -> String {
    version_text(content_hash(content))
}

/// Returns the [`content_version`] of a content from its hash.
pub fn version_text(hash: [u8; HASH_BYTES]) -> String {
    let first = hash.into_iter().take(VERSION_BYTES);
    let version = first.fold(0, |version, byte| version << 8 | u64::from(byte));
    format!("{version:016x}")
}

structs! {
    LinkTerms {
        name, paytable, wager, decks, reserve_policy, settings;
        since 3: limits, counts_draws_and_envy, must_accept_values
    }
    TableLimits { decks_max, boxes_max }
    LinkSettings {
        ceilings, rounds_a_minute_max, silence_seconds_max, magic_card_one_in, lucky_bonus_one_in;
        since 3: badge_required,
    }
    Paytable {
        id, title, jurisdiction, citation, effective, wager_kind, games, rules, linkable, content,
    }
    Game { name, seats_max }
    GameRules { hand_rule, fold }
    FoldRule { award, hand_gives_envy }
    Content {
        ranking, bet_on_dealer, validation, levels, lines, magic_card, lucky_bonus, settlement,
        envy_printed_for,
    }
    Level { name, seed, reseed, primary, reserve }
    Line { hand, pays, envy }
    Settlement { percent, for_one, envy }
    Charge { charged_to, handed_over }
}

variants! {
    Validation "rule of validation" {
        1 EveryHit,
        2 PercentAndForOneAtLeast(odds: u32),
    }
    Pays "kind of pay" {
        1 Percent { percent, level },
        2 ForOne(odds: u32),
        3 ForOneOf { odds, level },
    }
}
