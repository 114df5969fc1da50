//! What an intent means at the moment when it is played: commands with their numbers, seats and cards.

use meterhouse_domain::command::{
    Bonus, BonusCommand, Command, Envelope, HitCommand, PersonCommand, Settle, TableCommand,
    VoidReason,
};
use meterhouse_domain::ids::{ActorId, HitId, ProposalId, Sequence, TableNo};
use meterhouse_domain::seat::Seat;

use crate::auditor::hit::{Name, Status, Way};
use crate::beside::reordered;
use crate::commands::{Intent, Matter, Miss};
use crate::persons::{asked, payment, reason};
use crate::play::Game;
use crate::wagers::seats_of;

/// The badge that comes with the commands of a table.
pub(crate) const DEALER_BADGE: &str = "d-1";

impl Game {
    /// The commands that an intent means now.
    pub(crate) fn meant(&self, table: usize, intent: &Intent) -> Vec<Envelope> {
        let felt = &self.auditor.felts[table];
        let next = |command| vec![self.keyed(table, felt.last + 1, command)];
        match intent {
            Intent::CoinIn { .. } => next(self.coin_in(intent)),
            Intent::Count { chips } => next(TableCommand::Count {
                chips: u32::from(*chips),
            }),
            Intent::Fold { seats, twice } => {
                let mut seats = seats_of(*seats);
                seats.extend(twice.then_some(Seat(1)));
                next(TableCommand::Fold { seats })
            }
            Intent::Hit { .. } | Intent::Envy { .. } | Intent::Bonus { .. } => {
                next(self.hand_keyed(table, intent))
            }
            Intent::Settle { deal, miss } => {
                let cards = self.dealt(table, *deal, *miss);
                next(self.settle(table, cards, *deal))
            }
            Intent::Cancel { back, number } => {
                let hits = self.auditor.of_open_round(table).rev();
                let hit = hits.map(|hit| hit.name).nth(usize::from(*back));
                let name = number.map_or(hit, |number| {
                    Some(Name {
                        table,
                        number: u64::from(number),
                        nth: number % 2,
                    })
                });
                name.map_or_else(Vec::new, |name| {
                    next(TableCommand::CancelHit {
                        hit: Sequence(name.number),
                        number: name.nth,
                    })
                })
            }
            Intent::Close => next(TableCommand::Close),
            Intent::Void { reason } => {
                let reasons = VoidReason::ALL;
                next(TableCommand::Void {
                    reason: reasons[usize::from(*reason) % reasons.len()],
                })
            }
            Intent::Finish => self.finish(table),
            Intent::Again { back, other } => self.again(table, *back, *other),
            Intent::AgainInOtherOrder { back } => self.other_order(table, *back),
            Intent::Gap { missing } => {
                let number = felt.last + 1 + u64::from(*missing);
                vec![self.keyed(table, number, TableCommand::Close)]
            }
            Intent::Suspend { .. }
            | Intent::Switch { .. }
            | Intent::Lose { .. }
            | Intent::Serve { .. }
            | Intent::Leave
            | Intent::Fault => self.of_link(table, intent),
            Intent::Accept { wrong } => vec![self.accepted(*wrong)],
            Intent::Propose { .. }
            | Intent::Decide { .. }
            | Intent::Both { .. }
            | Intent::Flood { .. } => self.of_two_people(table, intent),
            Intent::Validate { .. } | Intent::Reject { .. } | Intent::Pay { .. } => {
                vec![self.of_person(intent)]
            }
        }
    }

    /// A hand that the dealer keys: a hit, envy alone, or a bonus of the draw.
    fn hand_keyed(&self, table: usize, intent: &Intent) -> TableCommand {
        match intent {
            Intent::Hit { pick, hand, cards } => {
                let hand = self.hand(*hand);
                TableCommand::Hit(HitCommand {
                    holder: self.holder(table, *pick),
                    hand,
                    cards: self.cards(hand, *cards),
                })
            }
            Intent::Envy { seat, hand, cards } => {
                let hand = self.hand(*hand);
                TableCommand::Envy {
                    seat: Seat(self.seat_without_wager(table, *seat)),
                    hand,
                    cards: self.cards(hand, *cards),
                }
            }
            Intent::Bonus { lucky, pick, cards } => TableCommand::Bonus(BonusCommand {
                kind: if *lucky {
                    Bonus::LuckyBonus
                } else {
                    Bonus::MagicCard
                },
                holder: self.holder(table, *pick),
                cards: self.cards_with_the_drawn(table, *cards),
            }),
            _ => TableCommand::Close,
        }
    }

