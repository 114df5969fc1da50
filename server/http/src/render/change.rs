//! What two people change, and what it did.

use meterhouse_domain::change::{Change, Effect, LateHit, Resettled};
use meterhouse_domain::command::Holder;
use meterhouse_edge::hit::split_due;
use meterhouse_edge::value;
use meterhouse_engine::view::{EffectView, ProposedChange, ResettledView, public_reason};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Amount, HitKeyed, Names, PayoutView, card_texts};

/// What only two people can do, under its key.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChangeView {
    /// A validated or paid hit is withdrawn.
    Correct {
        /// The hit.
        #[schema(examples("C4P-07.2"))]
        hit: String,
    },
    /// Money between the house and a meter or reserve.
    Adjust {
        /// The level.
        level: String,
        /// `meter` or `reserve`.
        #[schema(value_type = String)]
        account: &'static str,
        /// How much is added; negative takes away.
        amount: Amount,
    },
    /// A winner found after GAME OVER.
    LateHit {
        /// The table.
        table: String,
        /// The number of the round's coin-in.
        round: u64,
        /// Whose hand; the dealer's has none.
        seat: Option<u8>,
        /// Whether it is the dealer's hand.
        dealer: bool,
        /// The hand.
        #[schema(value_type = String)]
        hand: &'static str,
        /// The cards, where they are known.
        cards: Option<Vec<String>>,
    },
    /// A faulted link is in play again, with the balances that stand.
    ClearFault {},
    /// A link plays although it returns more than the whole wager.
    AcknowledgeReturns {},
}

impl ChangeView {
    /// A change as it was proposed.
    pub(crate) fn proposed(change: &ProposedChange) -> Self {
        match change {
            ProposedChange::Correct { hit } => Self::Correct {
                hit: hit.to_string(),
            },
            ProposedChange::Adjust {
                level,
                account,
                amount,
            } => Self::Adjust {
                level: level.to_string(),
                account: account.name(),
                amount: Amount(*amount),
            },
            ProposedChange::LateHit {
                table,
                round,
                holder,
                hand,
                cards,
            } => Self::LateHit {
                table: table.to_string(),
                round: round.0,
                seat: seat(*holder),
                dealer: *holder == Holder::Dealer,
                hand: hand.name(),
                cards: cards.as_deref().map(card_texts),
            },
            ProposedChange::ClearFault => Self::ClearFault {},
            ProposedChange::AcknowledgeReturns => Self::AcknowledgeReturns {},
        }
    }

    /// A change as the journal holds it.
    pub(crate) fn journaled(names: Names<'_>, change: &Change) -> Self {
        match change {
            Change::Correct { hit } => Self::Correct {
                hit: names.hit(*hit),
            },
            Change::Adjust {
                level,
                account,
                amount,
            } => Self::Adjust {
                level: names.level(*level).to_owned(),
                account: account.name(),
                amount: Amount(*amount),
            },
            Change::LateHit(it) => Self::late_hit(names, it),
            Change::ClearFault => Self::ClearFault {},
            Change::AcknowledgeReturns => Self::AcknowledgeReturns {},
        }
    }

    fn late_hit(names: Names<'_>, it: &LateHit) -> Self {
        Self::LateHit {
            table: names.table(it.table),
            round: it.round.0,
            seat: seat(it.holder),
            dealer: it.holder == Holder::Dealer,
            hand: it.hand.name(),
            cards: it.cards.as_deref().map(card_texts),
        }
    }
}

fn seat(holder: Holder) -> Option<u8> {
    match holder {
        Holder::Seat(seat) => Some(seat.0),
        Holder::Dealer => None,
    }
}

/// What an approved change did.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EffectNow {
    /// A hit was withdrawn.
    Corrected {
        /// The hit.
        hit: String,
        /// Later hits of its level with new amounts, in their order.
        resettled: Vec<ResettledHit>,
    },
    /// A balance was adjusted.
    Adjusted {
        /// The level.
        level: String,
        /// `meter` or `reserve`.
        #[schema(value_type = String)]
        account: &'static str,
        /// The exact balance before.
        before: Amount,
        /// And after.
        after: Amount,
    },
    /// A late hit was recorded.
    LateHitRecorded {
        /// The hit.
        recorded: Box<HitKeyed>,
        /// Whether the meter paid it, or the house because the level was won since.
        from_meter: bool,
    },
    /// The link is in play again.
    FaultCleared {
        /// Why it had been faulted.
        fault: String,
    },
    /// What the link returns is acknowledged.
    ReturnsAcknowledged {},
}

