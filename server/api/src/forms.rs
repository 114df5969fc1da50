//! The text forms of names, money, times, cards, hits, positions and words.

use core::fmt;

use meterhouse_domain::adopted::Returned;
use meterhouse_domain::card::Card;
use meterhouse_domain::change::AdjustedAccount;
use meterhouse_domain::command::{Bonus, VoidReason, WageredHand};
use meterhouse_domain::event::{HitKind, PayoutKind};
use meterhouse_domain::fixed::field::{Compartment, Goal, Team};
use meterhouse_domain::fixed::limit::LimitReading;
use meterhouse_domain::fixed::settle::{Irregularity, SeatEnd, WagerResult};
use meterhouse_domain::hand::{Hand, Ranking};
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{
    Badge, Department, Document, GameName, Letter, LevelName, LinkName, Note, PaytableId,
    PlayerName, ProposalId, ReadingName, TEXT_LENGTH_MAX, TableName, Timestamp,
};
use meterhouse_domain::link::{Account, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{ChargedTo, FoldAward, HandRule, HandedOver, WagerKind};
use meterhouse_domain::presentation::{
    Celebration, ChosenTheme, DISPLAY_NAME_LENGTH_MAX, DisplayName, Locale, Theme, ThemeName,
};
use meterhouse_domain::theme::{ArtworkKind, Colour, Currency, SignText};
use meterhouse_journal::hit::HitState;
use meterhouse_journal::position::Position;
use meterhouse_journal::seal::Seal;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use utoipa::openapi::{KnownFormat, SchemaFormat};
use uuid::Uuid;

use crate::text::{InvalidValue, TextForm};
use crate::time;

const COMPARTMENT: &str = "^(00|[0-9]|[12][0-9]|3[0-6])$";
const CARD: &str = "^([2-9TJQKAtjqka]|10)[CDHScdhs]$";
const HIT: &str = r"^[A-Za-z0-9-]{1,32}\.[1-9][0-9]{0,18}(\.[1-9][0-9]{0,2})?$";
const COLOUR: &str = "^#[0-9A-Fa-f]{6}$";
const LOCALE: &str = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$";
const NAME: &str = "^[A-Za-z0-9-]{1,32}$";
const POSITION: &str = r"^[0-9]+(\.[0-9]+)?$";
const RETURNED: &str = r"^[0-9]{1,4}(\.[0-9]{1,4})?%$";
const SEAL: &str = r"^(0|[1-9][0-9]{0,19})\.[0-9a-f]{16}\.(0|-?[1-9][0-9]{0,18})\.[0-9a-f]{32}$";
const SIGNED: &str = r"^-?[0-9]{1,13}(\.[0-9]{1,6})?$";
const THEME: &str = "^[a-z][a-z0-9-]{0,31}$";
const UNSIGNED: &str = r"^[0-9]{1,13}(\.[0-9]{1,6})?$";
const SIGN_TEXT: &str = r"^[^\u0000-\u001f\u007f-\u009f<>]+$";
const FREE_TEXT: &str = r"^[^\u0000-\u001f\u007f-\u009f]+$";

/// Characters of a UUID in its usual form.
const UUID_LENGTH: usize = 36;

fn string(pattern: &str, example: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some(pattern))
        .examples([example])
}

macro_rules! forms {
    ($($name:ident $code:literal $advice:expr, $pattern:expr, $example:literal $description:literal;)+) => {$(
        impl TextForm for $name {
            const NAME: &'static str = stringify!($name);
            const CODE: &'static str = $code;

            fn read(text: &str) -> Result<Self, InvalidValue> {
                let advice: Option<&str> = $advice;
                text.parse().map_err(|error| match advice {
                    Some(advice) => InvalidValue::new($code, advice),
                    None => InvalidValue::new($code, error),
                })
            }

            fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, out)
            }

            fn schema() -> Object {
                string($pattern, $example).description(Some($description)).build()
            }
        }
    )+};
}

