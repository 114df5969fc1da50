//! Two servers on one database that commit to one link.

use meterhouse_load::{Pace, Plan};

use super::in_turn;
use crate::Failure;
use crate::figure::{Figure, Stage};
use crate::ours::Ours;
use crate::rows::with_ends;

/// Commands in flight, all nodes together.
const IN_FLIGHT: u32 = 4_096;
/// Of a hundred of one node's rate.
const PERCENT_ASKED: u64 = 40;

/// One node and two in turn, with the same plan.
pub(super) async fn measure(stage: &Stage) -> Result<Figure, Failure> {
    let both = async |ours: &mut Ours| both(stage, ours).await;
    stage.on_fresh("nodes", both).await
}

async fn both(stage: &Stage, ours: &Ours) -> Result<Figure, Failure> {
    let mut other = ours.node().await?;
    let one = Plan {
        pace: Pace::InFlight(IN_FLIGHT),
        ..ours.plan("nodes", stage.options.length)
    };
    let mut two = one.clone();
    two.nodes.push(other.node());
    let rates = in_turn(stage, ours, [one, two]).await;
    other.stop().await?;
    let [one, two] = rates?;
    let percent = two.percent_of(&one);
    Ok(Figure::new(
        "two nodes on one link, 4,096 in flight, every second stream at each",
        format!(
            "{} of one node's a round: {} of {}; nothing lost or doubled",
            with_ends(percent, |percent| format!("{percent}%")),
            two.words(),
            one.words()
        ),
        format!("{PERCENT_ASKED}%, nothing lost or doubled"),
        Some(percent.median >= PERCENT_ASKED),
    ))
}
