//! Pairing of new screens: a screen shows a code, a person names it, and the screen's own key becomes its token.
//!
//! # Shape
//! A screen draws a key of 256 bits, which it never shows. It asks with the key until it is paired, and the key is its
//! token from then on: no token is sent to it, so none can be lost or taken on the way. Asking again is always right.
//!
//! # Limits
//! A code is good for [`PAIRING_GOOD`]. A key has one code at a time; [`PAIRINGS_OF_ADDRESS_MAX`] are open for one address,
//! and [`PAIRINGS_MAX`] in all. [`PairingLimits`](super::pairing_limits::PairingLimits) has those of tries.

use std::sync::atomic::Ordering;
use std::time::Duration;

use meterhouse_domain::ids::{Badge, LinkName, Timestamp};
use meterhouse_store::{AccessChange, NewActor, NewPairing, NewScreen, Only, PairingRow};
use rand::TryRng as _;

use super::by::By;
use super::control::AccessControl;
use super::error::{AccessError, LoginError};
use crate::answer::{NotExecuted, unavailable};
use crate::clock::{micros, now};
use crate::own_thread::to_the_end;
use crate::tokens::{Caller, Role, hash_of};

/// Time for which the code of a pairing is good.
const PAIRING_GOOD: Duration = Duration::from_mins(10);
/// Maximum number of open pairings.
const PAIRINGS_MAX: u16 = 64;
/// Maximum number of open pairings of one address. Screens behind one proxy share it.
const PAIRINGS_OF_ADDRESS_MAX: u16 = 16;
/// Maximum number of codes that are drawn until one is free: 64 of 481,890,304 are taken.
const DRAWS_MAX: u16 = 4;
/// Number of letters of a code.
const CODE_LENGTH: usize = 6;
/// Letters of a code, without those that look alike: 0 and O, 1 and I, 2 and Z, 5 and S, 8 and B, U and V.
const LETTERS: &[u8; 28] = b"23456789ACDEFGHJKLMNPQRTVWXY";
/// Random bytes from this one on are left out, so that each letter is equally likely.
const BYTES_USED: u8 = 252;

/// The answer to a screen that asks with its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// No person has named the screen yet.
    Waiting(PairingRow),
    /// The key is the token of this screen.
    Paired {
        /// Name of the screen.
        screen: String,
        /// Links that it shows.
        links: Vec<String>,
    },
}

/// A screen that a person names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenToPair {
    /// Code that the screen shows.
    pub code: String,
    /// Name of the screen.
    pub screen: Badge,
    /// Links that it shows, at least one.
    pub links: Vec<LinkName>,
    /// `true` if it may take the place of a screen of this name.
    pub replaces: bool,
}

impl AccessControl {
    /// Returns the state of a screen's pairing. A new key gets a code; asked again, it gets the same one while that is good.
    ///
    /// # Errors
    /// [`AccessError::KeyEnded`] for a key that was unpaired or is no screen's; [`AccessError::TooManyPairings`]; or if the
    /// database refuses.
    pub async fn pairing(&self, key: &str, address: &str) -> Result<Pairing, AccessError> {
        let key = hash_of(key);
        self.pairing_limits.count_ask(&key, address)?;
        let found = self.store.pairing_of_key(&key, now()).await?;
        if let Some(waiting) = found.filter(|found| found.screen.is_none()) {
            return Ok(Pairing::Waiting(waiting));
        }
        if let Some(owner) = self.store.screen_of_key(&key).await? {
            let links = owner.links.ok_or(AccessError::KeyEnded)?;
            let screen = owner.screen;
            return Ok(Pairing::Paired { screen, links });
        }
        for _ in 0..DRAWS_MAX {
            let mut random = [0; 32];
            let drawn = rand::rngs::SysRng.try_fill_bytes(&mut random);
            drawn.map_err(|_| LoginError::Busy)?;
            let Some(code) = code_of(&random) else {
                continue;
            };
            let at = now();
            let new = NewPairing {
                code,
                key,
                address: address.to_owned(),
                expires_at: Timestamp(at.0.saturating_add(micros(PAIRING_GOOD))),
                most: PAIRINGS_MAX.into(),
                most_of_address: PAIRINGS_OF_ADDRESS_MAX.into(),
            };
            let store = self.store.clone();
            let opening = to_the_end(async move || store.open_pairing(at, &new).await);
            let opened = opening.await.map_err(|_| NotExecuted::OutcomeUnknown)?;
            if let Some(opened) = opened? {
                return Ok(Pairing::Waiting(opened));
            }
        }
        Err(LoginError::Busy.into())
    }

