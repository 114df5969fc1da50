//! Staged hands such as `royal-flush@200`. By chance, a royal comes once in 649,740 hands.

use core::fmt;
use core::str::FromStr;

use meterhouse_domain::hand::{Hand, HandUnknown};

/// A hand that is dealt on purpose in one round.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The hand.
    pub hand: Hand,
    /// The round, counted over all tables from 1.
    pub round: u64,
}

/// A text that is no `HAND@ROUND`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StageUnreadable {
    /// A text without `@`.
    #[error("{text:?} has no round: write HAND@ROUND, such as royal-flush@200")]
    NoRound {
        /// The text.
        text: String,
    },
    /// The part before the `@` is no hand.
    #[error("{text:?} cannot be staged (write HAND@ROUND, such as royal-flush@200)")]
    HandUnknown {
        /// The text.
        text: String,
        /// The error with the known hands.
        #[source]
        source: HandUnknown,
    },
    /// The part after the `@` is no round number.
    #[error(
        "{round:?} in {text:?} is no round: rounds are counted over all tables from 1, such as royal-flush@200"
    )]
    RoundUnknown {
        /// The text.
        text: String,
        /// The part after the `@`.
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

    /// Reads the two examples of the help text.
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

    /// Each error message shows a valid example.
    #[test]
    fn error_messages_show_an_example() {
        for text in [
            "royal-flush",
            "royal@5",
            "flush@0",
            "flush@soon",
            "@5",
            "flush@",
        ] {
            let message = text.parse::<Stage>().map_err(|error| error.to_string());
            assert!(
                message.is_err_and(|message| message.contains("royal-flush@200")),
                "{text:?}"
            );
        }
    }
}
