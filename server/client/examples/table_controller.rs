//! A complete table controller: buttons from its input, lamps and a sign on its output.
//!
//! `table_controller http://HOST:PORT TABLE TOKEN OUTBOX`, then one button a line: `coin 1 3 5`, `count 3`, `fold 3`,
//! `hit 5 royal-flush As Ks Qs Js Ts`, `cancel TABLE.NUMBER`, `close`, `void misdeal`. It ends with its input.

use std::error::Error;
use std::time::Duration;
use std::{env, io, thread};

use meterhouse_client::blocking::{Controller, Outcomes, Statuses};
use meterhouse_client::{
    CancelHit, Close, CoinIn, Command, Count, Fold, Hit, Holder, Money, Options, Seat, Status,
    TableName, Void, Wager,
};

type Anything<T> = Result<T, Box<dyn Error>>;

/// How long outcomes are waited for at the end; what comes later is told at the next start.
const LAST_OUTCOMES: Duration = Duration::from_secs(1);

fn main() -> Anything<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [address, table, token, outbox] = &arguments[..] else {
        return Err("write: table_controller http://HOST:PORT TABLE TOKEN OUTBOX".into());
    };
    let own: TableName = table.parse()?;
    let options = Options::new(address, own.clone(), token, outbox);
    let (controller, outcomes) = Controller::open(options)?;
    let statuses = controller.statuses();
    thread::spawn(move || show(statuses));
    thread::spawn(move || tell(outcomes));
    let online = controller.online().map_err(|why| why.to_string())?;
    for line in io::stdin().lines() {
        let command = button(&line?, online.wager, &own);
        let sent = command.and_then(|it| Ok(controller.send(it)?));
        match sent {
            Ok(kept) => println!("lamp   lit: command {} is kept", kept.sequence()),
            Err(error) => println!("lamp   dark: {error}"),
        }
    }
    thread::sleep(LAST_OUTCOMES);
    Ok(controller.close()?)
}

/// What a line asks for.
fn button(line: &str, wager: Money, own: &TableName) -> Anything<Command> {
    let (name, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    let seats = rest.split(' ').map(|it| it.parse().map(Seat));
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

/// Prints every outcome, those of commands from before a power cut too.
fn tell(mut outcomes: Outcomes) {
    while let Ok(it) = outcomes.take() {
        println!("table  {}: {:?}", it.sequence, it.effect);
    }
}

/// Prints whether the progressive can be played.
fn show(mut statuses: Statuses) {
    let mut status = Some(statuses.now());
    while let Some(now) = status {
        match now {
            Status::Connecting => println!("sign   connecting"),
            Status::Online(it) => println!("sign   {}: {}", it.link, it.standing.link_state),
            Status::Offline { reason, .. } => println!("sign   offline, not playable: {reason}"),
            Status::Stopped(why) => println!("sign   STOPPED, call the floor: {why}"),
        }
        status = statuses.changed();
    }
}
