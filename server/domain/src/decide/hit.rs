//! Hits: a winning hand, keyed in turn order; its amount is locked and a won level restarts at once.

use crate::card::Card;
use crate::command::{HitCommand, Holder};
use crate::event::{Event, HitKind, HitRecorded, Payout, PayoutKind, Reset, Taken};
use crate::hand::Hand;
use crate::link::{Account, Book, Move, ReservePolicy};
use crate::money::Money;
use crate::name::HitOrder;
use crate::paytable::{ChargedTo, FoldAward, Level, Line, Pays};
use crate::refusal::{Refusal, RefusalCode};
use crate::seat::{Seat, SeatSet};
use crate::state::{Hit, LinkState, Round, Table};

use super::cards::check_cards;
use super::coin_in::{on_layout, refused};
use super::{Stop, balanced, open_round};

/// A winning hand on an accepted wager (§ 657a.11(e), (f)).
pub(super) fn hit(state: &LinkState, table: &Table, command: &HitCommand) -> Result<Event, Stop> {
    let round = open_round(table)?;
    has_wager(state, table, round, command.holder)?;
    let line = *winning_line(state, command.hand)?;
    check_cards(state, round, command.hand, command.cards.as_deref())?;
    if let Some(standing) = round.standing_hits().find(|it| it.holder == command.holder) {
        return Err(Refusal::new(RefusalCode::AlreadyHit)
            .with("hit", format_args!("{}.{}", table.name, standing.sequence))
            .into());
    }
    in_turn(table, round, command.holder)?;

    let mut recorded = HitRecorded {
        order: HitOrder(state.last_order.0 + 1),
        round: round.sequence,
        kind: HitKind::Line,
        holder: command.holder,
        hand: command.hand,
        cards: command.cards.clone(),
        taken: None,
        payouts: Vec::new(),
        needs_validation: line.needs_validation(state.terms.content().validation),
        moves: Vec::new(),
    };
    match line.pays {
        Pays::Percent { percent, level } => {
            take_percent(state, round, &mut recorded, percent, level)?;
        }
        Pays::ForOne(odds) => pay_fixed(state, round, &mut recorded, odds)?,
    }
    if let Holder::Seat(seat) = command.holder
        && shows_its_hand(table, round, seat)
    {
        pay_envy(state, round, &mut recorded, seat, &line)?;
    }
    recorded.moves = balanced(state, recorded.moves)?;
    Ok(Event::HitRecorded(Box::new(recorded)))
}

/// A qualifying hand whose holder made no wager: the others get their envy all the same (figure I).
pub(super) fn envy(
    state: &LinkState,
    table: &Table,
    seat: Seat,
    hand: Hand,
    cards: Option<&[Card]>,
) -> Result<Event, Stop> {
    let round = open_round(table)?;
    on_layout(table, seat)?;
    if !round.dealt.contains(seat) {
        return Err(refused(RefusalCode::SeatNotDealt, seat));
    }
    if round.own.contains(seat) {
        return Err(refused(RefusalCode::HasWager, seat));
    }
    if !shows_its_hand(table, round, seat) {
        return Err(refused(RefusalCode::Folded, seat));
    }
    let line = *winning_line(state, hand)?;
    if line.envy.is_none() {
        return Err(Refusal::new(RefusalCode::NotAWinner)
            .with("hand", hand)
            .into());
    }
    check_cards(state, round, hand, cards)?;
    if let Some(standing) = round
        .standing_hits()
        .find(|it| it.holder == Holder::Seat(seat))
    {
        return Err(Refusal::new(RefusalCode::AlreadyHit)
            .with("hit", format_args!("{}.{}", table.name, standing.sequence))
            .into());
    }
    let mut recorded = HitRecorded {
        order: HitOrder(state.last_order.0 + 1),
        round: round.sequence,
        kind: HitKind::Envy,
        holder: Holder::Seat(seat),
        hand,
        cards: cards.map(<[Card]>::to_vec),
        taken: None,
        payouts: Vec::new(),
        needs_validation: true,
        moves: Vec::new(),
    };
    pay_envy(state, round, &mut recorded, seat, &line)?;
    recorded.moves = balanced(state, recorded.moves)?;
    Ok(Event::HitRecorded(Box::new(recorded)))
}

