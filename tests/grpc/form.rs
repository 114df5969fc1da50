//! One form for what is heard over either way: as HTTP writes it.

use meterhouse_api::time;
use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::money::Money;
use meterhouse_proto::table::outcome::Outcome as Done;
use meterhouse_proto::{round, table as proto};
use meterhouse_tests::{Answer, reason};
use serde_json::{Map, Value, json};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// Which number of `google.rpc.Code` goes with a status of HTTP, for those that a table hears.
const CODES: [(u16, Code); 8] = [
    (400, Code::InvalidArgument),
    (401, Code::Unauthenticated),
    (403, Code::PermissionDenied),
    (404, Code::NotFound),
    (409, Code::Aborted),
    (429, Code::ResourceExhausted),
    (500, Code::Internal),
    (503, Code::Unavailable),
];

/// What a table hears on a command.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    /// An outcome: whether it was a repeat, and the body of HTTP.
    Done(bool, Value),
    /// A refusal by the rules: whether it was a repeat; code, detail and fields.
    Refused(bool, Value),
    /// Nothing was used up: status, code, detail and fields, and the seconds after which it may be sent again.
    NotExecuted(u16, Value, Option<u64>),
}

impl Said {
    /// What an answer of HTTP says.
    pub(crate) fn of_http(answer: &Answer) -> Self {
        let replayed = answer.replayed();
        let problem = || json!({"code": answer["code"], "detail": answer["detail"], "fields": answer["fields"]});
        match answer.status {
            200 | 201 => Self::Done(replayed, without_cards(answer.body.clone())),
            422 => Self::Refused(replayed, problem()),
            400 => Self::NotExecuted(400, malformed(&answer["code"]), None),
            status => {
                let wait = answer.headers.get("retry-after");
                let wait = wait.map(|it| it.to_str().expect("text").parse().expect("seconds"));
                Self::NotExecuted(status, problem(), wait)
            }
        }
    }

    /// What the end of a stream says about this command.
    pub(crate) fn of_status(status: &Status, table: &str, sequence: u64) -> Self {
        let info = reason(status);
        assert_eq!(info.domain, "meterhouse");
        let mut fields = info.metadata;
        assert_eq!(fields.remove("table").as_deref(), Some(table), "{status:?}");
        assert_eq!(fields.remove("sequence"), Some(sequence.to_string()));
        let code = CODES.iter().find(|(_, code)| *code == status.code());
        let (http, _) = code.unwrap_or_else(|| panic!("{status:?}"));
        if *http == 400 {
            return Self::NotExecuted(400, malformed(&json!(info.reason)), None);
        }
        let wait = status.get_details_retry_info();
        let wait = wait.and_then(|it| it.retry_delay);
        let wait = wait.map(|it| it.as_secs() + u64::from(it.subsec_nanos() > 0));
        let problem = json!({"code": info.reason, "detail": status.message(), "fields": fields});
        Self::NotExecuted(*http, problem, wait)
    }

    /// What an outcome says.
    pub(crate) fn of_outcome(outcome: &proto::Outcome, names: &Names) -> Self {
        let done = outcome.outcome.as_ref().expect("an outcome says something");
        if let Done::Refused(refused) = done {
            assert_eq!(outcome.displayed_micros, [0; 0], "{outcome:?}");
            let fields = json!(refused.fields);
            let problem = json!({"code": refused.code, "detail": refused.detail, "fields": fields});
            return Self::Refused(outcome.replayed, problem);
        }
        let mut body = names.done(outcome, done);
        body["table"] = json!(names.table);
        body["sequence"] = json!(outcome.sequence);
        body["at"] = json!(time::text(Timestamp(outcome.at_micros)));
        body["position"] = json!(format!("{}.{}", outcome.batch, outcome.position));
        Self::Done(outcome.replayed, body)
    }

    /// Without what differs between two houses: when it was, and in which batch.
    pub(crate) fn without_place(mut self) -> Self {
        if let Self::Done(_, body) = &mut self {
            for member in ["at", "position"] {
                body.as_object_mut().expect("an object").remove(member);
            }
        }
        self
    }

