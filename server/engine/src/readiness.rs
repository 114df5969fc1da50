//! Whether this server can do its work, check by check.

use meterhouse_store::{Enforcement, MigrationState};

use crate::Engine;
use crate::chain::Chain;
use crate::clock::{now, period_of};
use crate::view::Readiness;

/// Months ahead for which a partition has to be there already.
const PERIODS_LEAST: i32 = 1;

/// What is checked, whether it is well, and a sentence.
type Check = (&'static str, bool, String);

impl Engine {
    /// Whether this server can do its work.
    pub async fn readiness(&self) -> Readiness {
        let store = &self.inner.store;
        let mut checks = vec![match store.ping().await {
            Ok(()) => ("database", true, "answers".to_owned()),
            Err(error) => ("database", false, Chain(&error).to_string()),
        }];
        checks.push(match store.migration_state().await {
            Ok(state) => schema(state),
            Err(error) => ("schema", false, Chain(&error).to_string()),
        });
        checks.push(match store.periods_ahead(period_of(now())).await {
            Ok(months) => {
                let sentence = format!("{months} months have their partition ahead");
                ("periods", months >= PERIODS_LEAST, sentence)
            }
            Err(error) => ("periods", false, Chain(&error).to_string()),
        });
        // Said, not failed: on somebody else's database that is the operator's to decide.
        checks.push(match store.enforcement().await {
            Ok(Enforcement::Enforced) => ("append-only", true, "enforced".to_owned()),
            Ok(Enforcement::NotEnforced { why }) => {
                ("append-only", true, format!("not enforced: {why:?}"))
            }
            Err(error) => ("append-only", false, Chain(&error).to_string()),
        });
        checks.push(match &*self.inner.chores.ended() {
            [] => ("tasks", true, "all run".to_owned()),
            ended => {
                let sentence = format!("ended: {}; start this process again", ended.join(", "));
                ("tasks", false, sentence)
            }
        });
        Readiness {
            ready: checks.iter().all(|(_, well, _)| *well),
            checks,
        }
    }
}

/// A newer release's migrations leave those well that run (`migrations/README.md`): where one node after another is
/// replaced, the old ones go on. A new start of an old one is refused (`serve`).
fn schema(state: MigrationState) -> Check {
    let (well, sentence) = match state {
        MigrationState::Current => (true, "current".to_owned()),
        MigrationState::Unknown { versions } => {
            let sentence = format!(
                "newer than this program by {}: replace it soon",
                versions.len()
            );
            (true, sentence)
        }
        MigrationState::Behind { missing } => {
            let sentence = format!("{} behind: run `meterhouse migrate`", missing.len());
            (false, sentence)
        }
        MigrationState::Changed { versions } => {
            let sentence = format!(
                "{versions:?} read differently from this program's: use the one that applied them"
            );
            (false, sentence)
        }
    };
    ("schema", well, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_goes_on_beside_a_newer_release_and_beside_no_other_schema() {
        let versions = || vec![20_261_121_100_000];
        let well = |state| schema(state).1;
        assert!(well(MigrationState::Current));
        assert!(well(MigrationState::Unknown {
            versions: versions()
        }));
        assert!(!well(MigrationState::Behind {
            missing: versions()
        }));
        assert!(!well(MigrationState::Changed {
            versions: versions()
        }));
    }
}