    /// Names the screen that shows a code, and returns its address. Said again, it is answered in the same way.
    ///
    /// # Errors
    /// [`AccessError::UnknownPairing`] for a code that no screen shows, or that was used for another name or other links;
    /// [`AccessError::TooManyCodes`] after too many of them;
    /// [`AccessError::ScreenExists`] if the name has a screen, and may not be replaced; [`AccessError::Differs`] if it belongs
    /// to a person, or to another program; [`AccessError::Ended`] if its access has ended.
    pub async fn pair(&self, by: &By, new: ScreenToPair) -> Result<String, AccessError> {
        let typist = by.name.clone().unwrap_or_default();
        let tries = self.pairing_limits.wrong_codes.count(&typist);
        let tries = tries.ok_or(AccessError::TooManyCodes)?;
        let found = self.store.pairing_of_code(&new.code, now()).await?;
        let name = new.screen.to_string();
        let found = found.filter(|found| {
            let screen = found.screen.as_deref();
            screen.is_none_or(|screen| screen == name)
        });
        let found = found.ok_or(AccessError::UnknownPairing)?;
        tries.fetch_sub(1, Ordering::Relaxed);
        let links: Vec<String> = new.links.iter().map(ToString::to_string).collect();
        if found.screen.is_some() {
            let owner = self.store.screen_of_key(&found.key).await?;
            let is_same = owner.is_some_and(|owner| owner.links.as_ref() == Some(&links));
            return is_same
                .then_some(found.address)
                .ok_or(AccessError::UnknownPairing);
        }
        self.refuse_ended(&name).await?;
        let mut act = by.act("screen_paired", Some(&name));
        let details = [
            ("links", links.join(",")),
            ("screen_address", found.address.clone()),
        ];
        let details = details.into_iter();
        act.details
            .extend(details.map(|(fact, value)| (fact.to_owned(), value)));
        if new.replaces {
            let replaces = ("replaces".to_owned(), "true".to_owned());
            act.details.push(replaces);
        }
        let change = AccessChange::Pair(NewScreen {
            code: new.code,
            who: NewActor {
                name,
                role: Role::Display.name().to_owned(),
                table_name: None,
                link_name: None,
                department: None,
                rights: None,
            },
            links,
            by: typist,
            replaces: new.replaces,
        });
        self.change(Only::Always, change, act).await?;
        Ok(found.address)
    }

    /// Unpairs a screen: its tokens end, and it shows a code again.
    ///
    /// # Errors
    /// [`AccessError::UnknownScreen`], or if the database refuses.
    pub async fn unpair(&self, by: &By, name: &str) -> Result<(), AccessError> {
        let change = AccessChange::RemoveScreen {
            name: name.to_owned(),
        };
        let act = by.act("screen_unpaired", Some(name));
        self.change(Only::Always, change, act).await.map(drop)
    }

    /// Returns the links of a caller that is a screen; nothing for another one.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn links_of_screen(
        &self,
        caller: &Caller,
    ) -> Result<Option<Vec<String>>, NotExecuted> {
        if caller.role != Role::Display {
            return Ok(None);
        }
        let links = self.store.links_of_screen(caller.person.actor).await;
        links.map_err(unavailable)
    }
}

/// Returns the code that random bytes make; nothing if too many of them are left out.
fn code_of(random: &[u8]) -> Option<String> {
    let used = random.iter().filter(|byte| **byte < BYTES_USED);
    let letters = used.filter_map(|byte| LETTERS.get(usize::from(*byte) % LETTERS.len()));
    let code: String = letters
        .take(CODE_LENGTH)
        .map(|letter| char::from(*letter))
        .collect();
    (code.len() == CODE_LENGTH).then_some(code)
}

/// Returns the code in a text that a person typed; nothing if it has another form.
pub fn read_code(text: &str) -> Option<String> {
    let code = text.to_ascii_uppercase();
    let is_code = code.len() == CODE_LENGTH && code.bytes().all(|letter| LETTERS.contains(&letter));
    is_code.then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_letters_that_do_not_look_alike() {
        assert_eq!(
            code_of(&[0, 255, 28, 27, 251, 252, 8, 9, 1]),
            Some("22YYAC".to_owned())
        );
        assert_eq!(code_of(&[0, 1, 2, 3, 4]), None);
        assert_eq!(code_of(&[254; 32]), None);
        assert_eq!(usize::from(BYTES_USED) % LETTERS.len(), 0);
        for alike in *b"01IOZSBU" {
            assert!(!LETTERS.contains(&alike), "{}", char::from(alike));
        }
    }

    #[test]
    fn a_code_is_read_in_small_letters_too() {
        assert_eq!(read_code("22yyac"), Some("22YYAC".to_owned()));
        for other in ["", "22YYA", "22YYACC", "22YYA0", "22YYAé", "22 YYA"] {
            assert_eq!(read_code(other), None, "{other}");
        }
    }
}
