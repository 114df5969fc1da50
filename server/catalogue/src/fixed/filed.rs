//! The content of a file as far as it could be read, so that one mistake doesn't hide the next.

use meterhouse_domain::fixed::odds::Basis;
use meterhouse_domain::fixed::seen::Look;
use meterhouse_domain::fixed::table::Reading;
use meterhouse_domain::ids::{GameName, PaytableId, WagerName};

use crate::fixed::sheet::{FixedLine, FixedSheet};
use crate::gaps::{FixedPart, Gap};

/// Mark of an optional value that is there and can't be read, which has its finding.
#[derive(Copy, Clone, Debug)]
pub(super) struct Unread;

/// The content of a file. A required value is `None` if it can't be read.
pub(super) struct Filed {
    pub(super) id: Option<PaytableId>,
    pub(super) title: Option<String>,
    pub(super) jurisdiction: Option<String>,
    pub(super) citation: Option<String>,
    pub(super) effective: Result<Option<String>, Unread>,
    pub(super) game: Option<GameName>,
    pub(super) wagers: Option<Vec<WagerName>>,
    pub(super) letter: Result<Option<String>, Unread>,
    pub(super) players: Result<Option<u8>, Unread>,
    pub(super) look: Result<Option<Look>, Unread>,
    pub(super) content: Option<Content>,
    pub(super) gaps: Vec<Gap<FixedPart>>,
}

impl Filed {
    /// Returns the sheet, if every value could be read.
    pub(super) fn whole(self) -> Option<FixedSheet> {
        let content = self.content?;
        Some(FixedSheet {
            id: self.id?,
            title: self.title?,
            jurisdiction: self.jurisdiction?,
            citation: self.citation?,
            effective: self.effective.ok()?,
            game: self.game?,
            wagers: self.wagers?,
            letter: self.letter.ok()?,
            players: self.players.ok()?,
            look: self.look.ok()?,
            basis: content.basis,
            lines: content.lines,
            reading: content.reading,
            gaps: self.gaps,
        })
    }
}

/// The content that a source may omit.
pub(super) struct Content {
    pub(super) basis: Option<Basis>,
    pub(super) lines: Vec<FixedLine>,
    pub(super) reading: Option<Reading>,
}
