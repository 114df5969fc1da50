//! What a screen says, and its silence.

use std::time::Duration;

use meterhouse_domain::ids::{LevelName, LinkName, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_store::ScreenRow;

use crate::clock::earlier;

/// Time without an acknowledgement after which a screen is silent: three of its intervals.
pub(crate) const SILENT_AFTER: Duration = Duration::from_secs(30);

/// What a screen says that it shows of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acknowledgement {
    /// Link.
    pub link: LinkName,
    /// Batch whose amounts they are.
    pub batch: u64,
    /// Levels with the amounts as they are shown.
    pub levels: Vec<(LevelName, Money)>,
}

/// Returns `true` if a screen has acknowledged nothing for too long.
pub fn is_silent(screen: &ScreenRow, now: Timestamp) -> bool {
    let newest = screen.shown.iter().map(|shown| shown.until).max();
    newest.is_none_or(|newest| newest < earlier(now, SILENT_AFTER))
}

#[cfg(test)]
mod tests {
    use meterhouse_store::{Shown, ShownRow};

    use super::*;

    #[test]
    fn a_screen_is_silent_after_three_intervals() {
        let at = |seconds: i64| Timestamp(seconds * 1_000_000);
        let shown = |link: &str, until: i64| ShownRow {
            shown: Shown {
                link: link.to_owned(),
                batch: 1,
                levels: Vec::new(),
                is_different: false,
                is_stale: false,
            },
            since: at(0),
            until: at(until),
        };
        let screen = |shown: Vec<ShownRow>| ScreenRow {
            name: "pit-1-north".to_owned(),
            links: vec!["main".to_owned(), "other".to_owned()],
            paired_at: at(0),
            paired_by: "mia".to_owned(),
            shown,
        };
        assert!(is_silent(&screen(Vec::new()), at(0)));
        let both = screen(vec![shown("main", 5), shown("other", 10)]);
        assert!(!is_silent(&both, at(40)));
        assert!(is_silent(&both, at(41)));
        assert!(!is_silent(&both, at(5)));
    }
}
