//! The corners that a step of play turns: which command was accepted or refused, and what was remarkable about it.

use meterhouse_domain::change::{Effect, Resettled};
use meterhouse_domain::command::{Bonus, Command, Holder, PersonCommand, TableCommand};
use meterhouse_domain::event::{Event, HitKind, HitRecorded, PayoutKind};
use meterhouse_domain::ids::HitId;
use meterhouse_domain::link::{Account, Move};
use meterhouse_domain::state::HitStatus;

use crate::play::Step;
use crate::world::Answer;

/// The commands, as corners: each has to be accepted.
pub(crate) const COMMANDS: [&str; 35] = [
    "coin_in",
    "count",
    "fold",
    "hit",
    "envy",
    "magic_card",
    "lucky_bonus",
    "settle",
    "settle with wagers",
    "cancel_hit",
    "close",
    "void",
    "validate",
    "reject",
    "pay",
    "accept values",
    "suspend",
    "resume",
    "disable",
    "enable",
    "lose",
    "back",
    "disable table",
    "enable table",
    "leave",
    "fault",
    "propose",
    "decline",
    "join",
    "approve",
    "clear a fault",
    "acknowledge returns",
    "adopt a table",
    "adopt a reading",
    "pay the print again",
];

/// Everything else that play has to turn up.
pub(crate) const CORNERS: [&str; 48] = [
    "settled by a reading",
    "settled by an adopted table",
    "repeated",
    "reused",
    "gap",
    "done already",
    "faulted",
    "a percentage of nothing",
    "a split or envy",
    "reset by both",
    "reset by the reserve",
    "reset with overflow",
    "reset over the ceiling",
    "a fraction carried forward",
    "a meter too small",
    "a dealer's bonus for several",
    "withdrawn",
    "a reset withdrawn",
    "withdrawn after others' hits",
    "cancelled of several",
    "void with a hit",
    "void with several hits",
    "void charged to the house",
    "void out of the overflow",
    "covered by the house",
    "paid by slip",
    "paid at GAME OVER",
    "over the ceiling",
    "a level off alone",
    "settled without a winner",
    "settled with several lines",
    "settled with envy alone",
    "settled with the draw",
    "settled with the dealer",
    "resettled by a reject",
    "resettled by a correction",
    "resettled back to pending",
    "resettled fixed pay",
    "resettled late hit",
    "a supplement",
    "a second supplement or less of one",
    "overpaid",
    "corrected of a closed round",
    "corrected after it was paid",
    "corrected, a supplement among it",
    "late from the meter",
    "late from the house",
    "late reset",
];

/// Of adjustments.
pub(crate) const ADJUSTMENTS: [&str; 3] =
    ["adjusted up", "adjusted down", "adjusted over the ceiling"];