/// The book that a hit's entries of this charge stand in.
pub(super) fn book_of(state: &LinkState, hit: &Hit, charged_to: ChargedTo) -> Book {
    match (hit.taken, charged_to) {
        (Some(taken), ChargedTo::Meter) => Book(taken.level),
        (Some(_) | None, ChargedTo::House) | (None, ChargedTo::Meter) => state.terms.fixed_book(),
    }
}

/// Refuses a holder without an accepted wager on that hand, or one who forfeited it with a fold.
fn has_wager(state: &LinkState, table: &Table, round: &Round, holder: Holder) -> Result<(), Stop> {
    match holder {
        Holder::Seat(seat) => {
            on_layout(table, seat)?;
            if !round.own.contains(seat) {
                return Err(refused(RefusalCode::NoWager, seat));
            }
            if round.folded.contains(seat) && table.rules.fold.award == FoldAward::Forfeited {
                return Err(refused(RefusalCode::Folded, seat));
            }
            Ok(())
        }
        Holder::Dealer if !state.terms.content().bet_on_dealer => {
            Err(RefusalCode::HandNotOffered.into())
        }
        Holder::Dealer if round.dealer.is_empty() => Err(Refusal::new(RefusalCode::NoWager)
            .with("dealer", true)
            .into()),
        Holder::Dealer => Ok(()),
    }
}

/// Whether a seat's hand gives envy to the others: it has not folded, or its cards stay all the same.
const fn shows_its_hand(table: &Table, round: &Round, seat: Seat) -> bool {
    !round.folded.contains(seat) || table.rules.fold.hand_gives_envy
}

fn winning_line(state: &LinkState, hand: Hand) -> Result<&Line, Stop> {
    let line = state.terms.content().line(hand);
    line.ok_or_else(|| {
        Refusal::new(RefusalCode::NotAWinner)
            .with("hand", hand)
            .into()
    })
}

/// A place in turn order, smaller first: descending seats, and the dealer's hand at the turn of the first
/// seat that wagered on it, after that seat's own (`rules` §1).
fn turn(round: &Round, holder: Holder) -> (u8, bool) {
    match holder {
        Holder::Seat(seat) => (u8::MAX - seat.0, false),
        Holder::Dealer => {
            let first = round.dealer.in_turn_order().next().map_or(0, |seat| seat.0);
            (u8::MAX - first, true)
        }
    }
}

/// Refuses a hit whose turn precedes one that was keyed already.
fn in_turn(table: &Table, round: &Round, holder: Holder) -> Result<(), Stop> {
    let its_turn = turn(round, holder);
    let later: Vec<String> = round
        .standing_hits()
        .filter(|hit| hit.kind == HitKind::Line && turn(round, hit.holder) > its_turn)
        .map(|hit| format!("{}.{}", table.name, hit.sequence))
        .collect();
    if later.is_empty() {
        return Ok(());
    }
    Err(Refusal::new(RefusalCode::OutOfTurn)
        .with("hits", later.join(" "))
        .into())
}

/// Takes a percentage of the displayed amount off a level and restarts it where it was won.
fn take_percent(
    state: &LinkState,
    round: &Round,
    recorded: &mut HitRecorded,
    percent: u8,
    level: usize,
) -> Result<(), Stop> {
    let book = Book::level(level);
    let terms = state.terms.content();
    let before = state.balance(book, Account::Meter);
    let prize = before.percent_of_displayed(percent);
    let winners = match recorded.holder {
        Holder::Seat(seat) => vec![seat],
        Holder::Dealer => players_of(round, round.dealer),
    };
    let count = u32::try_from(winners.len()).map_err(|_| Stop::Broken("too many winners"))?;
    let each = prize.share_of(count);
    let due = each.times(u64::from(count))?;
    let charge = terms.settlement.percent;
    recorded
        .payouts
        .extend(winners.into_iter().map(|seat| Payout {
            seat,
            player: round.player(seat).cloned(),
            kind: PayoutKind::Line,
            amount: each,
            charged_to: charge.charged_to,
            handed_over: charge.handed_over,
        }));
    recorded.moves.push(Move {
        book,
        from: Account::Meter,
        to: Account::Pending,
        amount: due,
    });
    let mut after = before.minus(due)?;
    let reset = if percent == 100 {
        let level = terms
            .levels
            .get(level)
            .ok_or(Stop::Broken("a line of no level"))?;
        let reset = restart(state, book, level)?;
        for (from, amount) in [
            (Account::House, reset.from_house),
            (Account::Reserve, reset.from_reserve),
            (Account::Overflow, reset.from_overflow),
        ] {
            if amount > Money::ZERO {
                recorded.moves.push(Move {
                    book,
                    from,
                    to: Account::Meter,
                    amount,
                });
                after = after.plus(amount)?;
            }
        }
        Some(reset)
    } else {
        None
    };
    recorded.taken = Some(Taken {
        level: book.0,
        percent,
        before,
        after,
        reset,
    });
    Ok(())
}

