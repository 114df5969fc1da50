//! What stands under the key of each command.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::extract::{Loose, Object};

/// The wagers of one round and who was dealt in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CoinIn)]
pub(super) struct CoinInBody {
    /// The accepted progressive wagers.
    #[schema(value_type = Vec<WagerBody>, max_items = 64)]
    pub(super) wagers: Vec<Object<WagerBody>>,
    /// The seats that get cards.
    #[schema(value_type = Vec<u8>, max_items = 64)]
    pub(super) dealt: Vec<Loose>,
}

/// One progressive wager.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Wager)]
pub(super) struct WagerBody {
    /// The seat.
    #[schema(value_type = u8, minimum = 1)]
    pub(super) seat: Loose,
    /// Exactly the link's wager.
    #[schema(value_type = String, pattern = r"^[0-9]{1,13}(\.[0-9]{1,6})?$", examples("1.00"))]
    pub(super) amount: Loose,
    /// The hand that it is on: `own` (as if left out) or `dealer`.
    #[schema(value_type = Option<String>, examples("own"))]
    pub(super) on: Option<Loose>,
    /// Who sits there; seats without are different players.
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z0-9-]{1,32}$", examples("p-77"))]
    pub(super) player: Option<Loose>,
}

/// The chips that the dealer counted, before any fold or hit.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Count)]
pub(super) struct CountBody {
    /// How many.
    #[schema(value_type = u32)]
    pub(super) chips: Loose,
}

/// The seats that gave up their hands.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Fold)]
pub(super) struct FoldBody {
    /// Which.
    #[schema(value_type = Vec<u8>, max_items = 64)]
    pub(super) seats: Vec<Loose>,
}

/// A winning hand: a seat's, or the dealer's.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Hit)]
pub(super) struct HitBody {
    /// Whose hand.
    #[schema(value_type = Option<u8>, minimum = 1)]
    pub(super) seat: Option<Loose>,
    /// Instead of a seat: `true`, the dealer's hand.
    pub(super) dealer: Option<bool>,
    /// The hand, as the paytable names it.
    #[schema(value_type = String, examples("royal-flush"))]
    pub(super) hand: Loose,
    /// The cards, where the table knows them: the server then evaluates them itself.
    #[schema(value_type = Option<Vec<String>>, max_items = 64)]
    pub(super) cards: Option<Vec<Loose>>,
}

/// A qualifying hand whose holder made no progressive wager.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Envy)]
pub(super) struct EnvyBody {
    /// The holder.
    #[schema(value_type = u8, minimum = 1)]
    pub(super) seat: Loose,
    /// The hand, as the paytable names it.
    #[schema(value_type = String, examples("four-aces"))]
    pub(super) hand: Loose,
    /// The cards, where the table knows them.
    #[schema(value_type = Option<Vec<String>>, max_items = 64)]
    pub(super) cards: Option<Vec<Loose>>,
}

/// A bonus that the draw of the round gives: a seat's, or the dealer's hand.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Bonus)]
pub(super) struct BonusBody {
    /// `magic_card` or `lucky_bonus`.
    #[schema(value_type = String, examples("magic_card"))]
    pub(super) kind: Loose,
    /// Whose hand has the card, or sits at the position.
    #[schema(value_type = Option<u8>, minimum = 1)]
    pub(super) seat: Option<Loose>,
    /// Instead of a seat: `true`, the dealer's hand.
    pub(super) dealer: Option<bool>,
    /// The cards of that hand, where the table knows them.
    #[schema(value_type = Option<Vec<String>>, max_items = 64)]
    pub(super) cards: Option<Vec<Loose>>,
}

/// All cards of the round: the server forms, orders and evaluates the hands itself.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Settle)]
pub(super) struct SettleBody {
    /// The dealer's; needed where somebody wagered on them.
    #[schema(value_type = Option<Vec<String>>, max_items = 64)]
    pub(super) dealer: Option<Vec<Loose>>,
    /// Those that all hands share, in games with such.
    #[schema(value_type = Option<Vec<String>>, max_items = 64)]
    pub(super) community: Option<Vec<Loose>>,
    /// Each seat's.
    #[schema(value_type = Vec<SeatCardsBody>, max_items = 64)]
    pub(super) seats: Vec<Object<SeatCardsBody>>,
}

/// The cards of one seat.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SeatCards)]
pub(super) struct SeatCardsBody {
    /// The seat.
    #[schema(value_type = u8, minimum = 1)]
    pub(super) seat: Loose,
    /// Its cards.
    #[schema(value_type = Vec<String>, max_items = 64)]
    pub(super) cards: Vec<Loose>,
}

/// The hit to take back: one of this table's open round.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CancelHit)]
pub(super) struct CancelHitBody {
    /// The hit.
    #[schema(value_type = String, examples("C4P-07.4713"))]
    pub(super) hit: Loose,
}

/// GAME OVER: nothing to say.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Close)]
pub(super) struct CloseBody {}

/// The round is void.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Void)]
pub(super) struct VoidBody {
    /// `misdeal`, `count_mismatch`, `cards_face_up`, `wrong_number_of_cards`, `dealer_cards_exposed`,
    /// `shoe_jam` or `stub_count`.
    #[schema(value_type = String, examples("misdeal"))]
    pub(super) reason: Loose,
}
