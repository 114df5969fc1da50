//! Events whose record is the list of their fields; one list gives both directions.

use meterhouse_domain::event::{Event, HitRecorded, TableJoined};

use super::row_reader::RowReader;
use crate::codec::{Canonical, Writer};
use crate::error::JournalError;
use crate::kind;

/// Writes both directions of events from the list of their fields.
macro_rules! records {
    ($($kind:ident $variant:ident $({ $($field:ident),+ })? $(($item:ident: $type:ty))?,)+) => {
        /// Writes the fields; writes nothing for the events of the parent module.
        pub(super) fn write(event: &Event, out: &mut Writer<'_>) {
            match event {
                $(Event::$variant $({ $($field),+ })? $(($item))? => {
                    $($($field.write(out);)+)?
                    $($item.write(out);)?
                })+
                Event::CoinInAccepted(_)
                | Event::ChipsCounted { .. }
                | Event::SeatsFolded { .. }
                | Event::RoundClosed { .. }
                | Event::RoundSettled { .. }
                | Event::Refused { .. } => {}
            }
        }

        /// Reads the event of a row with one of these kinds.
        pub(super) fn read(input: &mut RowReader<'_>) -> Result<Event, JournalError> {
            Ok(match input.row.kind {
                $(kind::$kind => Event::$variant
                    $({ $($field: input.field()?),+ })?
                    $((input.field::<$type>()?))?,)+
                unknown => return Err(JournalError::UnknownKind(unknown)),
            })
        }
    };
}

records! {
    LINK_OPENED LinkOpened { terms, moves },
    TABLE_JOINED TableJoined(joined: Box<TableJoined>),
    HIT_RECORDED HitRecorded(hit: Box<HitRecorded>),
    HIT_CANCELLED HitCancelled { hit, moves },
    HIT_VALIDATED HitValidated { hit, cards, note },
    HIT_REJECTED HitRejected { hit, note, resettle, resettled, moves },
    PAYOUT_PAID PayoutPaid { hit, number, document, moves },
    ROUND_VOIDED RoundVoided { reason, hits, moves },
    LINK_FAULTED LinkFaulted { reason },
    LINK_SUSPENDED LinkSuspended { reason },
    LINK_RESUMED LinkResumed,
    LEVEL_DISABLED LevelDisabled { level, reason },
    LEVEL_ENABLED LevelEnabled { level },
    TABLE_LOST TableLost { table, heard_at, must_resume },
    TABLE_BACK TableBack { table },
    TABLE_DISABLED TableDisabled { table, reason },
    TABLE_ENABLED TableEnabled { table },
    TABLE_LEFT TableLeft { table, reason },
    VALUES_ACCEPTED ValuesAccepted { values },
    CHANGE_PROPOSED ChangeProposed { propose, expires_at },
    CHANGE_APPROVED ChangeApproved { proposal, department, effect, moves },
    CHANGE_DECLINED ChangeDeclined { proposal, department, reason },
}
