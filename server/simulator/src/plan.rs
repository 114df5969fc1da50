//! The plan of a run: links, their tables, the number of rounds, the speed, and the seed.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::PathBuf;

use meterhouse_domain::hand::{Hand, Ranking};
use meterhouse_domain::money::Money;

use crate::game::GamePlan;
use crate::stage::Stage;

/// Maximum number of seats for which one deck is enough: five cards for each seat and five for the dealer.
const SEATS_MAX: u8 = 9;

/// The tokens of the simulation. The program that runs the simulation creates them.
#[derive(Clone)]
pub struct Tokens {
    /// A manager, who opens links and tables, suspends and resumes links, and reads the reconciliation. The manager is
    /// the first of two people.
    pub manager: String,
    /// A manager of another department: the second of two people for adjustments, which move the house's money.
    pub accountant: String,
    /// The supervisors, of a third department: names and tokens.
    pub supervisors: Vec<(String, String)>,
    /// The tokens of the controllers, one a table, by the table's name.
    pub controllers: BTreeMap<String, String>,
}

/// The settings of the tables' controllers.
#[derive(Clone, Debug)]
pub struct Gateway {
    /// The server's address for streams of tables.
    pub grpc: SocketAddr,
    /// A folder for the outboxes, empty at first. Commands without an outcome are dropped with the simulation.
    pub outboxes: PathBuf,
}

/// The plan of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The server's address, such as `http://127.0.0.1:8080`.
    pub base: String,
    /// The seed of every shuffle and every mishap.
    pub seed: u64,
    /// Rounds of all physical tables together. 0 means no limit.
    pub rounds: u64,
    /// Rounds a second of all physical tables together. 0 means unthrottled.
    pub speed: u64,
    /// Hands that are dealt on purpose.
    pub stages: Vec<Stage>,
    /// The links. Tables with the same index in several links are on one physical table: they play the same cards.
    pub links: Vec<LinkPlan>,
}

/// A link with its tables.
#[derive(Clone, Debug)]
pub struct LinkPlan {
    /// The link's name.
    pub link: String,
    /// The paytable's id.
    pub paytable: String,
    /// The progressive wager.
    pub wager: Money,
    /// Decks in play in one round. The simulation deals from one.
    pub decks: u8,
    /// The settings that the operator chooses.
    pub settings: SettingsPlan,
    /// The number of seats on each layout.
    pub seats: u8,
    /// The tables, at most one on each physical table.
    pub tables: Vec<TablePlan>,
    /// If `true`, players may wager on the dealer's hand.
    pub bet_on_dealer: bool,
    /// The ranking of the hands of this wager.
    pub ranking: Ranking,
    /// The winning hands.
    pub lines: Vec<LinePlan>,
    /// The levels.
    pub levels: Vec<LevelPlan>,
}

/// A table of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePlan {
    /// The table's name.
    pub table: String,
    /// The game at the table.
    pub game: GamePlan,
}

/// The optional settings of a new link. The server has a default for each.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsPlan {
    /// Seconds of silence after which a table is lost.
    pub silence_seconds_max: Option<u32>,
    /// A Magic Card is drawn in one of this many rounds.
    pub magic_card_one_in: Option<u32>,
    /// A lucky position is drawn in one of this many rounds.
    pub lucky_bonus_one_in: Option<u32>,
}

/// A line of a paytable: the facts that a dealer needs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LinePlan {
    /// The winning hand.
    pub hand: Hand,
    /// The kind of its pay.
    pub pays: PaysPlan,
    /// If `true`, the hand gives envy to the other players.
    pub envy: bool,
}

/// The kind of a line's pay.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PaysPlan {
    /// A percentage of a meter.
    Percent,
    /// Fixed odds.
    Fixed,
}

/// A level, with its share of each wager for the simulation's own sums.
#[derive(Clone, Debug)]
pub struct LevelPlan {
    /// The level's name.
    pub name: String,
    /// Micro-dollars of one wager that meter and reserve take together.
    pub micros_per_wager: i64,
}

