//! Returns: the worth of a wager on a paytable and on a link.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::paytable::NotInSource;
use crate::values::{Amount, Bonus, Hand, LevelName, PaytableId};

/// A share of the wager in two forms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Share {
    /// Percentage, rounded to two decimals.
    #[schema(examples("75.89%"))]
    pub percent: String,
    /// Exact fraction.
    #[schema(examples("1/65"))]
    pub exact: String,
}

/// The long-run return of a wager on a link, each part at the layout with the highest return.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkReturns {
    /// Total. If it is more than the wager, the link waits until two people have acknowledged it.
    pub total: Share,
    /// Long run of the paytable: meters and fixed pays.
    pub long_run: Share,
    /// Magic Cards, at the link's rate of draws.
    pub magic_card: Share,
    /// Lucky Bonuses, at the link's rate of draws, on a layout of one position.
    pub lucky_bonus: Share,
    /// Envy at a full table.
    pub envy_at_full_table: Share,
    /// Players of that table: the seats of the largest layout of a game of the paytable.
    #[schema(examples(6))]
    pub full_table: u8,
    /// True if two people have to acknowledge the return before a table plays. For a link that was opened before draws
    /// and envy counted, the long run alone decides.
    pub two_people: bool,
}

/// The worth of a wager on a paytable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PaytableReturns {
    /// Id.
    pub paytable: PaytableId,
    /// Title.
    pub title: String,
    /// Source.
    pub citation: String,
    /// Values that the source omits.
    pub not_in_source: Vec<NotInSource>,
    /// Wager.
    pub wager: Amount,
    /// Lines.
    pub lines: Vec<LineReturn>,
    /// Levels.
    pub levels: Vec<LevelReturn>,
    /// Fixed odds that the house pays.
    pub fixed: Share,
    /// Fixed odds that come off a level first; the long run counts them with the contributions of the levels.
    pub fixed_of_levels: Share,
    /// Contributions to displayed balances.
    pub primary: Share,
    /// Contributions to reserves.
    pub reserve: Share,
    /// Funding by the house when a level restarts.
    pub reseed: Share,
    /// Minimum funding by the house if fixed odds off a level are more than its contributions on average.
    pub shortfall: Share,
    /// Return of the next wager at the displayed amounts, without envy and draws.
    pub at_displayed: Share,
    /// Long-run return of all wagers, without envy and draws.
    pub long_run: Share,
    /// Long-run hold of the house; negative if it pays more than it takes.
    pub hold: Share,
    /// Envy, by the number of wagering players at the table.
    pub envy: Vec<EnvyReturn>,
    /// Draws.
    pub draws: Vec<DrawReturn>,
    /// Long-run return of all wagers with the requested draws, without envy.
    pub with_draws: Share,
    /// Return of a link with this paytable and these draws, each part at the layout with the highest return.
    pub on_a_link: LinkReturns,
    /// Warning for an operator who opens a link with this paytable; null if there is none.
    pub warning: Option<String>,
    /// A paytable of the operator's own with a return of at most the wager; null if this one doesn't return more without
    /// draws, and if no level can bear enough fixed pays.
    pub offer: Option<PaytableOffer>,
}

/// The return of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LineReturn {
    /// Hand.
    pub hand: Hand,
    /// Number of dealt hands that are this one.
    pub hands: u32,
    /// Number of all dealt hands.
    pub of: u32,
    /// Number of dealt hands per hand of this kind, rounded to two decimals.
    #[schema(examples("649740.00"))]
    pub one_in: String,
    /// Return at the displayed amounts.
    pub at_displayed: Share,
}

/// The return of a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LevelReturn {
    /// Level.
    pub level: LevelName,
    /// Displayed amount.
    pub displayed: Amount,
    /// Displayed amount at which the next wager returns itself, with the other levels as they are; null if there is none.
    pub break_even: Option<String>,
    /// Average pay of a win, with the reserve added at each restart; null if the level can't last.
    pub mean_jackpot: Option<String>,
}

/// The return of envy at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EnvyReturn {
    /// Number of wagering players.
    pub players: u8,
    /// Return for each of them.
    pub adds: Share,
}

/// The return of a draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DrawReturn {
    /// Draw.
    pub draw: Bonus,
    /// Return if it were drawn every round.
    pub every_round: Share,
    /// Number of rounds per draw; null for no draw.
    pub one_in: Option<u32>,
    /// Return at that rate.
    pub adds: Share,
}

/// A paytable of the operator's own: the same with its upper fixed pays off a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PaytableOffer {
    /// Id, which is the name of the file without `.toml`.
    pub paytable: PaytableId,
    /// Level that the pays come off.
    pub level: LevelName,
    /// Hands whose pays come off it, highest first.
    pub hands: Vec<Hand>,
    /// Return of the next wager at the displayed amounts, if the level can bear its pays.
    pub at_displayed: Share,
    /// Minimum long-run return of all wagers: if the level can't bear a pay, the house pays the rest.
    pub long_run: Share,
    /// Content of the file, for the folder of the operator's own paytables.
    pub file: String,
}
