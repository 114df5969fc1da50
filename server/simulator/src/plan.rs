//! What is played: links, their tables, how many rounds, how fast, from which seed.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::PathBuf;

use meterhouse_domain::hand::{Hand, Ranking};
use serde::Serialize;

use crate::game::GamePlan;
use crate::stage::Stage;

/// Seats of the widest layout for which one deck is enough: five cards each and five for the dealer.
const SEATS_MAX: u8 = 9;

/// The secrets with which the simulation speaks; whoever runs it makes them.
#[derive(Clone)]
pub struct Tokens {
    /// A manager: opens links and tables, suspends and resumes them, reads the reconciliation, and is the first
    /// of two people.
    pub manager: String,
    /// A manager of another department: the second of two people where money of the house moves.
    pub accountant: String,
    /// The floor, of a third department: names and tokens of supervisors.
    pub supervisors: Vec<(String, String)>,
    /// One controller a table, by the table's name.
    pub controllers: BTreeMap<String, String>,
}

/// What the controllers of the tables need.
#[derive(Clone, Debug)]
pub struct Gateway {
    /// Where the server takes streams of tables.
    pub grpc: SocketAddr,
    /// A folder for their outboxes, empty at first: the dealers of a simulation don't outlive it, so what they pressed
    /// needn't either.
    pub outboxes: PathBuf,
}

/// What is played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The server: `http://127.0.0.1:8080`.
    pub base: String,
    /// What every shuffle and every accident is drawn from.
    pub seed: u64,
    /// Rounds of all felts together; 0: until stopped.
    pub rounds: u64,
    /// Rounds a second of all felts together; 0: as fast as it goes.
    pub speed: u64,
    /// Hands that are dealt on purpose.
    pub stages: Vec<Stage>,
    /// The links. Tables at the same place of several links are wagers of one felt: they play the same cards.
    pub links: Vec<LinkPlan>,
}

/// A link with its tables.
#[derive(Clone, Debug)]
pub struct LinkPlan {
    /// Its name.
    pub link: String,
    /// The paytable's id.
    pub paytable: String,
    /// The progressive wager, in dollars.
    pub wager: String,
    /// Decks in play in one round; the simulation deals one.
    pub decks: u8,
    /// What the operator chooses for it.
    pub settings: SettingsPlan,
    /// Seats on each layout.
    pub seats: u8,
    /// The tables, one a felt.
    pub tables: Vec<TablePlan>,
    /// Whether the dealer's hand can be wagered on.
    pub bet_on_dealer: bool,
    /// How the hands of this wager are ranked.
    pub ranking: Ranking,
    /// The winning hands.
    pub lines: Vec<LinePlan>,
    /// The levels.
    pub levels: Vec<LevelPlan>,
}

/// A table of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePlan {
    /// Its name.
    pub table: String,
    /// Its game.
    pub game: GamePlan,
}

/// What an operator may choose when a link opens; what is left out is the server's to choose.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SettingsPlan {
    /// Seconds of silence after which a table is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silence_seconds_max: Option<u32>,
    /// A Magic Card is drawn in one of so many rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub magic_card_one_in: Option<u32>,
    /// A lucky position is drawn in one of so many rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lucky_bonus_one_in: Option<u32>,
}

/// A winning hand, as far as a dealer has to know.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LinePlan {
    /// The hand.
    pub hand: Hand,
    /// What it pays.
    pub pays: PaysPlan,
    /// Whether it gives envy to the others.
    pub envy: bool,
}

/// What a line pays, as far as a dealer has to know.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PaysPlan {
    /// A percentage of a meter.
    Percent,
    /// Fixed odds.
    Fixed,
}

/// What a level takes of each wager: for the simulation's own books.
#[derive(Clone, Debug)]
pub struct LevelPlan {
    /// Its name.
    pub name: String,
    /// Micro-dollars that meter and reserve together take of one wager.
    pub micros_per_wager: i64,
}

/// The plan can't be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanImpossible {
    /// No link has a table.
    #[error("the plan has no table")]
    NoTable,
    /// Two tables have one name.
    #[error("the table {table:?} is in the plan twice")]
    TableTwice {
        /// The table.
        table: String,
    },
    /// A layout has too few or too many seats.
    #[error(
        "tables of {link:?} have {seats} seats; with one deck 1 to {SEATS_MAX} can be dealt to"
    )]
    Seats {
        /// The link.
        link: String,
        /// The seats.
        seats: u8,
    },
    /// The demo ends before the staged round.
    #[error("{stage} is never reached: only {rounds} rounds are played")]
    StageTooLate {
        /// The stage.
        stage: Stage,
        /// The rounds.
        rounds: u64,
    },
    /// Two stages want the same round.
    #[error("two hands are staged for round {round}; stage one of them a round later")]
    StageTwice {
        /// The round.
        round: u64,
    },
    /// Staging would show nothing.
    #[error("{stage} would win nothing on link {link:?}; stage one of {wins}")]
    StageWinsNothing {
        /// The stage.
        stage: Stage,
        /// The first link.
        link: String,
        /// The winning hands.
        wins: String,
    },
}

/// One felt: up to one table of each link, which play the same cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FeltPlan {
    /// Its place, from 0.
    pub(crate) place: usize,
    /// Its tables: the place of the link and the table.
    pub(crate) tables: Vec<(usize, TablePlan)>,
}

