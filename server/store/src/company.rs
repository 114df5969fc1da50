//! The company of a link: other links that commit on the same connections.

use std::time::Duration;

use meterhouse_domain::ids::LinkId;
use tokio::time::Instant;

/// Time after its last batch for which a link is company to others.
const COMPANY_FOR: Duration = Duration::from_secs(1);

/// The two links that have committed last, each with the time.
#[derive(Debug, Default)]
pub(crate) struct Company([Option<(LinkId, Instant)>; 2]);

impl Company {
    /// Notes that a link commits.
    pub(crate) fn note(&mut self, link: LinkId, now: Instant) {
        let [newest, before] = &mut self.0;
        if newest.is_some_and(|(of, _)| of != link) {
            *before = *newest;
        }
        *newest = Some((link, now));
    }

    /// Returns `true` if another link than this one has committed within [`COMPANY_FOR`].
    pub(crate) fn has_other(&self, link: LinkId, now: Instant) -> bool {
        let mut links = self.0.iter().flatten();
        links.any(|(of, at)| *of != link && now.duration_since(*at) < COMPANY_FOR)
    }
}

#[cfg(test)]
mod tests {
    use super::{COMPANY_FOR, Company};
    use meterhouse_domain::ids::LinkId;
    use tokio::time::{Duration, Instant};

    #[test]
    fn a_link_is_company_to_others_for_a_second() {
        let (one, other, start) = (LinkId(1), LinkId(2), Instant::now());
        let mut company = Company::default();
        assert!(!company.has_other(one, start));
        company.note(one, start);
        company.note(one, start);
        assert!(!company.has_other(one, start) && company.has_other(other, start));
        company.note(other, start);
        let last = start + COMPANY_FOR.saturating_sub(Duration::from_millis(1));
        company.note(one, last);
        company.note(one, last);
        assert!(company.has_other(one, last) && company.has_other(other, last));
        let end = start + COMPANY_FOR;
        assert!(!company.has_other(one, end) && company.has_other(other, end));
    }
}
