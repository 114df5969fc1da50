//! What people mean: about hits, and as one of two.

use meterhouse_domain::change::{AdjustedAccount, Change, LateHit, Propose};
use meterhouse_domain::command::{Command, Envelope, Holder, LevelValue, PersonCommand};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{
    ActorId, Department, HitId, HitOrder, Note, ProposalId, Sequence, Timestamp,
};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::Level;
use meterhouse_domain::seat::{Seat, SeatSet};

use crate::auditor::hit::{Hit, Name};
use crate::auditor::round::{Round, Who};
use crate::beside::{adoption, table_of};
use crate::commands::{Cards, Intent, Matter};
use crate::meaning::{named, table_no};
use crate::play::Game;

/// Who may decide: token, badge and department. The third has the controllers' token, the fourth is the dealer
/// himself, the fifth has the first one's name, the sixth his department; all three in large letters.
const PEOPLE: [(i32, &str, &str); 6] = [
    (2, "ana", "pit"),
    (3, "sam", "cage"),
    (7, "eve", "audit"),
    (4, "D-1", "surveillance"),
    (5, "ANA", "audit"),
    (6, "lou", "PIT"),
];

/// From here on, the newest hit but so many is one that nobody keyed.
const UNKNOWN: u8 = 8;
/// From here on, what is to be corrected may be undone already.
const ANY: u8 = 9;

/// The late hit that is none: its round is still open.
const OF_THE_OPEN_ROUND: u8 = 7;

/// Proposals that make too many.
const FLOOD: u8 = 66;

impl Game {
    /// The moment of play.
    pub(crate) const fn time(&self) -> Timestamp {
        Timestamp(self.now)
    }

    /// What a person does to the n-th newest hit that people can still reach; or to an unknown one.
    pub(crate) fn of_person(&self, intent: &Intent) -> Envelope {
        let reachable = |hit: &&Hit| self.auditor.reachable(hit.name).is_some();
        let hits = self.auditor.hits.iter().rev().filter(reachable);
        let hits: Vec<&Hit> = hits.collect();
        let unknown = Name {
            table: 0,
            number: 9_999,
            nth: 0,
        };
        let nth = |back: u8| {
            let found = hits.get(usize::from(back) % hits.len().max(1));
            let found = found.filter(|_| back < UNKNOWN);
            let name = found.map_or(unknown, |hit| hit.name);
            let hand = found.and_then(|hit| hit.hand);
            (named(name), hand.unwrap_or(Hand::HighCard))
        };
        match intent {
            Intent::Validate { back, by, cards } => {
                let (hit, hand) = nth(*back);
                let cards = self.cards(hand, *cards);
                asked(
                    *by,
                    PersonCommand::ValidateHit {
                        hit,
                        cards,
                        note: None,
                    },
                )
            }
            Intent::Pay {
                back,
                payout,
                document,
                by,
            } => asked(*by, payment(nth(*back).0, u32::from(*payout), *document)),
            Intent::Reject { back, by, resettle } => asked(
                *by,
                PersonCommand::RejectHit {
                    hit: nth(*back).0,
                    note: None,
                    resettle: *resettle,
                },
            ),
            _ => asked(0, PersonCommand::ResumeLink),
        }
    }

    /// A manager accepts the first values, with something wrong in them unless 0.
    pub(crate) fn accepted(&self, wrong: u8) -> Envelope {
        let terms = &self.world.state.terms;
        let levels = (0_u8..).zip(&terms.content().levels);
        let value = |(level, it): (u8, &Level)| {
            let amount = terms.wager.for_one(it.seed).unwrap_or(Money::ZERO);
            LevelValue { level, amount }
        };
        let mut values: Vec<LevelValue> = levels.map(value).collect();
        let first = values.first().copied();
        match wrong {
            0 => values.reverse(),
            1 => values.iter_mut().for_each(|it| it.amount = Money::ZERO),
            2 => drop(values.pop()),
            3 => values.extend(first),
            4 => values.extend(first.map(|it| LevelValue { level: 9, ..it })),
            _ => {}
        }
        asked(2, PersonCommand::AcceptValues { values })
    }

