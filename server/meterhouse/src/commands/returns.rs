//! `meterhouse returns`

use meterhouse_edge::returns::{LevelView, LineView, Question, ReturnsView, view};
use meterhouse_edge::share::Share;

use super::evaluate::to_confirm;
use super::paytable::find;
use super::serve::catalogue;
use crate::cli::ReturnsArgs;
use crate::failure::Failure;
use crate::output::{self, out};

pub(crate) fn run(args: &ReturnsArgs) -> Result<(), Failure> {
    let catalogue = catalogue(args.paytables.as_deref())?;
    let found = find(&catalogue, &args.paytable)?;
    let question = Question {
        wager: Some(args.wager.clone()),
        meter: args.meter.clone(),
        seats: args.seats,
        magic_card_one_in: args.magic_card_one_in,
        lucky_bonus_one_in: args.lucky_bonus_one_in,
    };
    let view = view(found, &question).map_err(|error| Failure::asked(&error))?;
    if args.json {
        return output::json(&view);
    }
    out!("{}", page(&view));
    out!("{}", to_confirm(found.sheet));
    Ok(())
}

fn page(view: &ReturnsView) -> String {
    let head = format!(
        "{}\n{} ({}), at ${}\n\n",
        view.title, view.citation, view.paytable, view.wager
    );
    let warning = view.warning.as_ref();
    let warning = warning.map(|text| format!("\nWarning: {text}\n"));
    [
        head,
        lines(view),
        "\n".to_owned(),
        levels(view),
        "\n".to_owned(),
        sums(view),
        warning.unwrap_or_default(),
    ]
    .concat()
}

fn lines(view: &ReturnsView) -> String {
    let head = ["Hand", "of all", "one in", "returns"];
    let line = |line: &LineView| {
        let (hands, returned) = (line.hands.to_string(), &line.at_displayed.percent);
        row([line.hand, &hands, &line.one_in, returned])
    };
    let lines: String = view.lines.iter().map(line).collect();
    row(head) + &lines
}

fn levels(view: &ReturnsView) -> String {
    let head = ["Level", "displays", "returns all at", "mean jackpot"];
    let level = |level: &LevelView| {
        let (break_even, mean) = (level.break_even.as_deref(), level.mean_jackpot.as_deref());
        let (break_even, mean) = (break_even.unwrap_or("never"), mean.unwrap_or("never"));
        row([&level.level, &level.displayed, break_even, mean])
    };
    let levels: String = view.levels.iter().map(level).collect();
    row(head) + &levels
}

fn sums(view: &ReturnsView) -> String {
    let sum = |what: &str, share: &Share| {
        let Share { percent, exact } = share;
        format!("{what:<48}{percent:>14}  {exact}\n")
    };
    let mut rows = vec![
        sum("At the displayed amounts", &view.at_displayed),
        sum("Fixed odds", &view.fixed),
        sum("Fixed odds off a level", &view.fixed_of_levels),
        sum("What the meters take", &view.primary),
        sum("What the reserves take", &view.reserve),
        sum("What the house adds at restarts", &view.reseed),
        sum("What the house pays that a level can't", &view.shortfall),
        sum("In the long run", &view.long_run),
        sum("The house keeps", &view.hold),
    ];
    for draw in &view.draws {
        let every = format!("{}, drawn every round", draw.draw);
        rows.push(sum(&every, &draw.every_round));
        if let Some(rounds) = draw.one_in {
            let drawn = format!("{}, drawn in one of {rounds} rounds", draw.draw);
            rows.push(sum(&drawn, &draw.adds));
        }
    }
    if view.draws.iter().any(|draw| draw.one_in.is_some()) {
        rows.push(sum("In the long run, with these draws", &view.with_draws));
    }
    for envy in &view.envy {
        let players = format!("Envy with {} who wager", envy.players);
        rows.push(sum(&players, &envy.adds));
    }
    let link = &view.on_a_link;
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