forms! {
    LinkName "invalid_name" None, NAME, "main" "Name of a link";
    TableName "invalid_name" None, NAME, "C4P-07" "Name of a table";
    PlayerName "invalid_name" None, NAME, "p-77" "Player, by the operator's system";
    Badge "invalid_name" None, NAME, "d-12" "Badge of a dealer, or name of a person";
    PaytableId "invalid_name" None, NAME, "pa-657a-five-card-c" "Id of a paytable";
    GameName "invalid_name" None, NAME, "crazy-4-poker" "Name of a game";
    LevelName "invalid_name" None, NAME, "mega" "Name of a level";
    ReadingName "invalid_name" None, NAME, "queens-or-better" "Name of a reading of a doubtful print";
    Department "invalid_name" None, NAME, "slots" "Department of a person";
    Card "invalid_card"
        Some("write the rank (2 to 9, T or 10, J, Q, K, A) and the suit (c, d, h, s), such as As or Td"),
        CARD, "As" "Rank and suit of a card";
    Returned "invalid_value" None, RETURNED, "98.3012%" "Return of a wager in percent, with at most four decimals";
    Compartment "invalid_value" Some("write 00, or a number from 0 to 36"), COMPARTMENT, "00" "Compartment of a double zero wheel";
    HitName "invalid_name"
        Some("a hit is TABLE.NUMBER, such as C4P-07.4713: the table and the number of the command that keyed it; \
              one of several is C4P-07.4713.2"),
        HIT, "C4P-07.4713" "Name of a hit: its table, its command's number and, of several, its own number";
    Locale "invalid_value" None, LOCALE, "en-US" "Language of a sign, and perhaps its region";
    Colour "invalid_value" None, COLOUR, "#f6cf6b" "Colour of sRGB";
    ThemeName "invalid_name" None, THEME, "crown-room" "Name of a theme of the house";
    ChosenTheme "invalid_value" None, THEME, "neon"
        "Look of a sign: `gold`, `neon`, `heritage`, or a theme of the house";
    SignText "invalid_value" None, SIGN_TEXT, "Grand" "Text on signs, shown letter by letter";
    Position "invalid_parameter" None, POSITION, "12.0"
        "Position in a link's journal: BATCH.INDEX, or BATCH for the end of a batch";
    Seal "invalid_value" None, SEAL, "57.0000000000000000.1795000000000001.3b0fb4d2a5a2b1a0c6f14dd87c0c4c1e"
        "Seal of what was sent last, to be sent back unchanged";
}

macro_rules! free_texts {
    ($($name:ident $length_max:ident $example:literal $description:literal;)+) => {$(
        impl TextForm for $name {
            const NAME: &'static str = stringify!($name);
            const CODE: &'static str = "invalid_value";

            fn read(text: &str) -> Result<Self, InvalidValue> {
                text.parse().map_err(|error| InvalidValue::new(Self::CODE, error))
            }

            fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(self.as_str())
            }

            fn schema() -> Object {
                string(FREE_TEXT, $example)
                    .min_length(Some(1))
                    .max_length(Some($length_max))
                    .description(Some($description))
                    .build()
            }
        }
    )+};
}

free_texts! {
    DisplayName DISPLAY_NAME_LENGTH_MAX "Northern Crown" "Name for people";
    Document TEXT_LENGTH_MAX "JP-000123" "Number of the document of a payout";
    Letter TEXT_LENGTH_MAX "PGCB-2026-118" "Number of a regulator's letter";
    Note TEXT_LENGTH_MAX "shift change" "Text for people";
}

macro_rules! words {
    ($($name:ident $description:literal;)+) => {$(
        impl TextForm for $name {
            const NAME: &'static str = stringify!($name);
            const CODE: &'static str = "invalid_value";

            fn read(text: &str) -> Result<Self, InvalidValue> {
                let mut all = Self::ALL.iter().copied();
                all.find(|word| Self::name(*word) == text).ok_or_else(|| {
                    let words: Vec<&str> = Self::ALL.iter().map(|word| Self::name(*word)).collect();
                    InvalidValue::new(Self::CODE, format_args!("write one of {}", words.join(", ")))
                })
            }

            fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(Self::name(*self))
            }

            fn schema() -> Object {
                words_schema(Self::ALL.iter().map(|word| Self::name(*word)), $description)
            }
        }
    )+};
}

