//! A complete table controller: buttons from its input, and lamps, a keypad and a sign on its output.
//!
//! A lamp is lit when the server has accepted the coin-in, not when the outbox has stored it. The keypad is drawn from
//! the round as the server has it, so it is complete after a power cut.
//!
//! Usage: `table_controller http://HOST:PORT TABLE TOKEN OUTBOX BADGE`, with the badge of the dealer. Each line of the
//! input is a button: `coin 1 3 5`, `count 3`, `fold 3`, `hit 5 royal-flush As Ks Qs Js Ts`, `cancel TABLE.NUMBER`,
//! `close`, `void misdeal`. The program ends with its input.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;
use std::{env, io, thread};

use meterhouse_client::blocking::{Controller, Decisions, Outcomes, Statuses};
use meterhouse_client::{
    Badge, CancelHit, Close, CoinIn, Command, Count, Effect, Fold, Hit, HitName, Holder, Money,
    Options, Seat, Standing, Status, TableName, Void, Wager,
};

type Anything<T> = Result<T, Box<dyn Error>>;

/// Time to wait for outcomes at the end. Later outcomes are printed at the next start.
const LAST_OUTCOMES: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    match play() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("table_controller: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays until the input ends.
fn play() -> Anything<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [address, table, token, outbox, badge] = &arguments[..] else {
        return Err("write: table_controller http://HOST:PORT TABLE TOKEN OUTBOX BADGE".into());
    };
    let own: TableName = table.parse()?;
    let badge: Badge = badge.parse()?;
    let options = Options::new(address, own.clone(), token, outbox);
    let (controller, outcomes) = Controller::open(options)?;
    let statuses = controller.statuses();
    thread::spawn(move || show(statuses));
    let decisions = controller.decisions();
    thread::spawn(move || print_outcomes(outcomes, &decisions));
    let online = controller.online().map_err(|why| why.to_string())?;
    for line in io::stdin().lines() {
        let command = button(&line?, online.wager, &own);
        let sent = command.and_then(|command| Ok(controller.send(command.by(badge.clone()))?));
        match sent {
            Ok(receipt) => println!(
                "button command {} is stored; its outcome lights the lamps",
                receipt.sequence()
            ),
            Err(error) => println!("button not stored: {error}"),
        }
    }
    thread::sleep(LAST_OUTCOMES);
    Ok(controller.close()?)
}

/// Returns the command of a line.
fn button(line: &str, wager: Money, own: &TableName) -> Anything<Command> {
    let (name, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    let seats = rest.split(' ').map(|seat| seat.parse().map(Seat));
    let mut words = rest.splitn(3, ' ');
    Ok(match name {
        "coin" => {
            let dealt: Vec<Seat> = seats.collect::<Result<_, _>>()?;
            let wagers = dealt.iter().map(|seat| Wager::own(*seat, wager)).collect();
            CoinIn { wagers, dealt }.into()
        }
        "count" => Command::from(Count {
            chips: rest.parse()?,
        }),
        "fold" => Command::from(Fold {
            seats: seats.collect::<Result<_, _>>()?,
        }),
        "hit" => Command::from(Hit {
            holder: Holder::Seat(Seat(words.next().unwrap_or_default().parse()?)),
            hand: words.next().unwrap_or_default().parse()?,
            cards: words.next().map(str::parse).transpose()?,
        }),
        "cancel" => CancelHit::named(&rest.parse()?, own)
            .ok_or("a table takes back its own hits only")?
            .into(),
        "close" => Close.into(),
        "void" => Command::from(Void {
            reason: rest.parse()?,
        }),
        _ => return Err(format!("there is no button `{name}`").into()),
    })
}

/// Prints every outcome, including those of commands from before a power cut, and lights the lamps.
fn print_outcomes(mut outcomes: Outcomes, decisions: &Decisions) {
    while let Ok(outcome) = outcomes.take() {
        let sequence = outcome.sequence;
        match outcome.effect {
            Effect::CoinIn(locked) => println!("lamps  lit at {}", listed(&locked.seats)),
            Effect::Close { .. } | Effect::Void { .. } => println!("lamps  dark"),
            Effect::Hit(keyed) | Effect::Envy(keyed) | Effect::Bonus(keyed) => {
                println!("table  {sequence}: {} is {}", keyed.hit, keyed.state);
                wait(decisions.clone(), keyed.hit);
            }
            Effect::Settle { hits, .. } => {
                for keyed in hits {
                    println!("table  {sequence}: {} is {}", keyed.hit, keyed.state);
                    wait(decisions.clone(), keyed.hit);
                }
            }
            Effect::Refused { code, detail, .. } => {
                println!("table  {sequence}: refused, {detail} ({code})");
            }
            effect @ (Effect::Count { .. } | Effect::Fold { .. } | Effect::CancelHit { .. }) => {
                println!("table  {sequence}: {effect:?}");
            }
        }
    }
}

/// Prints the floor's decision about a hit.
fn wait(decisions: Decisions, hit: HitName) {
    thread::spawn(move || match decisions.wait_for(&hit) {
        Ok(decided) => println!("floor  {hit} is {}, due {}", decided.state, decided.due),
        Err(why) => println!("floor  {hit}: {why}"),
    });
}

/// Prints the status of the progressive, and draws the keypad when the round changes.
fn show(mut statuses: Statuses) {
    let mut status = Some(statuses.now());
    let mut drawn = String::new();
    while let Some(now) = status {
        match now {
            Status::Connecting => println!("sign   connecting"),
            Status::Online(online) => {
                let now = keypad(&online.standing);
                if now != drawn {
                    println!("sign   {}: {}", online.link, online.standing.link_state);
                    print!("{now}");
                    drawn = now;
                }
            }
            Status::Offline { reason, .. } => println!("sign   offline, not playable: {reason}"),
            Status::Stopped(why) => println!("sign   STOPPED, call the floor: {why}"),
        }
        status = statuses.changed();
    }
}

/// Returns the keypad of the open round.
fn keypad(standing: &Standing) -> String {
    let Some(round) = &standing.round else {
        return "keypad no round is open\n".to_owned();
    };
    let folded = match &round.folded[..] {
        [] => String::new(),
        folded => format!(", folded {}", listed(folded)),
    };
    let (number, lit) = (round.sequence, listed(&round.seats));
    let hits = round.hits.iter().map(|hit| {
        let hand = hit.hand.as_deref().unwrap_or(hit.kind.name());
        let (name, state, due) = (&hit.hit, &hit.state, hit.due);
        format!("keypad   {name} {hand}: {state}, due {due}\n")
    });
    format!(
        "keypad round {number}: lit {lit}{folded}\n{}",
        hits.collect::<String>()
    )
}

/// Returns seats as in `1 3 5`.
fn listed(seats: &[Seat]) -> String {
    let seats: Vec<String> = seats.iter().map(|seat| seat.0.to_string()).collect();
    seats.join(" ")
}
