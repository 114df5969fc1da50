//! `meterhouse returns`

use meterhouse_api::returns::{LevelReturn, LineReturn, PaytableReturns, Share};
use meterhouse_edge::returns::{Question, paytable_returns};

use super::evaluate::to_confirm;
use super::fixed_returns;
use super::paytable::{find, fixed_sheet};
use super::serve::catalogue;
use crate::cli::ReturnsArgs;
use crate::failure::Failure;
use crate::output::{self, out};

pub(crate) fn run(args: &ReturnsArgs) -> Result<(), Failure> {
    let catalogue = catalogue(args.paytables.as_deref())?;
    if let Some(sheet) = fixed_sheet(&catalogue, &args.paytable) {
        return fixed_returns::run(args, &catalogue, sheet);
    }
    let found = find(&catalogue, &args.paytable)?;
    let question = Question {
        wager: Some(args.wager.clone()),
        meter: args.meter.clone(),
        seats: args.seats,
        magic_card_one_in: args.magic_card_one_in,
        lucky_bonus_one_in: args.lucky_bonus_one_in,
    };
    let returns = paytable_returns(found, &question).map_err(|error| Failure::asked(&error))?;
    if args.json {
        return output::json(&returns);
    }
    out!("{}", page(&returns));
    out!("{}", to_confirm(found.sheet));
    Ok(())
}

fn page(returns: &PaytableReturns) -> String {
    let head = format!(
        "{}\n{} ({}), at ${}\n\n",
        returns.title, returns.citation, returns.paytable, returns.wager
    );
    let warning = returns.warning.as_ref();
    let warning = warning.map(|text| format!("\nWarning: {text}\n"));
    [
        head,
        lines(returns),
        "\n".to_owned(),
        levels(returns),
        "\n".to_owned(),
        sums(returns),
        warning.unwrap_or_default(),
    ]
    .concat()
}

fn lines(returns: &PaytableReturns) -> String {
    let head = ["Hand", "of all", "one in", "returns"];
    let line = |line: &LineReturn| {
        let (hands, returned) = (line.hands.to_string(), &line.at_displayed.percent);
        row([line.hand.name(), &hands, &line.one_in, returned])
    };
    let lines: String = returns.lines.iter().map(line).collect();
    row(head) + &lines
}

fn levels(returns: &PaytableReturns) -> String {
    let head = ["Level", "displays", "returns all at", "mean jackpot"];
    let level = |level: &LevelReturn| {
        let (break_even, mean) = (level.break_even.as_deref(), level.mean_jackpot.as_deref());
        let (break_even, mean) = (break_even.unwrap_or("never"), mean.unwrap_or("never"));
        let displayed = level.displayed.to_string();
        row([level.level.as_str(), &displayed, break_even, mean])
    };
    let levels: String = returns.levels.iter().map(level).collect();
    row(head) + &levels
}

fn sums(returns: &PaytableReturns) -> String {
    let sum = |what: &str, share: &Share| {
        let Share { percent, exact } = share;
        format!("{what:<48}{percent:>14}  {exact}\n")
    };
    let mut rows = vec![
        sum("At the displayed amounts", &returns.at_displayed),
        sum("Fixed odds", &returns.fixed),
        sum("Fixed odds off a level", &returns.fixed_of_levels),
        sum("What the meters take", &returns.primary),
        sum("What the reserves take", &returns.reserve),
        sum("What the house adds at restarts", &returns.reseed),
        sum("What the house pays that a level can't", &returns.shortfall),
        sum("In the long run", &returns.long_run),
        sum("The house keeps", &returns.hold),
    ];
    for draw in &returns.draws {
        let every = format!("{}, drawn every round", draw.draw);
        rows.push(sum(&every, &draw.every_round));
        if let Some(rounds) = draw.one_in {
            let drawn = format!("{}, drawn in one of {rounds} rounds", draw.draw);
            rows.push(sum(&drawn, &draw.adds));
        }
    }
    if returns.draws.iter().any(|draw| draw.one_in.is_some()) {
        rows.push(sum(
            "In the long run, with these draws",
            &returns.with_draws,
        ));
    }
    for envy in &returns.envy {
        let players = format!("Envy with {} who wager", envy.players);
        rows.push(sum(&players, &envy.adds));
    }
    let link = &returns.on_a_link;
    let full = format!("On a link: envy at a full table of {}", link.full_table);
    rows.extend([
        sum("On a link: the long run", &link.long_run),
        sum("On a link: Magic Cards", &link.magic_card),
        sum(
            "On a link: Lucky Bonuses, on one position",
            &link.lucky_bonus,
        ),
        sum(&full, &link.envy_at_full_table),
        sum("On a link: all of it", &link.total),
    ]);
    rows.concat()
}

fn row([first, second, third, fourth]: [&str; 4]) -> String {
    format!("{first:<18}{second:>14}{third:>16}{fourth:>14}\n")
}
