//! Reports as CSV and as printed pages: the columns that the page promises, the values of the JSON, and no formula.

use meterhouse_api::time;
use meterhouse_engine::clock::now;
use meterhouse_tests::{Answer, Caller, FIVE_CARD_A, House};
use reqwest::Method;
use serde_json::json;

const PAGE: &str = include_str!("../../docs/API.md");

/// Reads a report as a request with this header gets it.
async fn read(caller: &Caller, path: &str, accept: &str) -> Answer {
    let headers = [("accept", accept)];
    let answer = caller.send(Method::GET, path, &headers, Vec::new()).await;
    answer.is(200)
}

/// The lines of a report, split at commas. No cell of these tests has a comma.
async fn lines(caller: &Caller, path: &str) -> Vec<Vec<String>> {
    let answer = read(caller, path, "text/csv").await;
    assert_eq!(
        answer.headers["content-type"],
        "text/csv; charset=utf-8; header=present"
    );
    assert_eq!(answer.headers["vary"], "Accept");
    assert!(answer.text.ends_with("\r\n"), "{}", answer.text);
    let lines = answer.text.split_terminator("\r\n");
    lines
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

/// The rows of the page's table: path and columns.
fn documented() -> Vec<(&'static str, &'static str)> {
    let rows = PAGE.lines().filter_map(|line| {
        let (path, columns) = line.strip_prefix("| `/v1/")?.split_once("` | `")?;
        let columns = columns.strip_suffix("` |")?;
        columns.contains(',').then_some((path, columns))
    });
    rows.collect()
}

/// A house with a paid royal flush, a pending straight flush, and a change whose reason is a formula.
async fn played() -> House {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let sam = house.supervisor("sam").await;
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "royal-flush").await.created());
    sam.settles("T1.2", 1).await;
    drop(dealer.close().await.created());
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "straight-flush").await.created());
    let both = house.two_people().await;
    let adjust = json!({"change": "adjust", "level": "meter", "account": "meter", "amount": "-1.50",
        "reason": "=HYPERLINK(A1)"});
    drop(both.change("main", &adjust).await);
    house
}

/// Each report of the page has the columns of the page, and as many cells in each row.
#[tokio::test]
async fn every_report_has_its_columns() {
    let house = played().await;
    let aud = house.person("aud", "auditor").await;
    let documented = documented();
    let today = time::text(now())[..10].to_owned();
    assert_eq!(documented.len(), 11, "{documented:?}");
    for (path, columns) in documented {
        let path = path.replace("{link}", "main").replace("{hit}", "T1.2");
        let path = path.replace("{date}", &today);
        let lines = lines(&aud, &format!("/v1/{path}")).await;
        assert_eq!(lines[0].join(","), columns, "{path}");
        assert!(lines.len() > 1, "{path} has no row");
        for line in &lines {
            assert_eq!(line.len(), lines[0].len(), "{path}: {line:?}");
        }
    }
    house.end().await;
}

/// Each report is printed, with each value that its CSV has.
#[tokio::test]
async fn every_report_is_printed() {
    let house = played().await;
    let aud = house.person("aud", "auditor").await;
    let today = time::text(now())[..10].to_owned();
    // A payoff has a sheet of its own.
    let reports = documented();
    let reports = reports.iter().filter(|(path, _)| !path.ends_with("payoff"));
    for (path, columns) in reports {
        let path = path.replace("{link}", "main").replace("{date}", &today);
        let path = format!("/v1/{path}");
        let page = read(&aud, &path, "application/pdf").await;
        assert_eq!(page.headers["content-type"], "application/pdf");
        assert_eq!(page.headers["vary"], "Accept");
        assert!(page.text.starts_with("%PDF-"), "{path}: {}", page.text);
        let mut lines = lines(&aud, &path).await;
        let columns: Vec<&str> = columns.split(',').collect();
        for line in lines.drain(1..) {
            for (column, cell) in columns.iter().zip(line) {
                // A long value is broken, brackets are written in another way, and some times are those of the request.
                let is_plain = cell.len() < 40 && !cell.contains(['(', ')', '\'']);
                let is_of_request = ["at", "to"].contains(column);
                assert!(
                    !is_plain || is_of_request || page.text.contains(&cell),
                    "{path}: {column} {cell}"
                );
            }
        }
    }
    let nothing = "/v1/links/main/large-wins?threshold=90000.00&tax_threshold=90000.00";
    let page = read(&aud, nothing, "application/pdf").await;
    assert!(page.text.contains("(no entries) Tj"), "{}", page.text);
    house.end().await;
}