/// The corners that a step turns.
pub(crate) fn corners(step: &Step<'_>) -> Vec<&'static str> {
    match step.answer {
        Answer::Repeated => vec!["repeated"],
        Answer::Reused => vec!["reused"],
        Answer::Gap { .. } => vec!["gap"],
        Answer::Done => vec!["done already"],
        Answer::Faulted => vec!["faulted"],
        Answer::Refused(refusal) => vec![refusal.code.name()],
        Answer::Broken(_) => Vec::new(),
        Answer::Caused(event) => {
            let mut turned = vec![command(step)];
            turned.extend(of_event(step, event));
            turned
        }
    }
}

fn command(step: &Step<'_>) -> &'static str {
    match &step.envelope.command {
        Command::Table { command, .. } => match command {
            TableCommand::CoinIn(_) => "coin_in",
            TableCommand::Count { .. } => "count",
            TableCommand::Fold { .. } => "fold",
            TableCommand::Hit(_) => "hit",
            TableCommand::Envy { .. } => "envy",
            TableCommand::Bonus(bonus) => match bonus.kind {
                Bonus::MagicCard => "magic_card",
                Bonus::LuckyBonus => "lucky_bonus",
            },
            TableCommand::Settle(_) => "settle",
            TableCommand::SettleWagers(_) => "settle with wagers",
            TableCommand::CancelHit { .. } => "cancel_hit",
            TableCommand::Close => "close",
            TableCommand::Void { .. } => "void",
        },
        Command::Person(command) => match command {
            PersonCommand::JoinTable(_) => "join",
            PersonCommand::ValidateHit { .. } => "validate",
            PersonCommand::RejectHit { .. } => "reject",
            PersonCommand::PayPayout { .. } => "pay",
            PersonCommand::AcceptValues { .. } => "accept values",
            PersonCommand::SuspendLink { .. } => "suspend",
            PersonCommand::ResumeLink => "resume",
            PersonCommand::DisableLevel { .. } => "disable",
            PersonCommand::EnableLevel { .. } => "enable",
            PersonCommand::LoseTable { .. } => "lose",
            PersonCommand::ResumeTable { .. } => "back",
            PersonCommand::DisableTable { .. } => "disable table",
            PersonCommand::EnableTable { .. } => "enable table",
            PersonCommand::LeaveLink { .. } => "leave",
            PersonCommand::FaultLink { .. } => "fault",
            PersonCommand::Propose(_) => "propose",
            PersonCommand::Approve { .. } => "approve",
            PersonCommand::Decline { .. } => "decline",
        },
    }
}

fn of_event(step: &Step<'_>, event: &Event) -> Vec<&'static str> {
    match event {
        Event::CoinInAccepted(coin_in) => {
            let mut turned = when(!coin_in.over_ceiling.is_empty(), "over the ceiling");
            turned.extend(when(step.before.disabled != 0, "a level off alone"));
            turned
        }
        Event::HitRecorded(hit) => of_hit(hit),
        Event::RoundSettled { hits, wagers, .. } => {
            let mut turned = of_settle(hits);
            let tables = wagers.iter().flat_map(|it| &it.settled.tables);
            for paid in tables.filter(|it| it.returns.is_some()) {
                let read = paid.reading.is_some();
                turned.extend(when(read, "settled by a reading"));
                turned.extend(when(!read, "settled by an adopted table"));
            }
            turned
        }
        Event::HitCancelled { hit, .. } => {
            let mut turned = of_withdrawn(step, *hit);
            turned.extend(when(hit.number > 0, "cancelled of several"));
            turned
        }
        Event::HitRejected { hit, resettled, .. } => {
            let mut turned = of_withdrawn(step, *hit);
            turned.extend(when(!resettled.is_empty(), "resettled by a reject"));
            turned.extend(resettled.iter().flat_map(|it| of_resettled(step, it)));
            turned
        }
        Event::RoundVoided { hits, .. } => match hits.len() {
            0 => Vec::new(),
            1 => vec!["void with a hit"],
            _ => vec!["void with several hits"],
        },
        Event::PayoutPaid { .. } => vec!["paid by slip"],
        Event::RoundClosed { hits, .. } if !hits.is_empty() => vec!["paid at GAME OVER"],
        Event::ChangeApproved { effect, moves, .. } => of_change(step, effect, moves),
        _ => Vec::new(),
    }
}

fn of_hit(hit: &HitRecorded) -> Vec<&'static str> {
    let several = hit.payouts.len() > 1;
    let dealer = hit.holder == Holder::Dealer && several;
    let mut turned = when(
        dealer && matches!(hit.kind, HitKind::MagicCard | HitKind::LuckyBonus),
        "a dealer's bonus for several",
    );
    let Some(taken) = hit.taken else {
        return turned;
    };
    let due: i64 = hit.payouts.iter().map(|it| it.amount.micros()).sum();
    turned.extend(when(due == 0, "a percentage of nothing"));
    turned.extend(when(several, "a split or envy"));
    if let Some(reset) = taken.reset {
        let (house, reserve) = (reset.from_house.micros(), reset.from_reserve.micros());
        let overflow = reset.from_overflow.micros();
        turned.extend(when(reserve > 0 && house > 0, "reset by both"));
        turned.extend(when(reserve > 0 && house == 0, "reset by the reserve"));
        turned.extend(when(overflow > 0, "reset with overflow"));
        let over = hit.moves.iter().any(|it| it.to == Account::Overflow);
        turned.extend(when(over, "reset over the ceiling"));
        let left = taken.after.micros() - house - reserve - overflow;
        turned.extend(when(
            !over && left % 10_000 != 0,
            "a fraction carried forward",
        ));
    }
    turned
}

fn of_settle(hits: &[HitRecorded]) -> Vec<&'static str> {
    let kinds = |kind: HitKind| hits.iter().filter(move |hit| hit.kind == kind).count();
    let drawn = kinds(HitKind::MagicCard) + kinds(HitKind::LuckyBonus);
    let dealer = hits.iter().any(|hit| hit.holder == Holder::Dealer);
    [
        when(hits.is_empty(), "settled without a winner"),
        when(kinds(HitKind::Line) > 1, "settled with several lines"),
        when(kinds(HitKind::Envy) > 0, "settled with envy alone"),
        when(drawn > 0, "settled with the draw"),
        when(dealer, "settled with the dealer"),
    ]
    .concat()
}

fn of_withdrawn(step: &Step<'_>, hit: HitId) -> Vec<&'static str> {
    let reset = step.before.hit(hit).and_then(|it| it.taken?.reset);
    let mut standing = step.before.standing.iter();
    let shared =
        standing.any(|hits| hits.len() > 1 && hits.last().is_some_and(|last| last.hit == hit));
    [
        vec!["withdrawn"],
        when(reset.is_some(), "a reset withdrawn"),
        when(shared, "withdrawn after others' hits"),
    ]
    .concat()
}

fn of_resettled(step: &Step<'_>, new: &Resettled) -> Vec<&'static str> {
    let old = step.before.hit(new.hit);
    let supplements = |kinds: Vec<PayoutKind>| {
        kinds
            .iter()
            .filter(|kind| **kind == PayoutKind::Supplement)
            .count()
    };
    let had = old.map_or(0, |old| {
        supplements(old.payouts.iter().map(|it| it.payout.kind).collect())
    });
    let has = supplements(new.payouts.iter().map(|it| it.kind).collect());
    let closed = step
        .before
        .closed
        .iter()
        .any(|it| it.id == new.hit && it.round == it.id.sequence);
    [
        when(new.back_to_pending, "resettled back to pending"),
        when(new.taken.percent.is_none(), "resettled fixed pay"),
        when(closed, "resettled late hit"),
        when(has > had, "a supplement"),
        when(had > 0, "a second supplement or less of one"),
    ]
    .concat()
}

fn of_change(step: &Step<'_>, effect: &Effect, moves: &[Move]) -> Vec<&'static str> {
    let over = moves.iter().any(|it| it.to == Account::Overflow);
    match effect {
        Effect::Corrected { hit, resettled } => {
            let mut turned = of_withdrawn(step, *hit);
            let closed = step.before.open_hit(*hit).is_none();
            let found = step.before.hit(*hit);
            let paid =
                found.is_some_and(|it| it.payouts.iter().any(|payout| payout.paid.is_some()));
            let validated = |it: HitId| {
                let hit = step.before.hit(it);
                hit.is_some_and(|it| matches!(it.status, HitStatus::Validated { .. }))
            };
            turned.extend(when(closed, "corrected of a closed round"));
            turned.extend(when(paid, "corrected after it was paid"));
            turned.extend(when(!resettled.is_empty(), "resettled by a correction"));
            let supplement = found.is_some_and(|it| {
                it.payouts
                    .iter()
                    .any(|it| it.payout.kind == PayoutKind::Supplement)
            });
            turned.extend(when(supplement, "corrected, a supplement among it"));
            let paid_back = moves
                .iter()
                .any(|it| (it.from, it.to) == (Account::House, Account::Meter));
            let overpaid = paid_back && resettled.iter().any(|it| validated(it.hit));
            turned.extend(when(overpaid, "overpaid"));
            turned.extend(resettled.iter().flat_map(|it| of_resettled(step, it)));
            turned
        }
        Effect::Adjusted { before, after, .. } => [
            when(after > before, "adjusted up"),
            when(after < before, "adjusted down"),
            when(over, "adjusted over the ceiling"),
        ]
        .concat(),
        Effect::LateHitRecorded {
            recorded,
            from_meter,
            ..
        } => {
            let reset = recorded.taken.is_some_and(|it| it.reset.is_some());
            [
                when(*from_meter, "late from the meter"),
                when(!from_meter, "late from the house"),
                when(reset, "late reset"),
            ]
            .concat()
        }
        Effect::FaultCleared { .. } => vec!["clear a fault"],
        Effect::ReturnsAcknowledged => vec!["acknowledge returns"],
        Effect::TableAdopted { adopted, before } => {
            let again = adopted.reading.is_none() && !adopted.returns.exceeds_wager();
            let print = adopted.reading.is_none() && adopted.returns.exceeds_wager();
            [
                when(print, "adopt a table"),
                when(adopted.reading.is_some(), "adopt a reading"),
                when(again && before.is_some(), "pay the print again"),
            ]
            .concat()
        }
    }
}

fn when(turned: bool, corner: &'static str) -> Vec<&'static str> {
    if turned { vec![corner] } else { Vec::new() }
}
