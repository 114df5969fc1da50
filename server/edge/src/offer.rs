//! The offer of a changed paytable to an operator whose paytable returns more than the wager.

use meterhouse_domain::hand::Hand;
use meterhouse_domain::returns::{Asked, returns};
use serde::Serialize;
use utoipa::ToSchema;

use crate::paytables::Found;
use crate::share::Share;

/// A paytable of the operator's own: the same with its upper fixed pays off a level.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OfferView {
    /// Its id; the file is called as it, with `.toml`.
    pub paytable: String,
    /// The level that the pays come off.
    pub level: String,
    /// Whose pays come off it, highest first.
    #[schema(value_type = Vec<String>)]
    pub hands: Vec<&'static str>,
    /// What the next wager gets back of it at the displayed amounts, if the level bears its pays.
    pub at_displayed: Share,
    /// What all wagers get back of it in the end on the average, at least: where the level can't bear a pay, the house
    /// pays the rest.
    pub long_run: Share,
    /// What stands in the file, for the folder of the operator's own paytables.
    pub file: String,
}

impl OfferView {
    /// Returns the offer. `None` if the paytable returns no more than the wager, or if no charge to
    /// a level is enough.
    pub fn of(of: Found<'_>, asked: &Asked<'_>) -> Option<Self> {
        let file = of.catalogue.charged(of.paytable)?;
        let worth = returns(&file.charged.content, asked)?;
        Some(Self {
            paytable: file.id.to_string(),
            level: file.level.to_string(),
            hands: file.charged.hands.into_iter().map(Hand::name).collect(),
            at_displayed: worth.at_displayed.into(),
            long_run: worth.long_run.into(),
            file: file.text,
        })
    }
}
