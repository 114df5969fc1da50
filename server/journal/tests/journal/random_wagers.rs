//! Random fixed wagers: as tables send them, settled, and refused.

use meterhouse_domain::adopted::Returned;
use meterhouse_domain::fixed::limit::LimitReading;
use meterhouse_domain::fixed::settle::{
    LinePaid, PlacedWager, SeatEnd, SettledRound, SettledSeat, SettledWager, TableTerms,
    WagerResult,
};
use meterhouse_domain::fixed::wager::FixedWager;
use meterhouse_domain::round_wagers::{
    Omission, PayingTable, PlayedWagers, RecordedWagers, SeatWagers, SettledWagers, WagerFinding,
    WagersResult,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use crate::random::{card, free, money, name, one, seat};

fn placed() -> impl Strategy<Value = PlacedWager> {
    (one(FixedWager::ALL), money()).prop_map(|(wager, amount)| PlacedWager { wager, amount })
}

fn terms() -> impl Strategy<Value = TableTerms> {
    (
        money(),
        money(),
        of(money()),
        of(one(LimitReading::ALL)),
        of(money()),
    )
        .prop_map(|(minimum, step, limit, reading, most)| TableTerms {
            minimum,
            step,
            limit,
            reading,
            most_at_minimum: most,
        })
}

pub(crate) fn played_wagers() -> BoxedStrategy<PlayedWagers> {
    let of_seat = (seat(), of(name()), one(SeatEnd::ALL), vec(placed(), 0..3)).prop_map(
        |(seat, player, end, wagers)| SeatWagers {
            seat,
            player,
            end,
            wagers,
        },
    );
    (
        free(),
        terms(),
        vec(name(), 0..3),
        vec(card(), 0..6),
        vec(of_seat, 0..3),
    )
        .prop_map(|(jurisdiction, terms, tables, bonus, seats)| PlayedWagers {
            jurisdiction,
            terms,
            tables,
            bonus,
            seats,
        })
        .boxed()
}

fn line() -> impl Strategy<Value = LinePaid> {
    (name(), free(), 0..20_usize, free(), free()).prop_map(
        |(table, citation, index, prints, pays)| LinePaid {
            table,
            citation,
            index,
            prints,
            pays,
        },
    )
}

fn settled_wager() -> impl Strategy<Value = SettledWager> {
    let decided = (one(WagerResult::ALL), free(), of(line()));
    let amounts = (money(), money(), money(), money());
    (placed(), decided, amounts).prop_map(
        |(placed, (result, clause, line), (payout, paid, returned, collected))| SettledWager {
            wager: placed.wager,
            amount: placed.amount,
            result,
            clause: clause.into(),
            line,
            payout,
            paid,
            returned,
            collected,
        },
    )
}

pub(crate) fn settled_wagers() -> BoxedStrategy<SettledWagers> {
    let omission = (free(), free(), of(free())).prop_map(|(what, place, inferred_from)| Omission {
        what,
        place,
        inferred_from,
    });
    let adopted = (of(name()), of(any::<u32>()));
    let table = (name(), free(), free(), vec(omission, 0..3), adopted).prop_map(
        |(id, title, citation, omissions, (reading, ppm))| PayingTable {
            id,
            title,
            citation,
            omissions,
            reading,
            returns: ppm.map(|ppm| Returned { ppm }),
        },
    );
    let seats = (seat(), vec(settled_wager(), 0..3))
        .prop_map(|(seat, wagers)| SettledSeat { seat, wagers });
    let limit = of((money(), free().prop_map(Into::into)));
    let round = (vec(seats, 0..3), limit).prop_map(|(seats, limit)| SettledRound { seats, limit });
    (name(), vec(table, 0..3), round)
        .prop_map(|(game, tables, round)| SettledWagers {
            game,
            tables,
            round,
        })
        .boxed()
}

pub(crate) fn recorded_wagers() -> impl Strategy<Value = RecordedWagers> {
    (played_wagers(), settled_wagers())
        .prop_map(|(played, settled)| RecordedWagers { played, settled })
}

pub(crate) fn wagers_result() -> impl Strategy<Value = WagersResult> {
    let finding = (free(), free(), free()).prop_map(|(path, code, detail)| WagerFinding {
        path,
        code,
        detail,
    });
    prop_oneof![
        settled_wagers().prop_map(|settled| WagersResult::Settled(Box::new(settled))),
        vec(finding, 0..3).prop_map(WagersResult::Refused),
    ]
}