    /// All cards of the round: known ones, and as far as there are any, each only as often as the decks have it.
    fn dealt(&self, table: usize, deal: [u8; 7], miss: Miss) -> Settle {
        let round = self.auditor.felts[table].round.as_ref();
        let seats: Vec<u8> = round
            .iter()
            .flat_map(|round| round.dealt.iter().copied())
            .collect();
        let wants_dealer = round.is_some_and(|round| !round.dealer.is_empty()) || deal[0] > 200;
        let mut hands = self.hands_without_repeats(deal);
        if miss == Miss::Same {
            let same = hands[2].clone();
            hands[1] = same;
        }
        if miss == Miss::Four {
            hands[1].pop();
        }
        let dealers = hands.remove(0);
        let mut all: Vec<_> = seats.into_iter().map(Seat).zip(hands).collect();
        match miss {
            Miss::Seat => {
                all.pop();
            }
            Miss::Twice => all.extend(all.first().cloned()),
            Miss::Idle => {
                let idle = (1..=7)
                    .map(Seat)
                    .find(|it| all.iter().all(|(seat, _)| seat != it));
                all.extend(idle.zip(all.first().map(|(_, cards)| cards.clone())));
            }
            Miss::Nothing | Miss::Dealer | Miss::Four | Miss::Same | Miss::Shared => {}
        }
        if deal[1].is_multiple_of(3) {
            all.reverse();
        }
        let community = dealers
            .iter()
            .take(usize::from(miss == Miss::Shared))
            .copied();
        Settle {
            community: community.collect(),
            dealer: if wants_dealer && miss != Miss::Dealer {
                dealers
            } else {
                Vec::new()
            },
            seats: all,
        }
    }

    /// A command under a number of a table, with the dealer's badge, if the table sends it.
    fn keyed(&self, table: usize, number: u64, command: TableCommand) -> Envelope {
        Envelope {
            actor: ActorId(1),
            by: self.badge(),
            device_time: None,
            command: Command::Table {
                table: table_no(table),
                sequence: Sequence(number),
                command,
            },
        }
    }

    /// Everybody validates and pays, and the table says GAME OVER.
    fn finish(&self, table: usize) -> Vec<Envelope> {
        let felt = &self.auditor.felts[table];
        let mut all = Vec::new();
        for hit in self.auditor.standing(table) {
            let id = named(hit.name);
            if hit.status == Status::Pending {
                let validate = PersonCommand::ValidateHit {
                    hit: id,
                    cards: None,
                    note: None,
                };
                all.push(asked(0, validate));
            }
            for (number, due) in (1..).zip(&hit.due) {
                if due.way == Way::Slip && due.paid.is_none() {
                    all.push(asked(1, payment(id, number, 0)));
                }
            }
        }
        all.push(self.keyed(table, felt.last + 1, TableCommand::Close));
        all
    }