/// The cells are the texts of the JSON.
#[tokio::test]
async fn cells_are_what_the_json_says() {
    let house = played().await;
    let aud = house.person("aud", "auditor").await;
    let path = "/v1/links/main/reconciliation";
    let json = read(&aud, path, "application/json").await;
    let csv = lines(&aud, path).await;
    let levels = json["levels"].as_array().expect("levels");
    assert_eq!(csv.len(), levels.len() + 1);
    for (row, level) in csv[1..].iter().zip(levels) {
        for (column, cell) in csv[0].iter().zip(row).skip(5) {
            assert_eq!(level[column], json!(cell), "{column}");
        }
        assert_eq!(row[..3], ["main", "", ""].map(str::to_owned));
    }
    // A number below zero is none of people's texts.
    assert_eq!(levels[0]["adjustments"], "-1.50");
    let liability = lines(&aud, "/v1/links/main/liability").await;
    let total = liability.last().expect("rows");
    let json = aud.get("/v1/links/main/liability").await.is(200);
    assert_eq!(
        (total[5].as_str(), json!(total[11])),
        ("total", json["total"]["total"].clone())
    );
    let wins = lines(&aud, "/v1/links/main/large-wins").await;
    assert_eq!(wins[1][25], "JP-T1.2-1 by sam", "{wins:?}");
    assert_eq!(
        lines(
            &aud,
            "/v1/links/main/large-wins?threshold=90000.00&tax_threshold=90000.00"
        )
        .await
        .len(),
        1
    );
    house.end().await;
}

/// A reason that would be a formula is a text, in CSV only.
#[tokio::test]
async fn no_reason_is_a_formula() {
    let house = played().await;
    let aud = house.person("aud", "auditor").await;
    let path = "/v1/links/main/alterations";
    let csv = lines(&aud, path).await;
    let last = csv.last().expect("rows");
    assert_eq!(last[14], "'=HYPERLINK(A1)");
    let json = read(&aud, path, "*/*").await;
    let last = json["alterations"].as_array().expect("a list").last();
    assert_eq!(last.expect("entries")["reason"], "=HYPERLINK(A1)");
    house.end().await;
}

/// An adopted table is in the row of its change, with what it paid by before.
#[tokio::test]
async fn an_adopted_table_has_its_columns() {
    let (house, _) = House::playing(FIVE_CARD_A, &[]).await;
    let both = house.two_people().await;
    let table = "pa-684a-four-card-bonus-a";
    let read = json!({"change": "adopt_table", "table": table, "reading": "queens-or-better", "letter": "L-7"});
    drop(both.change("main", &read).await);
    let print = json!({"change": "adopt_table", "table": table});
    drop(both.change("main", &print).await);
    let aud = house.person("aud", "auditor").await;
    let csv = lines(&aud, "/v1/links/main/alterations").await;
    let [.., first, last] = &csv[..] else {
        panic!("two changes: {csv:?}")
    };
    assert_eq!(
        first[22..],
        [table, "queens-or-better", "L-7", "95.4798%", "", ""]
    );
    assert_eq!(
        last[22..],
        [table, "", "", "76.7255%", "queens-or-better", "95.4798%"]
    );
    house.end().await;
}

/// JSON is the default, wins a tie, and errors are JSON in any case.
#[tokio::test]
async fn json_unless_csv_is_preferred() {
    let house = played().await;
    let aud = house.person("aud", "auditor").await;
    let path = "/v1/links/main/variance";
    for accept in [
        "*/*",
        "text/html,*/*;q=0.8",
        "text/csv, application/json",
        "image/png",
    ] {
        let json = read(&aud, path, accept).await;
        assert!(json["pools"].is_array(), "{accept}");
        assert_eq!(json.headers["vary"], "Accept");
    }
    let preferred = read(&aud, path, "application/json;q=0.5, text/csv").await;
    assert!(
        preferred.text.starts_with("link,batch,"),
        "{}",
        preferred.text
    );
    let headers = [("accept", "text/csv")];
    let refused = house
        .nobody()
        .send(Method::GET, path, &headers, Vec::new())
        .await;
    drop(refused.problem(401, "unauthenticated"));
    house.end().await;
}
