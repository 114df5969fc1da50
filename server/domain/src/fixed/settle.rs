//! The settlement of a whole round: for each wager its result, its pay and the chips afterwards.
//!
//! # Shape
//! [`settle()`] is a function of the round and the chosen tables. The rules of each game are in the file of its name,
//! such as `crazy_4_poker`: each wager is a constant there, in the order of settlement. This file reads them. `check`
//! looks for mistakes in the round, `limits` cuts payouts. Dice and wheel have no hands: [`settle_rolled`] settles a throw
//! of Sic Bo or a game of Touchdown Roulette, wager by wager.
//!
//! # Order
//! Seats are settled one after another from the dealer's right, counterclockwise, each with its wagers in the order of
//! the chapter. The order in which the round lists them makes no difference.

mod cajun_stud;
mod check;
mod chosen;
mod cite;
mod crazy_4_poker;
mod decided;
mod finding;
mod four_card_frenzy;
mod four_card_poker;
mod four_cards;
mod let_it_ride;
mod limits;
mod mississippi_stud;
mod one_by_one;
mod rolled;
mod round;
mod rules;
mod settled;
mod sic_bo;
mod texas_hold_em_bonus;
mod touchdown;
mod ultimate_texas_hold_em;

pub use cite::Citation;
pub use finding::{Finding, Mistake};
pub use rolled::{ChosenWager, Rolled, RolledGame, RolledRound, SeatWagers};
pub use round::{Irregularity, PlacedWager, PlayedRound, SeatEnd, SeatPlayed, TableTerms};
pub use settled::{LinePaid, RoundTotals, SettledRound, SettledSeat, SettledWager, WagerResult};

use core::cmp::Reverse;

use crate::card::Card;
use crate::fixed::seen::see;
use crate::fixed::settle::chosen::ChosenTables;
use crate::fixed::settle::cite::Clause;
use crate::fixed::settle::decided::Decided;
use crate::fixed::settle::one_by_one::one_by_one;
use crate::fixed::settle::rules::{Fold, GameRules, Showdown, Verdict, VoidRule, WagerRule};
use crate::fixed::settle::sic_bo::Throw;
use crate::fixed::settle::touchdown::TouchdownGame;
use crate::fixed::table::FixedTable;
use crate::hand::{Evaluated, evaluate};
use crate::money::Money;

/// The games whose rounds can be settled.
const GAMES: [&GameRules; 9] = [
    &crazy_4_poker::PENNSYLVANIA,
    &crazy_4_poker::MASSACHUSETTS,
    &cajun_stud::PENNSYLVANIA,
    &four_card_frenzy::PENNSYLVANIA,
    &four_card_poker::PENNSYLVANIA,
    &let_it_ride::PENNSYLVANIA,
    &mississippi_stud::PENNSYLVANIA,
    &texas_hold_em_bonus::PENNSYLVANIA,
    &ultimate_texas_hold_em::PENNSYLVANIA,
];

/// Settles a round by the chosen tables. Tables of other games and of other numbers of players are left aside.
///
/// # Errors
/// All mistakes in the round, if there are any.
pub fn settle(round: &PlayedRound, tables: &[&FixedTable]) -> Result<SettledRound, Vec<Finding>> {
    let Some(rules) = rules_of(round) else {
        return Err(vec![Finding::new("game", unknown_game(round))]);
    };
    let mut findings = check::check(rules, round);
    let void = round.void.and_then(|irregularity| {
        let mut known = rules.voids.iter();
        known.find(|void| void.irregularity == irregularity)
    });
    let mut settlement = Settlement::new(rules, round, tables, void);
    let mut in_turn: Vec<(usize, &SeatPlayed)> = round.seats.iter().enumerate().collect();
    in_turn.sort_by_key(|(_, seat)| Reverse(seat.seat));
    let seats = in_turn
        .into_iter()
        .map(|(index, seat)| settlement.seat(index, seat));
    let seats = seats.collect();
    // Wrong cards and amounts are found above: their consequences are no mistakes of their own.
    let follows = |mistake: &Mistake| match mistake {
        Mistake::CardsMissing | Mistake::Unpayable => !findings.is_empty(),
        Mistake::Elided { .. } => findings
            .iter()
            .any(|found| found.mistake == Mistake::NoFold),
        _ => false,
    };
    let mut found = std::mem::take(&mut settlement.findings);
    found.sort_by_key(|(place, _)| *place);
    found.retain(|(_, finding)| !follows(&finding.mistake));
    findings.extend(found.into_iter().map(|(_, finding)| finding));
    let limit = limits::in_force(rules, round, |table, amount| {
        settlement.chosen.highest_pay(table, amount)
    });
    let mut settled = SettledRound { seats, limit: None };
    match limit {
        Ok(limit) => limits::apply(&mut settled, limit, round),
        Err(finding) => findings.push(finding),
    }
    if findings.is_empty() {
        Ok(settled)
    } else {
        Err(findings)
    }
}