    /// As if it were said for the first time.
    pub(crate) fn first(self) -> Self {
        match self {
            Self::Done(_, body) => Self::Done(false, body),
            Self::Refused(_, problem) => Self::Refused(false, problem),
            Self::NotExecuted(..) => self,
        }
    }

    /// Whether the command's number is used up.
    pub(crate) const fn uses_up(&self) -> bool {
        matches!(self, Self::Done(..) | Self::Refused(..))
    }
}

/// The names that an outcome leaves out.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    pub(crate) table: String,
    pub(crate) levels: Vec<String>,
}

impl Names {
    fn done(&self, outcome: &proto::Outcome, done: &Done) -> Value {
        let levels = self.levels(&outcome.displayed_micros);
        let (command, mut body) = match done {
            Done::Refused(_) => panic!("a refusal"),
            Done::CoinIn(it) => return self.coin_in(outcome, it, levels),
            Done::Count(it) => {
                let differ = it.chips != it.accepted;
                let body = json!({"chips": it.chips, "accepted": it.accepted, "differ": differ});
                ("count", body)
            }
            Done::Fold(it) => ("fold", json!({"seats": it.seats})),
            Done::Hit(it) => ("hit", json!({"hit": self.hit(it)})),
            Done::Envy(it) => ("envy", json!({"hit": self.hit(it)})),
            Done::Bonus(it) => ("bonus", json!({"hit": self.hit(it)})),
            Done::Settle(it) => {
                let hits: Vec<Value> = it.hits.iter().map(|it| self.hit(it)).collect();
                let mut body = json!({"hits": hits});
                if let Some(it) = &it.settlement {
                    body["settlement"] = settlement(it);
                }
                ("settle", body)
            }
            Done::CancelHit(it) => ("cancel_hit", json!({"hit": it.hit})),
            Done::Close(it) => ("close", json!({"hits": it.hits})),
            Done::Void(it) => ("void", json!({"reason": it.reason, "hits": it.hits})),
        };
        body["command"] = json!(command);
        body["levels"] = levels;
        body
    }

    fn levels(&self, displayed: &[i64]) -> Value {
        assert_eq!(self.levels.len(), displayed.len());
        let levels = self.levels.iter().zip(displayed);
        levels
            .map(|(level, micros)| json!({"level": level, "amount": money(*micros)}))
            .collect()
    }

    fn coin_in(
        &self,
        outcome: &proto::Outcome,
        it: &proto::CoinInDone,
        mut levels: Value,
    ) -> Value {
        let listed = levels.as_array_mut().expect("levels").iter_mut();
        assert_eq!(it.contribution_micros.len(), self.levels.len());
        for ((index, level), added) in listed.enumerate().zip(&it.contribution_micros) {
            level["contribution"] = json!(money(*added));
            if let Some(over) = it.over_ceiling_micros.get(index).filter(|it| **it != 0) {
                level["over_ceiling"] = json!(money(*over));
            }
        }
        let magic_card = Some(&it.magic_card).filter(|it| !it.is_empty());
        let lucky = it.lucky_position.map(position);
        json!({
            "command": "coin_in",
            "round": format!("{}.{}", self.table, outcome.sequence),
            "seats": it.seats,
            "dealer_seats": it.dealer_seats,
            "wagers": it.seats.len() + it.dealer_seats.len(),
            "magic_card": magic_card,
            "lucky_position": lucky,
            "levels": levels,
        })
    }

    fn hit(&self, it: &proto::HitDone) -> Value {
        let taken = it.taken.as_ref();
        let payouts = (1..)
            .zip(&it.payouts)
            .map(|(number, it)| payout(number, it));
        let hit = json!({
            "hit": it.hit,
            "table": self.table,
            "round": format!("{}.{}", self.table, it.round),
            "order": it.order,
            "kind": it.kind,
            "state": it.state,
            "hand": Some(&it.hand).filter(|it| !it.is_empty()),
            "level": taken.map(|it| &it.level),
            "percent": taken.and_then(|it| it.percent),
            "before": taken.map(|it| money(it.before_micros)),
            "after": taken.map(|it| money(it.after_micros)),
            "due": money(it.due_micros),
            "envy_due": money(it.envy_due_micros),
            "payouts": payouts.collect::<Vec<_>>(),
        });
        let Value::Object(mut hit) = hit else {
            panic!("an object")
        };
        let whose: Map<String, Value> = match position(it.holder.expect("a holder")) {
            Value::Object(whose) => whose,
            other => panic!("{other}"),
        };
        hit.extend(whose);
        Value::Object(hit)
    }
}