words! {
    Account "Account of a level";
    AdjustedAccount "Account that two people can adjust";
    Celebration "Time of the full celebration of a win on a sign";
    ArtworkKind "Picture of a theme";
    Currency "Way of writing the currency: its sign, or the amount alone";
    Theme "Shipped look of a sign";
    Bonus "Bonus that a round's draw gives";
    ChargedTo "Payer of a pay: the level's meter, or the house";
    FoldAward "Award of a seat that folded";
    Goal "Reading of an end zone reached before the fourth down";
    HandRule "Rule by which the progressive hand is formed";
    HandedOver "Way of a payment to the player";
    HitKind "Kind of a hit; `envy` for a holder without a wager";
    HitState "State of a hit";
    Irregularity "Irregularity that makes a round void";
    LimitReading "Reading of a payout limit whose clause has two";
    PayoutKind "Kind of a payout; a `supplement` is what a correction adds";
    SeatEnd "End of a player's part in a round";
    Ranking "Ranking of the hands";
    ReservePolicy "Amount that a level with a reserve restarts with";
    Team "Team of Touchdown Roulette, by its colour";
    VoidReason "Reason that a round is void";
    WagerKind "Wager that a paytable pays";
    WagerResult "Result of a wager at fixed odds";
    WageredHand "Hand that a wager is on";
}

pub(crate) fn words_schema<W: Into<String>>(
    words: impl Iterator<Item = W>,
    description: &str,
) -> Object {
    let words: Vec<String> = words.map(Into::into).collect();
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(words))
        .description(Some(description))
        .build()
}

impl TextForm for Hand {
    const NAME: &'static str = "Hand";
    const CODE: &'static str = "unknown_hand";

    fn read(text: &str) -> Result<Self, InvalidValue> {
        text.parse().map_err(|_| {
            let hands = Self::ALL.map(Self::name).join(", ");
            InvalidValue::new(Self::CODE, format_args!("write one of {hands}"))
        })
    }

    fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }

    fn schema() -> Object {
        let words = Self::ALL.iter().map(|hand| hand.name());
        words_schema(words, "Hand, as the paytable names it")
    }
}

impl TextForm for Money {
    const NAME: &'static str = "Amount";
    const CODE: &'static str = "invalid_amount";

    fn read(text: &str) -> Result<Self, InvalidValue> {
        let Some(magnitude) = text.strip_prefix('-') else {
            return Unsigned::read(text).map(|Unsigned(amount)| amount);
        };
        let Unsigned(amount) = Unsigned::read(magnitude)?;
        Self::ZERO
            .minus(amount)
            .map_err(|error| InvalidValue::new(Self::CODE, error))
    }

    fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }

    fn schema() -> Object {
        string(SIGNED, "10000.27")
            .description(Some(
                "Dollars, exact; a shown or paid amount has two decimals",
            ))
            .build()
    }
}

/// Money that a request may not take away: without a sign.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsigned(pub Money);

impl TextForm for Unsigned {
    const NAME: &'static str = "UnsignedAmount";
    const CODE: &'static str = Money::CODE;

    fn read(text: &str) -> Result<Self, InvalidValue> {
        text.parse()
            .map(Self)
            .map_err(|error| InvalidValue::new(Self::CODE, error))
    }

    fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, out)
    }

    fn schema() -> Object {
        string(UNSIGNED, "1.00")
            .description(Some("Dollars, without a sign"))
            .build()
    }
}

impl TextForm for Timestamp {
    const NAME: &'static str = "Time";
    const CODE: &'static str = "invalid_time";

    fn read(text: &str) -> Result<Self, InvalidValue> {
        time::parse(text).ok_or_else(|| {
            let advice = "write an RFC 3339 time, such as \"2026-11-21T12:00:00.000000Z\"";
            InvalidValue::new(Self::CODE, advice)
        })
    }

    fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&time::text(*self))
    }

    fn schema() -> Object {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some("RFC 3339; answers are in UTC, with microseconds"))
            .examples(["2026-11-21T12:00:00.000000Z"])
            .build()
    }
}

impl TextForm for ProposalId {
    const NAME: &'static str = "ProposalId";
    const CODE: &'static str = "invalid_name";

    fn read(text: &str) -> Result<Self, InvalidValue> {
        let uuid = Uuid::try_parse(text)
            .ok()
            .filter(|_| text.len() == UUID_LENGTH);
        let uuid = uuid.ok_or_else(|| {
            let advice =
                "a proposal is a UUID that you make, such as 1b4e28ba-2fa1-41d2-883f-0016d3cca427";
            InvalidValue::new(Self::CODE, advice)
        })?;
        Ok(Self(uuid.into_bytes()))
    }

    fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Uuid::from_bytes(self.0).hyphenated(), out)
    }

    fn schema() -> Object {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::Custom("uuid".to_owned())))
            .description(Some("Id of a proposal, which the client makes"))
            .examples(["1b4e28ba-2fa1-41d2-883f-0016d3cca427"])
            .build()
    }
}

#[cfg(test)]
mod tests;
