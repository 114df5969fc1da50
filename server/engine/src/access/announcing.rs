//! The step before an access is granted: its announcement, and the record of one that failed.

use super::announcement::{AnnouncedAccess, Announcement, NotAnnounced};
use super::by::{BREAK_GLASS_PROOF, By, NOT_ANNOUNCED};
use super::control::AccessControl;
use super::error::AccessError;
use crate::clock::now;
use crate::tokens::Caller;

impl AccessControl {
    /// Announces an access that is about to be granted, if its holder is announced. Returns the detail of the act that
    /// grants it. A command that breaks the glass is not held up.
    ///
    /// # Errors
    /// [`AccessError::NotAnnounced`], which is recorded; or if the database refuses.
    pub(super) async fn announce(
        &self,
        by: &By,
        access: AnnouncedAccess,
        holder: &Caller,
    ) -> Result<Option<(String, String)>, AccessError> {
        let announcements = self.announcements.as_ref();
        let Some(announcements) = announcements.filter(|all| all.is_of(holder)) else {
            return Ok(None);
        };
        let host = announcements.host();
        let announcement = self.announcement(by, access, holder);
        let Err(error) = announcements.send(announcement).await else {
            return Ok(Some(("announced".to_owned(), host.to_owned())));
        };
        let (name, access) = (holder.person.name.to_string(), access.name());
        tracing::warn!(name, access, host, %error, "an access that may configure was not announced");
        if by.proof == BREAK_GLASS_PROOF {
            return Ok(Some(("not_announced".to_owned(), error.to_string())));
        }
        let mut act = by.act(NOT_ANNOUNCED, Some(&name));
        let details = [
            ("access", access),
            ("host", host),
            ("why", &error.to_string()),
        ];
        let details = details.map(|(name, value)| (name.to_owned(), value.to_owned()));
        act.details.extend(details);
        self.record_refusal(act).await?;
        let host = host.to_owned();
        Err(NotAnnounced { host, why: error }.into())
    }

    fn announcement(&self, by: &By, access: AnnouncedAccess, holder: &Caller) -> Announcement {
        let department = holder.person.department.as_ref();
        Announcement {
            house: self.vouching.identity(),
            at: now(),
            access,
            name: holder.person.name.to_string(),
            role: holder.role,
            department: department.map(ToString::to_string),
            rights: holder.rights.clone(),
            by: by.name.clone(),
            proof: by.proof,
            address: by.address.clone(),
        }
    }
}