/// Returns an outcome of HTTP without the cards of its hits, which gRPC doesn't repeat to the table that sent them.
fn without_cards(mut body: Value) -> Value {
    let remove = |hit: &mut Value| drop(hit.as_object_mut().and_then(|hit| hit.remove("cards")));
    if body["hit"].is_object() {
        remove(&mut body["hit"]);
    }
    if body["command"] == "settle" {
        let hits = body["hits"].as_array_mut().into_iter().flatten();
        hits.for_each(remove);
        // The table knows its game, and sent the jurisdiction.
        if let Some(Value::Object(settlement)) = body.get_mut("settlement") {
            settlement.remove("game");
            settlement.remove("jurisdiction");
        }
    }
    body
}

/// What is wrong with a request is said in the words of its form: JSON here, messages there.
fn malformed(code: &Value) -> Value {
    json!({"code": code})
}

fn payout(number: u32, it: &proto::Payout) -> Value {
    json!({
        "payout": number,
        "kind": it.kind,
        "seat": it.seat,
        "player": Some(&it.player).filter(|it| !it.is_empty()),
        "amount": money(it.amount_micros),
        "charged_to": it.charged_to,
        "handed_over": it.handed_over,
    })
}

/// The settled fixed wagers, as HTTP writes them.
fn settlement(it: &round::Settlement) -> Value {
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let tables = it.tables.iter().map(|it| {
        let gaps = it.not_in_source.iter().map(|it| {
            json!({"what": it.what, "place": it.place, "inferred_from": given(&it.inferred_from)})
        });
        let mut table = json!({"table": it.table, "title": it.title, "citation": it.citation,
            "not_in_source": gaps.collect::<Vec<_>>()});
        if let Some(reading) = given(&it.reading) {
            table["reading"] = json!(reading);
        }
        table
    });
    let limit = it.limit.as_ref();
    let limit = limit.map(|it| json!({"amount": money(it.amount_micros), "clause": it.clause}));
    let seats = it.seats.iter().map(|it| {
        let wagers: Vec<Value> = it.wagers.iter().map(settled_wager).collect();
        json!({"seat": it.seat, "player": given(&it.player), "wagers": wagers,
            "chips": money(it.chips_micros)})
    });
    let totals = it.totals.expect("sums");
    json!({
        "tables": tables.collect::<Vec<_>>(), "limit": limit, "seats": seats.collect::<Vec<_>>(),
        "totals": {
            "wagered": money(totals.wagered_micros), "collected": money(totals.collected_micros),
            "returned": money(totals.returned_micros), "paid": money(totals.paid_micros),
        },
    })
}

fn settled_wager(it: &round::SettledWager) -> Value {
    let line = it.line.as_ref().map(|it| {
        json!({"table": it.table, "citation": it.citation, "index": it.index, "prints": it.prints,
            "pays": it.pays})
    });
    json!({
        "wager": it.wager, "amount": money(it.amount_micros), "result": it.result, "clause": it.clause,
        "line": line, "payout": money(it.payout_micros), "paid": money(it.paid_micros), "cut": it.cut,
        "returned": money(it.returned_micros), "collected": money(it.collected_micros),
        "chips": money(it.chips_micros), "numbers": it.numbers,
        "team": Some(&it.team).filter(|team| !team.is_empty()),
    })
}

fn position(it: proto::Holder) -> Value {
    use proto::holder::Holder;
    match it.holder.expect("a holder") {
        Holder::Seat(seat) => json!({"seat": seat, "dealer": false}),
        Holder::Dealer(_) => json!({"seat": null, "dealer": true}),
    }
}

fn money(micros: i64) -> String {
    Money::from_micros(micros).to_string()
}
