//! Staged hands: `royal-flush@200`, because a royal comes once in 649,740 hands.

use core::fmt;
use core::str::FromStr;

use meterhouse_domain::hand::{Hand, HandUnknown};

/// A hand that is dealt on purpose, and when.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The hand.
    pub hand: Hand,
    /// In which round, counted over all tables from 1.
    pub round: u64,
}

/// The text is no `HAND@ROUND`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StageUnreadable {
    /// There is no `@`.
    #[error("{text:?} does not say when: write HAND@ROUND, such as royal-flush@200")]
    NoRound {
        /// The text.
        text: String,
    },
    /// What stands before the `@` is no hand.
    #[error("{text:?} cannot be staged (write HAND@ROUND, such as royal-flush@200)")]
    HandUnknown {
        /// The text.
        text: String,
        /// Which hands there are.
        #[source]
        source: HandUnknown,
    },
    /// What stands behind the `@` is no number of a round.
    #[error(
        "{round:?} in {text:?} is no round: rounds are counted over all tables from 1, such as royal-flush@200"
    )]
    RoundUnknown {
        /// The text.
        text: String,
        /// The part of it.
        round: String,
    },
}

impl FromStr for Stage {
    type Err = StageUnreadable;

    fn from_str(text: &str) -> Result<Self, StageUnreadable> {
        let Some((hand, round)) = text.split_once('@') else {
            return Err(StageUnreadable::NoRound {
                text: text.to_owned(),
            });
        };
        let hand = hand
            .trim()
            .parse()
            .map_err(|source| StageUnreadable::HandUnknown {
                text: text.to_owned(),
                source,
            })?;
        match round.trim().parse() {
            Ok(round) if round > 0 => Ok(Self { hand, round }),
            Ok(_) | Err(_) => Err(StageUnreadable::RoundUnknown {
                text: text.to_owned(),
                round: round.to_owned(),
            }),
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}@{}", self.hand, self.round)
    }
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::hand::Hand;

    use super::Stage;

    /// The two examples of the help text.
    #[test]
    fn stages_are_read() {
        assert_eq!(
            "royal-flush@200".parse(),
            Ok(Stage {
                hand: Hand::RoyalFlush,
                round: 200
            })
        );
        assert_eq!(
            "four-of-a-kind@50".parse(),
            Ok(Stage {
                hand: Hand::FourOfAKind,
                round: 50
            })
        );
    }

    /// Each mistake is told with what to write instead.
    #[test]
    fn mistakes_are_explained() {
        for text in [
            "royal-flush",
            "royal@5",
            "flush@0",
            "flush@soon",
            "@5",
            "flush@",
        ] {
            let told = text.parse::<Stage>().map_err(|it| it.to_string());
            assert!(
                told.is_err_and(|it| it.contains("royal-flush@200")),
                "{text:?}"
            );
        }
    }
}
