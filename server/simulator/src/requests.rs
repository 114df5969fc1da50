//! The commands that a table sends, from what its dealer sees.

use meterhouse_client::{
    Bonus, Cards, CoinIn, Command, Envy, Fold, Hit, Holder as HandHolder, Money, NotAValue, Seat,
    Settle, Void, Wager,
};
use meterhouse_domain::card::Card;

use crate::bonus::BonusWon;
use crate::plan::LinkPlan;
use crate::script::{Holder, Keyed, On, RoundScript, TableScript};

/// The dealer locks the bets, each of this amount.
pub(crate) fn coin_in(
    round: &RoundScript,
    script: &TableScript,
    amount: Money,
) -> Result<Command, NotAValue> {
    let wagers = script.wagers.iter().map(|made| {
        let seat = Seat(made.seat);
        let wager = match made.on {
            On::Own => Wager::own(seat, amount),
            On::Dealer => Wager::on_dealer(seat, amount),
        };
        Ok(match &made.player {
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

/// Players gave up their hands.
pub(crate) fn fold(seats: &[u8]) -> Command {
    let seats = seats.iter().copied().map(Seat).collect();
    Fold { seats }.into()
}

/// The button of a hand.
pub(crate) fn keyed(keyed: &Keyed) -> Result<Command, NotAValue> {
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

/// The button of a bonus.
pub(crate) fn bonus(won: &BonusWon) -> Result<Command, NotAValue> {
    let seat = won.seat.map(Seat);
    let command = Bonus {
        kind: won.kind,
        holder: seat.map_or(HandHolder::Dealer, HandHolder::Seat),
        cards: won.cards.as_ref().map(|five| cards(five)).transpose()?,
    };
    Ok(command.into())
}

/// All cards that are to be seen: not those of folded seats where a fold forfeits, they are collected; the dealer's
/// where he can be wagered on.
pub(crate) fn settle(
    link: &LinkPlan,
    round: &RoundScript,
    table: &TableScript,
) -> Result<Command, NotAValue> {
    let gone = |seat: &u8| table.game.forfeited_by_fold && round.folds.contains(seat);
    let deal = &round.deal;
    let seats = deal.hands.iter().filter(|(seat, _)| !gone(seat));
    let seats = seats.map(|(seat, five)| Ok((Seat(*seat), cards(deal.own(five))?)));
    let dealer = link.bet_on_dealer.then(|| deal.own(&deal.dealer));
    let command = Settle {
        dealer: cards(dealer.unwrap_or_default())?,
        community: cards(deal.community())?,
        seats: seats.collect::<Result<_, NotAValue>>()?,
    };
    Ok(command.into())
}

/// All wagers of the round go back.
pub(crate) fn void(reason: &str) -> Result<Command, NotAValue> {
    let reason = reason.parse()?;
    Ok(Void { reason }.into())
}

/// Returns cards as people write them.
pub(crate) fn texts(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}

fn cards(cards: &[Card]) -> Result<Cards, NotAValue> {
    texts(cards).join(" ").parse()
}
