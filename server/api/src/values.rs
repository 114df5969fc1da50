//! Names of the text types, for the fields of requests and responses.

use meterhouse_domain::{
    adopted, card, change, command, event, fixed, hand, hit_name, ids, link, money, paytable,
    presentation, theme,
};
use meterhouse_journal::{hit, position, seal};

use crate::forms;
use crate::given;
use crate::text::Text;

macro_rules! values {
    ($($(#[$doc:meta])* $name:ident = $inner:ty;)+) => {$(
        $(#[$doc])*
        pub type $name = Text<$inner>;
    )+};
}

values! {
    /// Account of a level.
    Account = link::Account;
    /// Account that two people can adjust.
    AdjustedAccount = change::AdjustedAccount;
    /// Dollars as a decimal string: exact, negative if money was taken away.
    Amount = money::Money;
    /// Picture of a theme.
    ArtworkKind = theme::ArtworkKind;
    /// Badge of a dealer, or name of a person.
    Badge = ids::Badge;
    /// Bonus that a round's draw gives.
    Bonus = command::Bonus;
    /// Card.
    Card = card::Card;
    /// Time of the full celebration of a win on a sign.
    Celebration = presentation::Celebration;
    /// Payer of a pay.
    ChargedTo = paytable::ChargedTo;
    /// Theme that a link chose: a shipped one, or one of the house.
    ChosenTheme = presentation::ChosenTheme;
    /// Colour of a theme.
    Colour = theme::Colour;
    /// Compartment of a double zero wheel.
    Compartment = fixed::field::Compartment;
    /// Way of writing the currency.
    Currency = theme::Currency;
    /// Department of a person.
    Department = ids::Department;
    /// Name for people, of a link or a pit.
    DisplayName = presentation::DisplayName;
    /// Number of a document.
    Document = ids::Document;
    /// Award of a seat that folded.
    FoldAward = paytable::FoldAward;
    /// Name of a game.
    GameName = ids::GameName;
    /// Number of a document, as a person gives it: not blank.
    GivenDocument = given::Given<ids::Document>;
    /// Number of a regulator's letter, as a person gives it: not blank.
    GivenLetter = given::Given<ids::Letter>;
    /// Text for people, as a person gives it: not blank.
    GivenNote = given::Given<ids::Note>;
    /// Reading of an end zone reached before the fourth down.
    Goal = fixed::field::Goal;
    /// Hand.
    Hand = hand::Hand;
    /// Rule by which the progressive hand is formed.
    HandRule = paytable::HandRule;
    /// Way of a payment to the player.
    HandedOver = paytable::HandedOver;
    /// Kind of a hit.
    HitKind = event::HitKind;
    /// Name of a hit.
    HitName = hit_name::HitName;
    /// State of a hit.
    HitState = hit::HitState;
    /// Irregularity that makes a round void.
    Irregularity = fixed::settle::Irregularity;
    /// Number of a regulator's letter.
    Letter = ids::Letter;
    /// Name of a level.
    LevelName = ids::LevelName;
    /// Reading of a payout limit whose clause has two.
    LimitReading = fixed::limit::LimitReading;
    /// Name of a link.
    LinkName = ids::LinkName;
    /// Language of a sign, and perhaps its region.
    Locale = presentation::Locale;
    /// Text for people.
    Note = ids::Note;
    /// Kind of a payout.
    PayoutKind = event::PayoutKind;
    /// Id of a paytable.
    PaytableId = ids::PaytableId;
    /// End of a player's part in a round.
    SeatEnd = fixed::settle::SeatEnd;
    /// Player.
    PlayerName = ids::PlayerName;
    /// Position in a link's journal.
    Position = position::Position;
    /// Id of a proposal.
    ProposalId = ids::ProposalId;
    /// Ranking of the hands.
    Ranking = hand::Ranking;
    /// Amount that a level with a reserve restarts with.
    ReservePolicy = link::ReservePolicy;
    /// Name of a reading of a doubtful print.
    ReadingName = ids::ReadingName;
    /// Return of a wager in percent.
    Returned = adopted::Returned;
    /// Wager of a round that is paid at fixed odds.
    RoundWager = fixed::wager::RoundWager;
    /// Seal of what a table or display was sent last.
    Seal = seal::Seal;
    /// Text on signs.
    SignText = theme::SignText;
    /// Name of a table.
    TableName = ids::TableName;
    /// Team of Touchdown Roulette.
    Team = fixed::field::Team;
    /// Shipped look of a sign.
    Theme = presentation::Theme;
    /// Name of a theme of the house.
    ThemeName = presentation::ThemeName;
    /// Time: RFC 3339, UTC, microseconds.
    Time = ids::Timestamp;
    /// Dollars in a request, without a sign.
    UnsignedAmount = forms::Unsigned;
    /// Reason that a round is void.
    VoidReason = command::VoidReason;
    /// Wager that a paytable pays.
    WagerKind = paytable::WagerKind;
    /// Result of a wager at fixed odds.
    WagerResult = fixed::settle::WagerResult;
    /// Hand that a wager is on.
    WageredHand = command::WageredHand;
}