/// An error of a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanImpossible {
    /// No link has a table.
    #[error("the plan has no table")]
    NoTable,
    /// Two tables have the same name.
    #[error("the table {table:?} is in the plan twice")]
    TableTwice {
        /// The table's name.
        table: String,
    },
    /// A layout has too few or too many seats.
    #[error(
        "tables of {link:?} have {seats} seats; with one deck 1 to {SEATS_MAX} can be dealt to"
    )]
    Seats {
        /// The link's name.
        link: String,
        /// The number of seats.
        seats: u8,
    },
    /// The demo ends before the staged round.
    #[error("{stage} is never reached: only {rounds} rounds are played")]
    StageTooLate {
        /// The staged hand.
        stage: Stage,
        /// The number of rounds.
        rounds: u64,
    },
    /// Two hands are staged for the same round.
    #[error("two hands are staged for round {round}; stage one of them a round later")]
    StageTwice {
        /// The round number.
        round: u64,
    },
    /// The staged hand wins nothing.
    #[error("{stage} would win nothing on link {link:?}; stage one of {wins}")]
    StageWinsNothing {
        /// The staged hand.
        stage: Stage,
        /// The name of the first link.
        link: String,
        /// The winning hands.
        wins: String,
    },
}

/// The plan of one physical table: at most one table of each link. All its tables play the same cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PhysicalTablePlan {
    /// The index among the physical tables, from 0.
    pub(crate) index: usize,
    /// The tables, each with the index of its link.
    pub(crate) tables: Vec<(usize, TablePlan)>,
}

impl PhysicalTablePlan {
    /// Returns the name of the first table.
    pub(crate) fn name(&self) -> &str {
        self.tables.first().map_or("", |(_, table)| &table.table)
    }

    /// Returns the game, which all its tables play.
    pub(crate) fn game(&self) -> &'static str {
        self.tables.first().map_or("", |(_, table)| table.game.game)
    }
}

impl Plan {
    /// Checks that the plan can be played.
    ///
    /// # Errors
    /// The first error of the plan.
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
            let mut names = link.tables.iter().map(|table| &table.table);
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

    /// Returns the physical tables: the n-th table of every link is on the n-th physical table.
    pub(crate) fn physical_tables(&self) -> Vec<PhysicalTablePlan> {
        let count = self
            .links
            .iter()
            .map(|link| link.tables.len())
            .max()
            .unwrap_or(0);
        let table = |index: usize, link: usize| {
            let table = self.links.get(link)?.tables.get(index)?;
            Some((link, table.clone()))
        };
        (0..count)
            .map(|index| PhysicalTablePlan {
                index,
                tables: (0..self.links.len())
                    .filter_map(|link| table(index, link))
                    .collect(),
            })
            .collect()
    }

    /// Returns the hand staged for a round.
    pub(crate) fn staged(&self, round: u64) -> Option<Hand> {
        self.stages
            .iter()
            .find(|stage| stage.round == round)
            .map(|stage| stage.hand)
    }
}

impl LinkPlan {
    /// Returns the line that pays a hand.
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
                .map(|stage| stage.parse().expect("a stage"))
                .collect(),
            links: default_links(),
        }
    }

    /// There are nine physical tables of three games. Each has the main link, all but the last have the hand bonus, and
    /// the first two have the example.
    #[test]
    fn a_physical_table_has_one_table_of_each_link() {
        let physical_tables = plan(&[]).physical_tables();
        assert_eq!(physical_tables.len(), 9);
        let tables = |index: usize| -> Vec<(usize, &str, &str)> {
            let tables = physical_tables[index].tables.iter();
            tables
                .map(|(link, table)| (*link, table.table.as_str(), table.game.game))
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

    /// A stage that is never reached, collides or wins nothing is refused before the first round.
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
