//! The visitor of a demo: a link and a table that nobody else plays at, and people whose passwords are no secret.
//!
//! # Shape
//! `GET /demo.json` tells the front page of all this, so that one click opens each page as the person it is for. The
//! simulated supervisors leave the hits of this table alone: the visitor decides about them.
//!
//! # Security
//! It is play money, in a database that only a demo opens. The passwords are drawn at each start, because a constant
//! one would be tried elsewhere.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use meterhouse_engine::access::{AccessControl, AccessError, LoginRequest, Only, PasswordProof};
use meterhouse_simulator::{GamePlan, LinkPlan, Plan, TablePlan, default_links, prepare};
use meterhouse_store::NewActor;
use serde::Serialize;

use super::people::{Person, controllers_token, failed, random_seed};
use crate::administrator::{at_the_command_line, failure};
use crate::failure::Failure;

/// Link and table of the visitor.
const LINK: &str = "practice";
const TABLE: &str = "PRACTICE-1";
/// People that a visitor may be, with their PINs: two supervisors and two managers of different departments, and an
/// auditor, who signs nothing.
const PEOPLE: [(Person, Option<&str>); 5] = [
    (("sam", "supervisor", "floor"), Some("4071")),
    (("lee", "supervisor", "slots"), Some("5280")),
    (("max", "manager", "tables"), Some("7302")),
    (("mia", "manager", "finance"), Some("8416")),
    (("ada", "auditor", "audit"), None),
];

/// What a visitor may use, once it is prepared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visitor(Arc<OnceLock<String>>);

/// The content of `demo.json`.
#[derive(Serialize)]
struct Offer {
    link: &'static str,
    table: OfferedTable,
    people: Vec<OfferedPerson>,
}

#[derive(Serialize)]
struct OfferedTable {
    table: &'static str,
    token: String,
}

#[derive(Serialize)]
struct OfferedPerson {
    name: &'static str,
    role: &'static str,
    department: Option<&'static str>,
    password: String,
    pin: Option<&'static str>,
}

impl Visitor {
    /// Returns the route `/demo.json`, which answers 404 until the visitor is prepared.
    pub(crate) fn routes(&self) -> Router {
        Router::new()
            .route("/demo.json", get(offer))
            .with_state(self.clone())
    }

    /// Opens the link, lets the table join, and gives each person a new password.
    pub(super) async fn prepare(
        &self,
        access: &AccessControl,
        plan: &Plan,
        manager: &str,
    ) -> Result<(), Failure> {
        let plan = Plan {
            stages: Vec::new(),
            links: own_link().into_iter().collect(),
            ..plan.clone()
        };
        prepare(&plan, manager).await.map_err(failed)?;
        let token = controllers_token(access, TABLE).await?;
        let mut people = Vec::new();
        for (person, pin) in PEOPLE {
            people.push(offered(access, person, pin).await?);
        }
        let table = OfferedTable {
            table: TABLE,
            token,
        };
        let offer = Offer {
            link: LINK,
            table,
            people,
        };
        let text = serde_json::to_string(&offer);
        let text = text.map_err(|error| Failure::internal("the offer to the visitor", error))?;
        // A second preparation would have other passwords: there is one a start.
        drop(self.0.set(text));
        Ok(())
    }
}

async fn offer(State(Visitor(offer)): State<Visitor>) -> Response {
    match offer.get() {
        Some(offer) => {
            let headers = [
                (CONTENT_TYPE, "application/json"),
                (CACHE_CONTROL, "no-store"),
            ];
            (headers, offer.clone()).into_response()
        }
        None => (StatusCode::NOT_FOUND, "the demo is still being prepared\n").into_response(),
    }
}

/// Returns the visitor's link: the demo's first one, with one table.
fn own_link() -> Option<LinkPlan> {
    let first = default_links().into_iter().next()?;
    let table = TablePlan {
        table: TABLE.to_owned(),
        game: GamePlan::CRAZY_4,
    };
    Some(LinkPlan {
        link: LINK.to_owned(),
        tables: vec![table],
        ..first
    })
}

async fn offered(
    access: &AccessControl,
    (name, role, department): Person,
    pin: Option<&'static str>,
) -> Result<OfferedPerson, Failure> {
    let department = Some(department).filter(|_| role != "auditor");
    let who = NewActor {
        name: name.to_owned(),
        role: role.to_owned(),
        table_name: None,
        link_name: None,
        department: department.map(str::to_owned),
        rights: None,
    };
    let by = at_the_command_line();
    let made = access.new_code(&by, Only::Always, who).await;
    let code = made.map_err(failure)?.code;
    let password = password_of_digits([random_seed()?, random_seed()?]);
    let set = access.set_password(&by, name, PasswordProof::Code(&code), &password);
    set.await.map_err(failure)?;
    if let Some(pin) = pin {
        set_pin(access, name, &password, pin).await?;
    }
    Ok(OfferedPerson {
        name,
        role,
        department,
        password,
        pin,
    })
}

/// Returns a password of 40 digits: no letters, so that it never contains the name of its person, which is refused.
fn password_of_digits([first, second]: [u64; 2]) -> String {
    format!("{first:020}{second:020}")
}

/// Sets a PIN as its person would: in a session, with the password.
async fn set_pin(
    access: &AccessControl,
    name: &str,
    password: &str,
    pin: &str,
) -> Result<(), Failure> {
    let by = at_the_command_line();
    let asked = LoginRequest {
        name,
        password,
        code: None,
    };
    let logged_in = access.login(&by, asked).await;
    let secret = logged_in
        .map_err(|error| failure(AccessError::Login(error)))?
        .secret;
    let found = access.session(&secret).await;
    let found =
        found.map_err(|error| Failure::database("could not read a session of the demo", error))?;
    let Some(holder) = found else { return Ok(()) };
    let session = (holder, secret);
    let set = access.set_pin(&by, &session, pin, Some(password)).await;
    set.map_err(failure)?;
    let ended = access.logout(&by, name, &session.1).await;
    ended.map_err(failure)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_has_no_letters() {
        for seeds in [[0xada, 0xada], [u64::MAX, 0xadad_adad_adad_adad]] {
            let password = password_of_digits(seeds);
            assert_eq!(password.len(), 40, "{password}");
            assert!(
                password.bytes().all(|byte| byte.is_ascii_digit()),
                "{password}"
            );
        }
    }
}