/// Settles a round without hands by the chosen tables. Tables of other games are left aside. Seats and wagers stay in their
/// order.
///
/// # Errors
/// All mistakes in the round, if there are any.
pub fn settle_rolled(
    round: &RolledRound,
    tables: &[&FixedTable],
) -> Result<SettledRound, Vec<Finding>> {
    let chosen = |game: RolledGame| ChosenTables {
        tables,
        game: game.name(),
        jurisdiction: rolled::JURISDICTION,
        players: round.seats.len(),
    };
    match &round.rolled {
        Rolled::Dice(dice) => {
            let throw = Throw::new(dice, chosen(RolledGame::SicBo));
            one_by_one(&throw, round)
        }
        Rolled::Spins { spins, goal } => {
            let game = TouchdownGame {
                spins,
                goal: *goal,
                chosen: chosen(RolledGame::Roulette),
            };
            one_by_one(&game, round)
        }
    }
}

fn rules_of(round: &PlayedRound) -> Option<&'static GameRules> {
    GAMES
        .into_iter()
        .find(|rules| rules.game == round.game.as_str() && rules.jurisdiction == round.jurisdiction)
}

fn unknown_game(round: &PlayedRound) -> Mistake {
    let known = GAMES
        .into_iter()
        .filter(|rules| rules.jurisdiction == round.jurisdiction);
    let rolled = RolledGame::ALL.into_iter().map(RolledGame::name);
    let rolled = rolled.filter(|game| RolledGame::named(game, &round.jurisdiction).is_some());
    let known: Vec<&str> = known.map(|rules| rules.game).chain(rolled).collect();
    Mistake::GameUnknown {
        jurisdiction: round.jurisdiction.clone(),
        known: known.join(", "),
    }
}

/// The settlement of a round in progress.
struct Settlement<'a> {
    rules: &'static GameRules,
    round: &'a PlayedRound,
    chosen: ChosenTables<'a>,
    void: Option<&'static VoidRule>,
    /// Dealer's hand.
    dealer: Option<Evaluated>,
    /// Cards of all hands that are left at the table: the dealer's, and those of players who stayed.
    at_table: Vec<&'a [Card]>,
    /// Mistakes, each with the places of its seat and its wager in the round.
    findings: Vec<((usize, usize), Finding)>,
}