impl FeltPlan {
    /// The name of its first table.
    pub(crate) fn name(&self) -> &str {
        self.tables.first().map_or("", |(_, it)| &it.table)
    }

    /// What is played on it: all its tables play the same cards.
    pub(crate) fn game(&self) -> &'static str {
        self.tables.first().map_or("", |(_, it)| it.game.game)
    }
}

impl Plan {
    /// Whether it can be played.
    ///
    /// # Errors
    /// What stands in the way, for whoever wrote the plan.
    pub fn check(&self) -> Result<(), PlanImpossible> {
        let Some(first) = self.links.first().filter(|link| !link.tables.is_empty()) else {
            return Err(PlanImpossible::NoTable);
        };
        let mut tables = BTreeSet::new();
        for link in &self.links {
            if !(1..=SEATS_MAX).contains(&link.seats) {
                return Err(PlanImpossible::Seats {
                    link: link.link.clone(),
                    seats: link.seats,
                });
            }
            let mut names = link.tables.iter().map(|it| &it.table);
            if let Some(table) = names.find(|table| !tables.insert(*table)) {
                return Err(PlanImpossible::TableTwice {
                    table: table.clone(),
                });
            }
        }
        let mut rounds = BTreeSet::new();
        for stage in &self.stages {
            if self.rounds > 0 && stage.round > self.rounds {
                return Err(PlanImpossible::StageTooLate {
                    stage: *stage,
                    rounds: self.rounds,
                });
            }
            if !rounds.insert(stage.round) {
                return Err(PlanImpossible::StageTwice { round: stage.round });
            }
            if first.line(stage.hand).is_none() {
                let wins: Vec<&str> = first.lines.iter().map(|line| line.hand.name()).collect();
                return Err(PlanImpossible::StageWinsNothing {
                    stage: *stage,
                    link: first.link.clone(),
                    wins: wins.join(", "),
                });
            }
        }
        Ok(())
    }

    /// The felts: the n-th table of every link lies on the n-th felt.
    pub(crate) fn felts(&self) -> Vec<FeltPlan> {
        let count = self
            .links
            .iter()
            .map(|link| link.tables.len())
            .max()
            .unwrap_or(0);
        let table = |place: usize, link: usize| {
            let table = self.links.get(link)?.tables.get(place)?;
            Some((link, table.clone()))
        };
        (0..count)
            .map(|place| FeltPlan {
                place,
                tables: (0..self.links.len())
                    .filter_map(|link| table(place, link))
                    .collect(),
            })
            .collect()
    }

    /// The hand staged for this round.
    pub(crate) fn staged(&self, round: u64) -> Option<Hand> {
        self.stages
            .iter()
            .find(|stage| stage.round == round)
            .map(|stage| stage.hand)
    }
}

impl LinkPlan {
    /// The line that pays this hand.
    pub(crate) fn line(&self, hand: Hand) -> Option<&LinePlan> {
        self.lines.iter().find(|line| line.hand == hand)
    }
}

#[cfg(test)]
mod tests {
    use super::{Plan, PlanImpossible};
    use crate::defaults::default_links;

    fn plan(stages: &[&str]) -> Plan {
        Plan {
            base: String::new(),
            seed: 1,
            rounds: 100,
            speed: 0,
            stages: stages
                .iter()
                .map(|it| it.parse().expect("a stage"))
                .collect(),
            links: default_links(),
        }
    }

    /// Nine felts of three games, each with its progressive, all but the last with its hand bonus, and the first two with
    /// the example.
    #[test]
    fn a_felt_has_one_table_of_each_link() {
        let felts = plan(&[]).felts();
        assert_eq!(felts.len(), 9);
        let tables = |felt: usize| -> Vec<(usize, &str, &str)> {
            let tables = felts[felt].tables.iter();
            tables
                .map(|(link, it)| (*link, it.table.as_str(), it.game.game))
                .collect()
        };
        let crazy = [
            (0, "C4P-06", "crazy-4-poker"),
            (1, "C4P-06-H", "crazy-4-poker"),
        ];
        assert_eq!(tables(5), crazy);
        let names = tables(1).into_iter().map(|(link, name, _)| (link, name));
        let names: Vec<_> = names.collect();
        assert_eq!(names, [(0, "C4P-02"), (1, "C4P-02-H"), (2, "C4P-02-E")]);
        let ultimate = "ultimate-texas-hold-em";
        assert_eq!(
            tables(7),
            [(0, "UTH-02", ultimate), (1, "UTH-02-H", ultimate)]
        );
        assert_eq!(tables(8), [(0, "MSS-01", "mississippi-stud")]);
    }

    /// What could never be seen is refused before anything is played.
    #[test]
    fn impossible_stages_are_refused() {
        assert_eq!(plan(&["royal-flush@100", "straight@1"]).check(), Ok(()));
        let refused = |stages: &[&str]| plan(stages).check().expect_err("must be refused");
        assert!(matches!(
            refused(&["royal-flush@101"]),
            PlanImpossible::StageTooLate { .. }
        ));
        assert!(matches!(
            refused(&["flush@7", "straight@7"]),
            PlanImpossible::StageTwice { round: 7 }
        ));
        assert!(matches!(
            refused(&["four-aces@7"]),
            PlanImpossible::StageWinsNothing { .. }
        ));
    }
}