    /// Whatever keeps a table from its next coin-in is over.
    pub(crate) fn put_in_play(&self, table: usize) -> Vec<Envelope> {
        let mut all = Vec::new();
        if self.auditor.fault.is_some() {
            let id = ProposalId([250; 16]);
            all.extend(self.two_people(table, id, &Matter::Clear));
        }
        if !self.auditor.values_accepted {
            all.push(self.accepted(0));
        }
        if self.auditor.unacknowledged {
            let id = ProposalId([249; 16]);
            all.extend(self.two_people(table, id, &Matter::Acknowledge));
        }
        if self.auditor.suspended {
            all.push(asked(0, PersonCommand::ResumeLink));
        }
        let levels = self
            .auditor
            .disabled
            .iter()
            .filter_map(|it| u8::try_from(*it).ok());
        let needed = levels.filter(|it| self.auditor.sheet.is_won_by_a_line(usize::from(*it)));
        all.extend(needed.map(|level| asked(0, PersonCommand::EnableLevel { level })));
        if self.auditor.felts[table].disabled && !self.auditor.felts[table].left {
            let table = table_no(table);
            all.push(asked(0, PersonCommand::EnableTable { table }));
        }
        if self.auditor.felts[table].lost == Some(true) {
            let back = PersonCommand::ResumeTable {
                table: table_no(table),
            };
            all.push(asked(0, back));
        }
        all
    }

    /// The n-th newest command of this table once more, as it was, or under another's number.
    fn again(&self, table: usize, back: u8, other: u8) -> Vec<Envelope> {
        let felt = &self.auditor.felts[table];
        let said = felt.said.iter().rev().nth(usize::from(back));
        let number = felt.last.saturating_sub(u64::from(back) + u64::from(other));
        let again = said.filter(|_| number > 0);
        let again = again.map(|(command, _)| self.keyed(table, number, command.clone()));
        again.into_iter().collect()
    }

    fn other_order(&self, table: usize, back: u8) -> Vec<Envelope> {
        let mut all = self.again(table, back, 0);
        for envelope in &mut all {
            envelope.by = None;
            match &mut envelope.command {
                Command::Table {
                    command: TableCommand::CoinIn(coin_in),
                    ..
                } => {
                    coin_in.wagers.reverse();
                    coin_in.dealt.reverse();
                }
                Command::Table {
                    command: TableCommand::Fold { seats },
                    ..
                } => seats.reverse(),
                Command::Table {
                    command: TableCommand::Settle(settle),
                    ..
                } => settle.seats.reverse(),
                Command::Table {
                    command: TableCommand::SettleWagers(settle),
                    ..
                } => reordered(settle),
                _ => {}
            }
        }
        all
    }

    /// What happens to the link, a level or a table.
    fn of_link(&self, table: usize, intent: &Intent) -> Vec<Envelope> {
        let levels = u8::try_from(self.auditor.sheet.levels.len()).unwrap_or(0);
        let command = match intent {
            Intent::Suspend { on: true } => {
                reason().map(|reason| PersonCommand::SuspendLink { reason })
            }
            Intent::Switch { level, on: false } => {
                reason().map(|reason| PersonCommand::DisableLevel {
                    level: *level % (levels + 1),
                    reason,
                })
            }
            Intent::Switch { level, on: true } => Some(PersonCommand::EnableLevel {
                level: *level % (levels + 1),
            }),
            Intent::Lose { back: true, .. } => Some(PersonCommand::ResumeTable {
                table: table_no(table),
            }),
            Intent::Lose { must_resume, .. } => Some(PersonCommand::LoseTable {
                table: table_no(table),
                heard_at: self.time(),
                must_resume: *must_resume,
            }),
            Intent::Serve { on: true } => Some(PersonCommand::EnableTable {
                table: table_no(table),
            }),
            Intent::Serve { on: false } => reason().map(|reason| PersonCommand::DisableTable {
                table: table_no(table),
                reason,
            }),
            Intent::Leave => reason().map(|reason| PersonCommand::LeaveLink {
                table: table_no(table),
                reason,
            }),
            Intent::Fault => Some(PersonCommand::FaultLink {
                reason: "meter is not the sum of its entries".to_owned(),
            }),
            _ => Some(PersonCommand::ResumeLink),
        };
        command
            .into_iter()
            .map(|command| asked(0, command))
            .collect()
    }
}

/// A hit as commands name it.
pub(crate) fn named(name: Name) -> HitId {
    HitId {
        table: table_no(name.table),
        sequence: Sequence(name.number),
        number: name.nth,
    }
}

/// A table as commands name it.
pub(crate) fn table_no(table: usize) -> TableNo {
    TableNo(u32::try_from(table + 1).unwrap_or(u32::MAX))
}
