//! The commands that a table sends, from a round's script.

use meterhouse_client::{
    Bonus, Cards, CoinIn, Command, Envy, Fold, Hit, Holder as HandHolder, Money, NotAValue, Seat,
    Settle, Void, Wager,
};
use meterhouse_domain::card::Card;

use crate::bonus::BonusWon;
use crate::plan::LinkPlan;
use crate::script::{Holder, KeyedHand, RoundScript, TableScript, WagerTarget};

/// Returns the coin-in, with this amount for each wager.
pub(crate) fn coin_in(
    round: &RoundScript,
    script: &TableScript,
    amount: Money,
) -> Result<Command, NotAValue> {
    let wagers = script.wagers.iter().map(|scripted| {
        let seat = Seat(scripted.seat);
        let wager = match scripted.on {
            WagerTarget::OwnHand => Wager::own(seat, amount),
            WagerTarget::DealerHand => Wager::on_dealer(seat, amount),
        };
        Ok(match &scripted.player {
            Some(player) => wager.of(player.parse()?),
            None => wager,
        })
    });
    let command = CoinIn {
        wagers: wagers.collect::<Result<_, NotAValue>>()?,
        dealt: round.dealt.iter().copied().map(Seat).collect(),
    };
    Ok(command.into())
}

/// Returns the fold of these seats.
pub(crate) fn fold(seats: &[u8]) -> Command {
    let seats = seats.iter().copied().map(Seat).collect();
    Fold { seats }.into()
}

/// Returns the command that keys a hand.
pub(crate) fn keyed_hand(keyed: &KeyedHand) -> Result<Command, NotAValue> {
    let hand = keyed.hand.name().parse()?;
    let cards = keyed.cards.as_ref().map(|five| cards(five)).transpose()?;
    let hit = |holder| Hit {
        holder,
        hand,
        cards: cards.clone(),
    };
    Ok(match keyed.holder {
        Holder::Seat(seat) => hit(HandHolder::Seat(Seat(seat))).into(),
        Holder::Dealer => hit(HandHolder::Dealer).into(),
        Holder::Envy(seat) => Envy {
            seat: Seat(seat),
            hand,
            cards,
        }
        .into(),
    })
}

/// Returns the command that keys a bonus.
pub(crate) fn bonus(won: &BonusWon) -> Result<Command, NotAValue> {
    let seat = won.seat.map(Seat);
    let command = Bonus {
        kind: won.kind,
        holder: seat.map_or(HandHolder::Dealer, HandHolder::Seat),
        cards: won.cards.as_ref().map(|five| cards(five)).transpose()?,
    };
    Ok(command.into())
}

/// Returns the settle command with all visible cards. If a fold forfeits, the cards of folded seats are collected and
/// left out. The dealer's cards are included if wagers on the dealer's hand are offered.
pub(crate) fn settle(
    link: &LinkPlan,
    round: &RoundScript,
    table: &TableScript,
) -> Result<Command, NotAValue> {
    let is_collected = |seat: &u8| table.game.forfeited_by_fold && round.folds.contains(seat);
    let deal = &round.deal;
    let seats = deal.hands.iter().filter(|(seat, _)| !is_collected(seat));
    let seats = seats.map(|(seat, five)| Ok((Seat(*seat), cards(deal.own(five))?)));
    let dealer = link.bet_on_dealer.then(|| deal.own(&deal.dealer));
    let command = Settle {
        dealer: cards(dealer.unwrap_or_default())?,
        community: cards(deal.community())?,
        seats: seats.collect::<Result<_, NotAValue>>()?,
        wagers: None,
    };
    Ok(command.into())
}

/// Returns the void of a round.
pub(crate) fn void(reason: &str) -> Result<Command, NotAValue> {
    let reason = reason.parse()?;
    Ok(Void { reason }.into())
}

fn cards(cards: &[Card]) -> Result<Cards, NotAValue> {
    let texts: Vec<String> = cards.iter().map(ToString::to_string).collect();
    texts.join(" ").parse()
}
