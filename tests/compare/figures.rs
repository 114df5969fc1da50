//! The figures to reach: sections of them, one after the other, and the table that they make.
//!
//! # Shape
//! A section measures on the stage and answers rows. One that fails is a row as well, and the others are measured all the
//! same; at the end the failure is told.

mod history;
mod memory;
mod neighbours;
mod nodes;
mod open;
mod rates;
mod repeats;
mod restart;
mod soak;
mod strangers;
mod tables;
mod wal;

use meterhouse_load::{Plan, Report};
use meterhouse_tests::comparison::rounds::Spread;

use crate::figure::{Figure, Stage};
use crate::machine::Watch;
use crate::options::Options;
use crate::ours::Ours;
use crate::rounds::{AGAIN, DISTURBED};
use crate::way::{Cells, What};
use crate::{Failure, abuse, displays};

/// The head of the table.
const HEAD: &str = "| what | measured | asked | met or missed |\n|---|---|---|---|";

/// What a section found.
#[derive(Default)]
struct Section {
    /// Its rows.
    figures: Vec<Figure>,
    /// What is printed behind the table of all.
    appendix: String,
}

/// Rates, one a round.
struct Rates(Vec<u64>);

/// What the comparison has to measure for the figures that are asked for.
pub(crate) fn needed(options: &Options) -> Vec<What> {
    if options.has_figure("hot") {
        vec![rates::HOT, rates::NAIVE]
    } else {
        Vec::new()
    }
}

/// Measures every section that is asked for, and prints the table.
pub(crate) async fn run(stage: &Stage, cells: &Cells) -> Result<(), Failure> {
    let mut rows = Vec::new();
    let mut appendices = String::new();
    let mut failed = Vec::new();
    for name in stage.options.sections() {
        eprintln!("figures: {name}");
        let section = match Box::pin(section(stage, cells, name)).await {
            Ok(section) => section,
            Err(failure) => {
                failed.push(name);
                let what = format!("not measured: {failure}");
                Figure::new(name, what, "", Some(false)).into()
            }
        };
        for figure in &section.figures {
            eprintln!("{}", figure.row());
            rows.push(figure.row());
        }
        appendices.push_str(&section.appendix);
    }
    println!(
        "Figures to reach: rates are medians of {} rounds in turn, {} s each, with the least and the most; open loops are\n\
         the least disturbed run of at most {AGAIN}, the others of one run\n",
        stage.options.rounds,
        stage.options.length.as_secs()
    );
    println!("{HEAD}");
    for row in &rows {
        println!("{row}");
    }
    println!("\nbooks: they agreed after every run whose figures stand here\n{appendices}");
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("not measured: {}", failed.join(", ")).into())
    }
}

async fn section(stage: &Stage, cells: &Cells, name: &str) -> Result<Section, Failure> {
    match name {
        "hot" => Ok(rates::hot(cells)?.into()),
        "stream64" => Ok(rates::stream64(stage).await?.into()),
        "http64" => Ok(rates::http64(stage).await?.into()),
        "open5000" => Ok(open::slow(stage).await?.into()),
        "open20000" => Ok(open::fast(stage).await?.into()),
        "hits" => Ok(open::hits(stage).await?.into()),
        "nodes" => Ok(nodes::measure(stage).await?.into()),
        "tables" => Ok(tables::measure(stage).await?.into()),
        "neighbours" => neighbours::measure(stage).await.map(Section::from),
        "wal" => wal::measure(stage).await.map(Section::from),
        "memory" => Ok(memory::measure(stage).await?.into()),
        "displays" => displays::measure(stage).await.map(Section::from),
        "abuse" => abuse::measure(stage).await.map(Section::from),
        "strangers" => Ok(strangers::measure(stage).await?.into()),
        "repeats" => Ok(repeats::measure(stage).await?.into()),
        "history" => history::measure(stage).await.map(Section::from),
        "soak" => soak::measure(stage).await,
        other => Err(format!("no section {other}").into()),
    }
}

impl From<Vec<Figure>> for Section {
    fn from(figures: Vec<Figure>) -> Self {
        Self {
            figures,
            appendix: String::new(),
        }
    }
}

impl From<Figure> for Section {
    fn from(figure: Figure) -> Self {
        vec![figure].into()
    }
}

impl Rates {
    fn median(&self) -> u64 {
        Spread::of(self.0.iter().copied()).median
    }

    /// Returns median, least and most, in words.
    fn words(&self) -> String {
        rate_words(Spread::of(self.0.iter().copied()))
    }

    /// Returns these rates in percent of others that were measured in the same rounds, one ratio a round.
    fn percent_of(&self, other: &Self) -> Spread {
        Spread::of_ratios(&self.0, &other.0)
    }
}

/// Writes a rate with the least and the most.
fn rate_words(rate: Spread) -> String {
    let [median, least, most] = [rate.median, rate.least, rate.most].map(grouped);
    format!("{median}/s [{least}-{most}]")
}

/// Plays plans in turn, round after round; the reports of each.
async fn in_turn<const PLANS: usize>(
    stage: &Stage,
    ours: &Ours,
    plans: [Plan; PLANS],
) -> Result<[Rates; PLANS], Failure> {
    let mut reports = plans.each_ref().map(|_| Vec::new());
    for _ in 0..stage.options.rounds {
        for (plan, reports) in plans.iter().zip(&mut reports) {
            let report = steady(stage, ours, plan).await?;
            eprintln!("{}: {} commands/s", report.played, report.a_second);
            reports.push(report);
        }
    }
    let rates = |reports: &Vec<Report>| reports.iter().map(|report| report.a_second).collect();
    Ok(reports.each_ref().map(|reports| Rates(rates(reports))))
}

/// Plays a plan, again if others disturbed it; the least disturbed report.
async fn steady(stage: &Stage, ours: &Ours, plan: &Plan) -> Result<Report, Failure> {
    // What another node uses can't be told from what others use.
    let most = if plan.nodes.len() > 1 { 1 } else { AGAIN };
    let mut best: Option<(u64, Report)> = None;
    ours.seated(plan).await?;
    for _ in 0..most {
        stage.settle().await?;
        let watch = Watch::start(stage.postgres.pid(), ours.pid())?;
        let report = ours.play(plan.clone()).await?;
        let others = watch.read()?.others;
        if best.as_ref().is_none_or(|it| others < it.0) {
            best = Some((others, report));
        }
        if others <= DISTURBED {
            break;
        }
    }
    let best = best.ok_or("nothing was measured")?;
    Ok(best.1)
}

/// A number as people read it.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