impl<'a> Settlement<'a> {
    fn new(
        rules: &'static GameRules,
        round: &'a PlayedRound,
        tables: &'a [&'a FixedTable],
        void: Option<&'static VoidRule>,
    ) -> Self {
        let stayed = round
            .seats
            .iter()
            .filter(|seat| seat.end == SeatEnd::Stayed);
        let hands = stayed.map(|seat| seat.cards.as_slice());
        Self {
            rules,
            round,
            chosen: ChosenTables {
                tables,
                game: round.game.as_str(),
                jurisdiction: &round.jurisdiction,
                players: round.seats.len(),
            },
            void,
            dealer: hand(rules, &round.dealer, &round.community),
            at_table: hands.chain([round.dealer.as_slice()]).collect(),
            findings: Vec::new(),
        }
    }

    /// Settles the wagers of a seat, in the order of the rules.
    fn seat(&mut self, index: usize, seat: &SeatPlayed) -> SettledSeat {
        let player = hand(self.rules, &seat.cards, &self.round.community);
        let mut wagers = Vec::with_capacity(seat.wagers.len());
        for rule in self.rules.wagers {
            let mut placed = seat.wagers.iter().enumerate();
            let Some((place, placed)) = placed.find(|(_, placed)| placed.wager == rule.wager)
            else {
                continue;
            };
            match self.decide(rule, seat, player, placed.amount) {
                Ok(decided) => wagers.push(decided.of(placed.wager, placed.amount)),
                Err(mistake) => {
                    let path = format!("seats[{index}].wagers[{place}]");
                    let finding = Finding::new(path, mistake);
                    self.findings.push(((index, place), finding));
                }
            }
        }
        SettledSeat {
            seat: seat.seat,
            wagers,
        }
    }

    /// Decides a wager: first by a void of the round, then by the end of the player's part, then by the cards.
    fn decide(
        &self,
        rule: &WagerRule,
        seat: &SeatPlayed,
        player: Option<Evaluated>,
        amount: Money,
    ) -> Result<Decided, Mistake> {
        if let Some(void) = self.void
            && !void.settled.contains(&rule.wager)
        {
            return Ok(Decided::without_pay(
                WagerResult::Returned,
                self.cite(void.clause),
                amount,
            ));
        }
        match (seat.end, rule.fold, self.rules.left) {
            (SeatEnd::Left, _, Some(clause)) | (SeatEnd::Folded, Fold::Collected(clause), _) => {
                return Ok(Decided::without_pay(
                    WagerResult::Loss,
                    self.cite(clause),
                    amount,
                ));
            }
            (SeatEnd::Folded, Fold::Elided(clause), _) => return Err(self.elided(clause)),
            (SeatEnd::Left, _, None) => return Err(self.elided(Clause::LEFT_UNKNOWN)),
            (SeatEnd::Stayed, _, _) | (SeatEnd::Folded, Fold::Stays, _) => {}
        }
        for table in rule.tables {
            self.chosen.table(table)?;
        }
        let verdict = (rule.judge)(&Showdown {
            own: &seat.cards,
            community: &self.round.community,
            bonus: &self.round.bonus,
            player,
            dealer: self.dealer,
        });
        self.carry_out(verdict, amount)
    }

    fn carry_out(&self, verdict: Verdict, amount: Money) -> Result<Decided, Mistake> {
        match verdict {
            Verdict::Push(clause) => Ok(Decided::without_pay(
                WagerResult::Push,
                self.cite(clause),
                amount,
            )),
            Verdict::Loses(clause) => Ok(Decided::without_pay(
                WagerResult::Loss,
                self.cite(clause),
                amount,
            )),
            Verdict::CardsMissing => Err(Mistake::CardsMissing),
            Verdict::Elided(clause) => Err(self.elided(clause)),
            Verdict::Wins { table, clause } => {
                let table = self.chosen.table(table)?;
                let line = table.lines.iter().enumerate().next();
                Decided::by_line(table, line, self.cite(clause), amount)
            }
            Verdict::Shown {
                table,
                cards,
                clause,
            } => {
                let table = self.chosen.table(table)?;
                let seen = see(table.look, &cards).ok_or(Mistake::CardsMissing)?;
                Decided::by_line(table, table.line_for(&seen), self.cite(clause), amount)
            }
            Verdict::HighestAtTable { table, clause } => {
                let table = self.chosen.table(table)?;
                let seen = self.at_table.iter().map(|cards| see(table.look, cards));
                let seen: Option<Vec<_>> = seen.collect();
                let seen = seen.ok_or(Mistake::CardsMissing)?;
                let lines = seen.iter().filter_map(|seen| table.line_for(seen));
                let highest = lines.min_by_key(|(index, _)| *index);
                Decided::by_line(table, highest, self.cite(clause), amount)
            }
        }
    }

    fn cite(&self, clause: Clause) -> Citation {
        clause.of(self.rules.jurisdiction)
    }

    fn elided(&self, clause: Clause) -> Mistake {
        let clause = self.cite(clause);
        Mistake::Elided { clause }
    }
}

/// Returns the highest hand of the game's ranking among own and community cards, if all were dealt.
fn hand(rules: &GameRules, own: &[Card], community: &[Card]) -> Option<Evaluated> {
    evaluate(rules.ranking, &[own, community].concat())
}