    /// What one of two people does, or both.
    pub(crate) fn of_two_people(&self, table: usize, intent: &Intent) -> Vec<Envelope> {
        match intent {
            Intent::Propose { id, by, matter } => {
                let propose = self.proposed(table, ProposalId([*id; 16]), *by, matter);
                propose.into_iter().collect()
            }
            Intent::Both { id, matter } => self.two_people(table, ProposalId([*id; 16]), matter),
            Intent::Flood { id } => {
                let ids = (0..FLOOD).map(|nth| ProposalId([100 + nth; 16]));
                let matter = Matter::Adjust {
                    level: 0,
                    reserve: false,
                    by: i16::from(*id) + 1,
                };
                ids.filter_map(|id| self.proposed(table, id, 0, &matter))
                    .collect()
            }
            Intent::Decide { back, by, approve } => {
                let waiting = self.auditor.proposals.iter().rev();
                let found = waiting
                    .map(|it| it.propose.proposal)
                    .nth(usize::from(*back));
                let none = (*back > 3).then_some(ProposalId([251; 16]));
                let Some(proposal) = found.or(none) else {
                    return Vec::new();
                };
                let command = if *approve {
                    department(*by).map(|department| PersonCommand::Approve {
                        proposal,
                        department,
                    })
                } else {
                    department(*by).zip(reason()).map(|(department, reason)| {
                        PersonCommand::Decline {
                            proposal,
                            department,
                            reason,
                        }
                    })
                };
                command
                    .into_iter()
                    .map(|command| asked(*by, command))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// One proposes, another approves.
    pub(crate) fn two_people(
        &self,
        table: usize,
        proposal: ProposalId,
        matter: &Matter,
    ) -> Vec<Envelope> {
        let approve = |by| {
            let command = department(by).map(|department| PersonCommand::Approve {
                proposal,
                department,
            });
            command.map(|it| asked(by, it))
        };
        let propose = self.proposed(table, proposal, 0, matter);
        // Now and then a colleague of the first one's department tries before.
        let colleague = proposal.0.iter().all(|it| it % 2 == 0);
        propose
            .into_iter()
            .chain(approve(5).filter(|_| colleague))
            .chain(approve(1))
            .collect()
    }

    fn proposed(
        &self,
        table: usize,
        proposal: ProposalId,
        by: u8,
        matter: &Matter,
    ) -> Option<Envelope> {
        let propose = Propose {
            proposal,
            department: department(by)?,
            reason: reason()?,
            change: self.change(table, matter)?,
        };
        Some(asked(by, PersonCommand::Propose(Box::new(propose))))
    }

    fn change(&self, table: usize, matter: &Matter) -> Option<Change> {
        match matter {
            Matter::Clear => Some(Change::ClearFault),
            Matter::Acknowledge => Some(Change::AcknowledgeReturns),
            Matter::Adopt {
                table,
                read,
                returns,
            } => {
                // Most often the table that is adopted: what becomes of it is worth more.
                let known = self.auditor.adopted.keys().next();
                let table = known.filter(|_| *table == 0).map_or(*table, table_of);
                let adopted = adoption(table, *read, *returns)?;
                Some(Change::AdoptTable(Box::new(adopted)))
            }
            Matter::Correct { back } => {
                let hits = self.auditor.hits.iter().rev();
                let hits = hits.filter(|hit| *back >= ANY || hit.stands());
                let hits: Vec<&Hit> = hits.collect();
                let hit = hits.get(usize::from(*back) % hits.len().max(1));
                let hit = hit.filter(|_| *back < UNKNOWN + ANY);
                let never = Name {
                    table,
                    number: 9_999,
                    nth: 0,
                };
                Some(Change::Correct {
                    hit: named(hit.map_or(never, |hit| hit.name)),
                })
            }
            Matter::Adjust { level, reserve, by } => {
                let book = self.world.state.balances.get(usize::from(*level));
                let account = if *reserve { 3 } else { 2 };
                let held = book.map_or(0, |book| book.0[account].micros());
                let by = i64::from(*by);
                let micros = match by {
                    ..0 => held / 100 * by + by,
                    0..195 => by * 10_007,
                    _ => i64::MAX / 2,
                };
                Some(Change::Adjust {
                    level: *level,
                    account: if *reserve {
                        AdjustedAccount::Reserve
                    } else {
                        AdjustedAccount::Meter
                    },
                    amount: Money::from_micros(micros),
                })
            }
            Matter::Late {
                back,
                pick,
                hand,
                cards,
            } => self.late(table, (*back, *pick), *hand, *cards),
        }
    }

    /// A hand of the n-th newest closed round, or of the open one, with what the journal says of the round.
    fn late(&self, table: usize, (back, pick): (u8, u8), hand: u8, cards: Cards) -> Option<Change> {
        let felt = &self.auditor.felts[table];
        let nth = usize::from(back) % felt.closed.len().max(1);
        let open = back == OF_THE_OPEN_ROUND && felt.round.is_some();
        let closed = felt.closed.iter().rev().nth(nth).filter(|_| !open);
        let (round, displayed, order) = match (closed, &felt.round) {
            (Some(closed), _) => (&closed.round, closed.displayed.clone(), closed.order),
            (None, Some(open)) => {
                let levels = 0..self.auditor.sheet.levels.len();
                let displayed = levels.map(|level| self.auditor.displayed(level));
                (open, displayed.collect(), self.auditor.order())
            }
            (None, None) => return None,
        };
        let turns = round.turns(&self.auditor.sheet);
        let who = match pick {
            7 => Who::Dealer,
            6 => Who::Seat(SEAT_AT_THE_DEALERS_RIGHT),
            nth => *turns.get(usize::from(nth) % turns.len().max(1))?,
        };
        // A late hit is named by its hand, once for ever.
        let stood = self.auditor.hits.iter().any(|hit| {
            let here = hit.name.table == table && hit.round == round.number;
            let late = hit.name.number == hit.round;
            here && hit.who == who && hit.by_rank() && (hit.stands() || late)
        });
        let hand = self.hand(hand);
        let displayed = displayed
            .into_iter()
            .filter_map(|it| i64::try_from(it).ok());
        Some(Change::LateHit(Box::new(LateHit {
            table: table_no(table),
            round: Sequence(round.number),
            holder: match who {
                Who::Seat(seat) => Holder::Seat(Seat(seat)),
                Who::Dealer => Holder::Dealer,
            },
            hand,
            cards: self.cards(hand, cards),
            own: set(&round.own),
            dealer: set(&round.dealer),
            folded: set(&round.folded),
            players: players(round),
            displayed: displayed.map(Money::from_micros).collect(),
            order_at_close: HitOrder(order),
            stood,
        })))
    }
}

/// A seat that has no wager in half of the rounds.
const SEAT_AT_THE_DEALERS_RIGHT: u8 = 5;

fn set(seats: &std::collections::BTreeSet<u8>) -> SeatSet {
    seats.iter().copied().map(Seat).collect()
}

fn players(round: &Round) -> Vec<(Seat, meterhouse_domain::ids::PlayerName)> {
    let named = |(seat, name): (&u8, &String)| Some((Seat(*seat), name.parse().ok()?));
    round.names.iter().filter_map(named).collect()
}

/// A person's command, with his token and badge.
pub(crate) fn asked(by: u8, command: PersonCommand) -> Envelope {
    let (actor, badge, _) = PEOPLE[usize::from(by) % PEOPLE.len()];
    Envelope {
        actor: ActorId(actor),
        by: badge.parse().ok(),
        device_time: None,
        command: Command::Person(command),
    }
}

fn department(by: u8) -> Option<Department> {
    let (_, _, department) = PEOPLE[usize::from(by) % PEOPLE.len()];
    department.parse().ok()
}

/// Why.
pub(crate) fn reason() -> Option<Note> {
    "the floor asked for it".parse().ok()
}

/// The commands that never parse are never sent: a document is always this text.
pub(crate) fn payment(hit: HitId, number: u32, document: u8) -> PersonCommand {
    match format!("JP-{document}").parse() {
        Ok(document) => PersonCommand::PayPayout {
            hit,
            number,
            document,
        },
        Err(_) => PersonCommand::ResumeLink,
    }
}
