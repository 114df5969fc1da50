//! The parameters in the paths of operations.

use core::str::FromStr;

use meterhouse_api::sequence::SequenceNumber;
use meterhouse_api::text::InvalidValue;
use meterhouse_api::values::{
    ArtworkKind, Badge, GameName, HitName, LevelName, LinkName, PaytableId, ProposalId, TableName,
    ThemeName,
};
use meterhouse_domain::theme::DIGEST_BYTES;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_journal::position::INDEX_MAX;
use serde::Deserialize;
use utoipa::IntoParams;

use super::date::Date;
use super::parameters::{Ordinal, Whole, text};

/// Greatest number of a reprint.
const REPRINT_MAX: u32 = 1_000_000;

macro_rules! paths {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field:meta])* $part:ident: $kind:ty,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Deserialize, IntoParams)]
        #[into_params(parameter_in = Path)]
        pub(crate) struct $name {
            $(
                $(#[$field])*
                #[serde(deserialize_with = "text")]
                pub(crate) $part: $kind,
            )+
        }
    )+};
}

paths! {
    /// A table.
    TablePath {
        /// Table.
        #[param(inline)]
        table: TableName,
    }

    /// A command of a table.
    CommandPath {
        /// Table.
        #[param(inline)]
        table: TableName,
        /// Number of the command.
        #[param(inline)]
        sequence: SequenceNumber,
    }

    /// A link.
    LinkPath {
        /// Link.
        #[param(inline)]
        link: LinkName,
    }

    /// A level of a link.
    LevelPath {
        /// Link.
        #[param(inline)]
        link: LinkName,
        /// Level.
        #[param(inline)]
        level: LevelName,
    }

    /// A proposal of a link.
    ProposalPath {
        /// Link.
        #[param(inline)]
        link: LinkName,
        /// Proposal: a UUID that the client makes.
        #[param(inline)]
        proposal: ProposalId,
    }

    /// A person or program.
    PersonPath {
        /// Name of the person or program.
        #[param(inline)]
        person: Badge,
    }

    /// A screen.
    ScreenPath {
        /// Name of the screen.
        #[param(inline)]
        screen: Badge,
    }

    /// A subscription of a browser.
    PushPath {
        /// SHA-256 of the endpoint in hexadecimal.
        #[param(value_type = String, pattern = "^[0-9a-f]{64}$")]
        subscription: Digest,
    }

    /// An exception of a link.
    ExceptionPath {
        /// Link.
        #[param(inline)]
        link: LinkName,
        /// Number of the batch.
        #[param(value_type = u64, minimum = 1)]
        batch: Ordinal,
        /// Index of the event in its batch, from 0.
        #[param(value_type = u32, minimum = 0)]
        position: EventIndex,
    }

    /// A day of a link.
    ClosingPath {
        /// Link.
        #[param(inline)]
        link: LinkName,
        /// A day in UTC: YYYY-MM-DD.
        #[param(value_type = String, format = Date)]
        date: Date,
    }

    /// A hit.
    HitPath {
        /// Hit: TABLE.NUMBER or TABLE.NUMBER.N.
        #[param(inline)]
        hit: HitName,
    }

    /// A payout of a hit.
    PayoutPath {
        /// Hit: TABLE.NUMBER or TABLE.NUMBER.N.
        #[param(inline)]
        hit: HitName,
        /// Number of the payout, from 1.
        #[param(value_type = u32, minimum = 1)]
        payout: PayoutNumber,
    }

    /// A slip.
    SlipPath {
        /// Number of the slip.
        #[param(value_type = u64, minimum = 1)]
        slip: Ordinal,
    }

    /// A reprint of a slip.
    ReprintPath {
        /// Number of the slip.
        #[param(value_type = u64, minimum = 1)]
        slip: Ordinal,
        /// Number of the reprint, from 1.
        #[param(value_type = u32, minimum = 1, maximum = 1_000_000)]
        reprint: Whole<REPRINT_MAX>,
    }

    /// A paytable.
    PaytablePath {
        /// Paytable.
        #[param(inline)]
        paytable: PaytableId,
    }

    /// A theme of the house.
    ThemePath {
        /// Theme.
        #[param(inline)]
        theme: ThemeName,
    }

    /// A picture of a theme.
    ThemeArtworkPath {
        /// Theme.
        #[param(inline)]
        theme: ThemeName,
        /// Picture.
        #[param(inline)]
        artwork: ArtworkKind,
    }

    /// A picture.
    ArtworkPath {
        /// SHA-256 of the picture's bytes, as the theme has it.
        #[param(value_type = String, pattern = "^[0-9a-f]{64}$")]
        digest: Digest,
    }

    /// A game.
    GamePath {
        /// Game.
        #[param(inline)]
        game: GameName,
    }
}

/// The index of an event in its batch, from 0.
pub(crate) struct EventIndex(pub(crate) u32);

impl FromStr for EventIndex {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let number = text.parse().ok().filter(|number| *number <= INDEX_MAX);
        number.map(Self).ok_or_else(|| {
            let detail = format_args!("write a whole number from 0 to {INDEX_MAX}").to_string();
            InvalidValue::new(EdgeCode::InvalidParameter.code(), detail)
        })
    }
}

/// The SHA-256 of a picture or an endpoint.
pub(crate) struct Digest(pub(crate) [u8; DIGEST_BYTES]);

impl FromStr for Digest {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let is_lower = !text.bytes().any(|byte| byte.is_ascii_uppercase());
        let mut digest = [0; DIGEST_BYTES];
        let read = hex::decode_to_slice(text, &mut digest);
        read.ok()
            .filter(|()| is_lower)
            .map(|()| Self(digest))
            .ok_or_else(|| {
                let detail = "write the SHA-256 as 64 hexadecimal digits in small letters";
                InvalidValue::new(EdgeCode::InvalidName.code(), detail)
            })
    }
}

/// The number of a payout, from 1.
pub(crate) struct PayoutNumber(pub(crate) u32);

impl FromStr for PayoutNumber {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let number: Option<u32> = text.parse().ok();
        let number = number.filter(|number| *number > 0 && number.to_string() == text);
        number.map(Self).ok_or_else(|| {
            let detail = "a payout is its number from the outcome of the hit, from 1";
            InvalidValue::new("invalid_sequence", detail)
        })
    }
}