/// A hit with new amounts, because an earlier one was withdrawn.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ResettledHit {
    /// The hit.
    #[schema(examples("C4P-08.4"))]
    hit: String,
    /// Its level's exact balance before it, now.
    before: Amount,
    /// And after.
    after: Amount,
    /// What its line is owed now, supplements among it.
    due: Amount,
    /// Whether a floorperson has to validate it again.
    back_to_pending: bool,
    /// Its payouts now; a supplement is what a paid winner is owed more.
    payouts: Vec<PayoutView>,
}

impl EffectNow {
    /// What the engine says that a change did.
    pub(crate) fn seen(names: Names<'_>, effect: &EffectView) -> Self {
        match effect {
            EffectView::Corrected { hit, resettled } => Self::Corrected {
                hit: hit.to_string(),
                resettled: resettled.iter().map(ResettledHit::from).collect(),
            },
            EffectView::Adjusted {
                level,
                account,
                before,
                after,
            } => Self::Adjusted {
                level: level.to_string(),
                account: account.name(),
                before: Amount(*before),
                after: Amount(*after),
            },
            EffectView::LateHitRecorded {
                hit,
                recorded,
                from_meter,
            } => {
                let round = value::round_text(&hit.table, recorded.round);
                Self::LateHitRecorded {
                    recorded: Box::new(HitKeyed::new(names, hit.to_string(), round, recorded)),
                    from_meter: *from_meter,
                }
            }
            EffectView::FaultCleared { fault } => Self::FaultCleared {
                fault: public_reason(fault).to_owned(),
            },
            EffectView::ReturnsAcknowledged => Self::ReturnsAcknowledged {},
        }
    }

    /// What the journal says that a change did.
    pub(crate) fn journaled(names: Names<'_>, effect: &Effect) -> Self {
        match effect {
            Effect::Corrected { hit, resettled } => Self::Corrected {
                hit: names.hit(*hit),
                resettled: ResettledHit::all(names, resettled),
            },
            Effect::Adjusted {
                level,
                account,
                before,
                after,
            } => Self::Adjusted {
                level: names.level(*level).to_owned(),
                account: account.name(),
                before: Amount(*before),
                after: Amount(*after),
            },
            Effect::LateHitRecorded {
                hit,
                recorded,
                from_meter,
            } => {
                let round = names.numbered(hit.table, recorded.round);
                Self::LateHitRecorded {
                    recorded: Box::new(HitKeyed::new(names, names.hit(*hit), round, recorded)),
                    from_meter: *from_meter,
                }
            }
            Effect::FaultCleared { fault } => Self::FaultCleared {
                fault: public_reason(fault).to_owned(),
            },
            Effect::ReturnsAcknowledged => Self::ReturnsAcknowledged {},
        }
    }
}

impl ResettledHit {
    /// Hits of the journal, in their order.
    pub(crate) fn all(names: Names<'_>, resettled: &[Resettled]) -> Vec<Self> {
        let one = |it: &Resettled| {
            let (due, _) = split_due(&it.payouts);
            Self {
                hit: names.hit(it.hit),
                before: Amount(it.taken.before),
                after: Amount(it.taken.after),
                due: Amount(due),
                back_to_pending: it.back_to_pending,
                payouts: PayoutView::of_all(&it.payouts),
            }
        };
        resettled.iter().map(one).collect()
    }
}

impl From<&ResettledView> for ResettledHit {
    fn from(it: &ResettledView) -> Self {
        let (due, _) = split_due(&it.payouts);
        Self {
            hit: it.hit.to_string(),
            before: Amount(it.before),
            after: Amount(it.after),
            due: Amount(due),
            back_to_pending: it.back_to_pending,
            payouts: PayoutView::of_all(&it.payouts),
        }
    }
}