/// What a won level restarts with, by the link's reserve policy (figure D); the overflow comes back.
fn restart(state: &LinkState, book: Book, level: &Level) -> Result<Reset, Stop> {
    let reseed = state.terms.wager.for_one(level.reseed)?;
    let reserve = state.balance(book, Account::Reserve);
    let short_of_reserve = Money::ZERO.max(reseed.minus(reserve)?);
    let (from_house, from_reserve) = match state.terms.reserve_policy {
        ReservePolicy::Add => (reseed, reserve),
        ReservePolicy::GreaterOf => (short_of_reserve, reserve),
        ReservePolicy::FundKeep => (short_of_reserve, reserve.min(reseed)),
    };
    Ok(Reset {
        from_house,
        from_reserve,
        from_overflow: state.balance(book, Account::Overflow),
    })
}

/// Fixed odds: one payout a wager (figure G: a fixed pay is per wager).
fn pay_fixed(
    state: &LinkState,
    round: &Round,
    recorded: &mut HitRecorded,
    odds: u32,
) -> Result<(), Stop> {
    let seats = match recorded.holder {
        Holder::Seat(seat) => SeatSet::from_iter([seat]),
        Holder::Dealer => round.dealer,
    };
    let amount = state.terms.wager.for_one(odds)?;
    pay_each(
        state,
        round,
        recorded,
        PayoutKind::Line,
        seats.in_turn_order(),
        amount,
    )
}

/// The envy bonus of every other player's wager, folded seats included (§ 657a.11(b)(2), (e)(5)).
fn pay_envy(
    state: &LinkState,
    round: &Round,
    recorded: &mut HitRecorded,
    holder: Seat,
    line: &Line,
) -> Result<(), Stop> {
    let Some(odds) = line.envy else { return Ok(()) };
    let amount = state.terms.wager.for_one(odds)?;
    let others = round
        .own
        .in_turn_order()
        .filter(|seat| !round.same_player(*seat, holder));
    pay_each(state, round, recorded, PayoutKind::Envy, others, amount)
}

/// One payout of `amount` a seat, charged to the house.
fn pay_each(
    state: &LinkState,
    round: &Round,
    recorded: &mut HitRecorded,
    kind: PayoutKind,
    seats: impl Iterator<Item = Seat>,
    amount: Money,
) -> Result<(), Stop> {
    let settlement = state.terms.content().settlement;
    let charge = match kind {
        PayoutKind::Line => settlement.for_one,
        PayoutKind::Envy => settlement.envy,
    };
    let book = state.terms.fixed_book();
    let mut due = Money::ZERO;
    for seat in seats {
        due = due.plus(amount)?;
        recorded.payouts.push(Payout {
            seat,
            player: round.player(seat).cloned(),
            kind,
            amount,
            charged_to: charge.charged_to,
            handed_over: charge.handed_over,
        });
    }
    if due > Money::ZERO {
        recorded.moves.push(Move {
            book,
            from: Account::House,
            to: Account::Pending,
            amount: due,
        });
    }
    Ok(())
}

/// The players on these seats, each on his first seat in turn order.
fn players_of(round: &Round, seats: SeatSet) -> Vec<Seat> {
    let mut firsts: Vec<Seat> = Vec::new();
    for seat in seats.in_turn_order() {
        if !firsts.iter().any(|first| round.same_player(*first, seat)) {
            firsts.push(seat);
        }
    }
    firsts
}
