//! Canonical forms of commands: the record of a refusal holds the whole refused command.

use meterhouse_domain::change::Propose;
use meterhouse_domain::command::{
    BonusCommand, CoinIn, Command, HitCommand, Holder, JoinTable, LevelValue, PersonCommand,
    Settle, SettleWagers, TableCommand, Wager,
};
use meterhouse_domain::seat::Seat;

use crate::codec::{Canonical, DecodeError, Problem, Reader, Writer};
use crate::forms::{structs, variants};

variants! {
    Command "command" {
        1 Table { table, sequence, command },
        2 Person(command: PersonCommand),
    }
    TableCommand "table command" {
        1 CoinIn(command: CoinIn),
        2 Count { chips },
        3 Fold { seats },
        4 Hit(command: HitCommand),
        5 Envy { seat, hand, cards },
        6 CancelHit { hit, number },
        7 Close,
        8 Void { reason },
        9 Bonus(command: BonusCommand),
        10 Settle(command: Box<Settle>),
        11 SettleWagers(command: Box<SettleWagers>),
    }
    PersonCommand "person's command" {
        1 JoinTable(command: Box<JoinTable>),
        2 ValidateHit { hit, cards, note },
        3 RejectHit { hit, note, resettle },
        4 PayPayout { hit, number, document },
        5 SuspendLink { reason },
        6 ResumeLink,
        7 DisableLevel { level, reason },
        8 EnableLevel { level },
        9 LoseTable { table, heard_at, must_resume },
        10 ResumeTable { table },
        11 FaultLink { reason },
        12 Propose(propose: Box<Propose>),
        13 Approve { proposal, department },
        14 Decline { proposal, department, reason },
        15 DisableTable { table, reason },
        16 EnableTable { table },
        17 LeaveLink { table, reason },
        18 AcceptValues { values },
    }
    Holder "holder" {
        1 Seat(seat: Seat),
        2 Dealer,
    }
}

structs! {
    CoinIn { wagers, dealt }
    Wager { seat, on, amount, player }
    HitCommand { holder, hand, cards }
    BonusCommand { kind, holder, cards }
    Settle { dealer, community, seats }
    SettleWagers { cards, wagers, result, as_read }
    LevelValue { level, amount }
    JoinTable { name, game, seats, paytable, wager, decks }
}
