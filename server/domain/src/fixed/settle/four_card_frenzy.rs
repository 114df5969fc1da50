//! Four Card Frenzy: 58 Pa. Code ch. 684a. The player wins every tie.

use crate::card::Card;
use crate::fixed::limit;
use crate::fixed::settle::cite::Clause;
use crate::fixed::settle::four_cards::{
    is_king_or_better, is_pair_of_aces_or_better, is_straight_or_better,
};
use crate::fixed::settle::round::Irregularity;
use crate::fixed::settle::rules::{
    Amount, Dealt, GameRules, Showdown, Verdict, VoidRule, WagerRule,
};
use crate::fixed::wager::FixedWager;
use crate::hand::Ranking;

/// The rules of Pennsylvania, § 684a.11(b) to (d).
pub(super) const PENNSYLVANIA: GameRules = GameRules {
    game: "four-card-frenzy",
    jurisdiction: "PA",
    ranking: Ranking::FourCard,
    // Five cards each and one All-Six Bonus card, § 684a.8(c).
    dealt: Dealt {
        own: 5,
        dealer: 5,
        community: 0,
        bonus: Some((1, FixedWager::AllSix)),
    },
    seats_max: 6,
    one_position: None,
    wagers: &[ANTE, RAISE, ODDS, PRIME, FOUR_CARD_BONUS, ALL_SIX],
    voids: &VOIDS,
    left: Some(Clause::pa("§ 684a.7(b)")),
    limit: Some(&limit::FOUR_CARD_FRENZY),
};

const FORFEITED: Clause = Clause::pa("§ 684a.11(b)(2)");

/// The Ante Wager: it goes back if the dealer has no king.
const ANTE: WagerRule = WagerRule::required(
    FixedWager::Ante,
    Clause::pa("§ 684a.7(d)(1)"),
    FORFEITED,
    |showdown| {
        let Some((player, dealer)) = showdown.hands() else {
            return Verdict::CardsMissing;
        };
        if !is_king_or_better(dealer) {
            return Verdict::Push(Clause::pa("§ 684a.11(c)(2)(i)"));
        }
        if player < dealer {
            return Verdict::Loses(Clause::pa("§ 684a.11(c)(2)(ii)(B)"));
        }
        Verdict::Wins {
            table: "ante",
            clause: Clause::pa("§ 684a.11(c)(2)(ii)(A)"),
        }
    },
);

/// The Raise Wager: it equals the Ante Wager, or is one, two or three times as much with a pair of aces or better. It
/// needs no king of the dealer.
const RAISE: WagerRule = WagerRule::raise(
    FixedWager::Raise,
    Clause::pa("§ 684a.11(b)(1)"),
    Amount::times_the_ante(1, most_raise, true),
    |showdown| match showdown.hands() {
        None => Verdict::CardsMissing,
        Some((player, dealer)) if player < dealer => {
            Verdict::Loses(Clause::pa("§ 684a.11(c)(3)(ii)"))
        }
        Some(_) => Verdict::Wins {
            table: "raise",
            clause: Clause::pa("§ 684a.11(c)(3)(i)"),
        },
    },
);

/// The Odds Wager: from a straight on it is paid by its own table if the hand wins, and by the bad beat table if it
/// loses. Both tables pay "to 1", so the wager goes back with the bad beat payout too.
const ODDS: WagerRule = WagerRule::required(
    FixedWager::Odds,
    Clause::pa("§ 684a.7(d)(1)"),
    FORFEITED,
    |showdown| {
        let Some((player, dealer)) = showdown.hands() else {
            return Verdict::CardsMissing;
        };
        match (is_straight_or_better(player), player >= dealer) {
            (true, true) => shown(showdown, "odds", "§ 684a.11(c)(4)(i)(A)"),
            (true, false) => shown(showdown, "odds-bad-beat", "§ 684a.11(c)(4)(i)(B)"),
            (false, true) => Verdict::Push(Clause::pa("§ 684a.11(c)(4)(ii)(A)")),
            (false, false) => Verdict::Loses(Clause::pa("§ 684a.11(c)(4)(ii)(B)")),
        }
    },
)
.of_amount(Amount::EQUAL_TO_ANTE)
.paid_by(&["odds", "odds-bad-beat"]);

/// The Prime Wager on the colours of the player's five cards.
const PRIME: WagerRule = WagerRule::optional(
    FixedWager::Prime,
    Clause::pa("§ 684a.7(d)(2)"),
    |showdown| shown(showdown, "prime", "§ 684a.11(d)(1)"),
);

/// The Four Card Bonus Wager on the player's four-card hand.
const FOUR_CARD_BONUS: WagerRule = WagerRule::optional(
    FixedWager::FourCardBonus,
    Clause::pa("§ 684a.7(d)(3)"),
    |showdown| shown(showdown, "four-card-bonus", "§ 684a.11(d)(2)"),
);

/// The All-Six Bonus Wager on the player's five cards and the All-Six Bonus card.
const ALL_SIX: WagerRule = WagerRule::optional(
    FixedWager::AllSix,
    Clause::pa("§ 684a.7(d)(4)"),
    |showdown| Verdict::Shown {
        table: "all-six",
        cards: showdown.with_bonus(),
        clause: Clause::pa("§ 684a.11(d)(3)"),
    },
);

fn shown(showdown: &Showdown<'_>, table: &'static str, clause: &'static str) -> Verdict {
    Verdict::Shown {
        table,
        cards: showdown.own.to_vec(),
        clause: Clause::pa(clause),
    }
}

/// Returns three for a pair of aces or better, and for a hand that isn't there as it was dealt: it may have one.
fn most_raise(own: &[Card]) -> u64 {
    let is_whole = own.len() == PENNSYLVANIA.dealt.own;
    if is_pair_of_aces_or_better(own) || !is_whole {
        3
    } else {
        1
    }
}

const VOIDS: [VoidRule; 5] = [
    VoidRule::new(Irregularity::CardsFaceUp, Clause::pa("§ 684a.13(a)"), &[]),
    VoidRule::new(
        Irregularity::WrongNumberOfCards,
        Clause::pa("§ 684a.13(c)"),
        &[],
    ),
    // The clause settles these "in accordance with § 684a.11(e)", which only removes the cards: (d) is meant.
    VoidRule::new(
        Irregularity::ExposedEarly,
        Clause::pa("§ 684a.13(d)"),
        &[
            FixedWager::Prime,
            FixedWager::FourCardBonus,
            FixedWager::AllSix,
        ],
    ),
    VoidRule::new(Irregularity::ShoeJammed, Clause::pa("§ 684a.13(f)"), &[]),
    VoidRule::new(Irregularity::WrongStub, Clause::pa("§ 684a.8(g)"), &[]),
];
