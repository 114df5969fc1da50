//! The announcement of accesses that may configure, by a POST to the address of the settings.
//!
//! # Limits
//! Those of the engine's announcements. One attempt each: the person, who waits, tries again.

use std::sync::Arc;

use meterhouse_api::time;
use meterhouse_edge::authorize::may_configure;
use meterhouse_engine::access::{
    Announcement, AnnouncementError, Announcements, Announcer, Announcing,
};
use meterhouse_engine::tokens::{GivenRights, Right};
use meterhouse_http_client::{Webhook, causes};
use serde::Serialize;

use crate::failure::Failure;
use crate::settings::AnnouncementSettings;

/// An address that announcements are posted to.
#[derive(Debug)]
struct UrlAnnouncer {
    webhook: Webhook,
    host: String,
}

/// The body of an announcement.
#[derive(Serialize)]
struct Body {
    house: String,
    at: String,
    access: &'static str,
    name: String,
    role: &'static str,
    department: Option<String>,
    rights: Option<Vec<&'static str>>,
    by: Option<String>,
    proof: &'static str,
    address: Option<String>,
}

/// Returns the announcements of the settings, or nothing without an address.
pub(crate) fn announcements(
    settings: &AnnouncementSettings,
) -> Result<Option<Announcements>, Failure> {
    let Some(url) = &settings.url else {
        return Ok(None);
    };
    let webhook = Webhook::new(url, settings.token.clone());
    let webhook =
        webhook.map_err(|error| Failure::Configuration(format!("announcement.url: {error}")))?;
    let host = webhook.host();
    let announcer = Arc::new(UrlAnnouncer { webhook, host });
    Ok(Some(Announcements::new(announcer, may_configure)))
}

impl Announcer for UrlAnnouncer {
    fn host(&self) -> &str {
        &self.host
    }

    /// Posts an announcement. Each reply of 2xx confirms it.
    fn announce(&self, announcement: Announcement) -> Announcing<'_> {
        Box::pin(async move {
            let body = Body::of(announcement);
            match self.webhook.post(&body).await {
                Ok(reply) if (200..300).contains(&reply.status) => Ok(()),
                Ok(reply) => {
                    let why = format!("the address answered {}", reply.status);
                    Err(AnnouncementError::new(why))
                }
                Err(error) => Err(AnnouncementError::new(causes(&error))),
            }
        })
    }
}

impl Body {
    fn of(announcement: Announcement) -> Self {
        let Announcement {
            house,
            at,
            access,
            name,
            role,
            department,
            rights,
            by,
            proof,
            address,
        } = announcement;
        let words = |rights: GivenRights| rights.iter().map(Right::name).collect();
        Self {
            house: hex::encode(house),
            at: time::text(at),
            access: access.name(),
            name,
            role: role.name(),
            department,
            rights: rights.map(words),
            by,
            proof,
            address,
        }
    }
}
