//! `meterhouse evaluate`

use meterhouse_api::evaluation::Evaluation;
use meterhouse_api::forms::Unsigned;
use meterhouse_catalogue::Sheet;
use meterhouse_domain::card::Card;
use meterhouse_domain::command::WageredHand;
use meterhouse_edge::evaluation::{HandAsked, evaluation};
use meterhouse_edge::paytables::inferred;
use meterhouse_edge::value;
use meterhouse_edge::wire_error::EdgeError;

use super::paytable::sheet;
use super::serve::catalogue;
use crate::cli::EvaluateArgs;
use crate::failure::Failure;
use crate::output::{self, out};

pub(crate) fn run(args: &EvaluateArgs) -> Result<(), Failure> {
    let catalogue = catalogue(args.paytables.as_deref())?;
    let sheet = sheet(&catalogue, &args.paytable)?;
    let evaluated =
        evaluate(args, |asked| evaluation(sheet, asked)).map_err(|error| Failure::asked(&error))?;
    if args.json {
        return output::json(&evaluated);
    }
    out!("{}", page(&evaluated));
    out!("{}", to_confirm(sheet));
    Ok(())
}

fn evaluate(
    args: &EvaluateArgs,
    evaluation: impl FnOnce(&HandAsked<'_>) -> Result<Evaluation, EdgeError>,
) -> Result<Evaluation, EdgeError> {
    let cards = args.cards.iter().map(|card| value::read("card", card));
    let cards = cards.collect::<Result<Vec<Card>, _>>()?;
    let Unsigned(wager) = value::read("wager", &args.wager)?;
    let on: WageredHand = value::read("on", &args.on)?;
    let displayed = args.displayed.as_deref();
    let displayed = displayed.map(|amount| value::read("displayed", amount));
    let displayed = displayed.transpose()?;
    evaluation(&HandAsked {
        cards: &cards,
        wager,
        on,
        displayed: displayed.map(|Unsigned(amount)| amount),
    })
}

/// Returns a sentence on the paytable's inferred values, if any.
pub(super) fn to_confirm(sheet: &Sheet) -> String {
    let inferred = inferred(sheet);
    if inferred.is_empty() {
        return inferred;
    }
    format!("\nNot in the source, for the operator to confirm: {inferred}.\n")
}

fn page(evaluation: &Evaluation) -> String {
    let cards: Vec<String> = evaluation.cards.iter().map(ToString::to_string).collect();
    format!(
        "{}\n{} ({})\n\n{}: {}, ranked as {} hands are\n{}\n",
        evaluation.title,
        evaluation.citation,
        evaluation.paytable,
        cards.join(" "),
        evaluation.hand,
        evaluation.ranking,
        evaluation.answer
    )
}
