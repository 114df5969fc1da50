//! An export that begins in the middle of play: its state, its tree, its heads and a witness's head at its very beginning.

use meterhouse_domain::ids::Timestamp;
use meterhouse_engine::clock::now;
use meterhouse_engine::export::{Span, export};
use meterhouse_engine::verify::file::{FileReport, Known, verify_file};
use meterhouse_journal::export::ExportItem;
use meterhouse_journal::export_reader::ExportReader;
use meterhouse_journal::tree_head::{SignedHead, SigningKey};
use meterhouse_store::verify::pieces::NoArchive;
use meterhouse_tests::{Caller, Dealer, FIVE_CARD_C, House, Watch, eventually};
use serde_json::json;

/// A house that signs, with an open round and everything signed so far.
async fn with_open_round() -> (House, Dealer, Caller) {
    let house = House::watching(Watch::Close).await;
    let dealers = house.link_with(FIVE_CARD_C, &json!({}), &["T1"]).await;
    let dealer = dealers.into_iter().next().expect("one table");
    let auditor = house.person("ada", "auditor").await;
    dealer.rounds(3, &[1, 3]).await;
    drop(dealer.coin_in(&[1, 3]).await.created());
    signed(&auditor).await;
    (house, dealer, auditor)
}

async fn signed(auditor: &Caller) {
    eventually("everything is signed", async || {
        let told = auditor.get("/v1/links/main/proof").await.is(200);
        (told["head"]["batch"] == told["batch"]).then_some(())
    })
    .await;
}

async fn exported(house: &House, span: Span) -> Vec<u8> {
    let link = "main".parse().expect("a name");
    let (store, mut archive) = (&house.server.store, NoArchive);
    let written = export(store, &link, span, &mut archive, Vec::new(), "a test");
    written.await.expect("an export").0
}

fn items(bytes: &[u8]) -> Vec<ExportItem> {
    let mut file = ExportReader::open(bytes).expect("an export");
    let mut items = Vec::new();
    loop {
        match file.next_item().expect("a part") {
            ExportItem::End(_) => return items,
            item => items.push(item),
        }
    }
}

fn heads(bytes: &[u8]) -> Vec<SignedHead> {
    let heads = items(bytes).into_iter().filter_map(|item| match item {
        ExportItem::Head(signed) => Some(signed),
        _ => None,
    });
    heads.collect()
}

fn verified(bytes: &[u8], witnessed: Option<Vec<SignedHead>>) -> FileReport {
    let known = Known {
        keys: vec![SigningKey::new(&Watch::SIGNING_KEY).public()],
        witnessed,
    };
    verify_file(bytes, &known).expect("an export")
}

fn differences(report: &FileReport) -> Vec<String> {
    let of_link = report.link.iter().flat_map(|link| &link.findings);
    report.findings.iter().chain(of_link).cloned().collect()
}

const WHOLE: Span = Span {
    from: None,
    until: None,
};

/// The round that was open at the beginning is closed by a hit that was decided from the state in the file. A witness has a
/// head over exactly the batch before.
#[tokio::test]
async fn an_export_begins_within_a_round() {
    let (house, dealer, auditor) = with_open_round().await;
    let first = exported(&house, WHOLE).await;
    let begin = now();
    let royal = dealer.hit(1, "royal-flush", "As Ks Qs Js Ts").await;
    drop(royal.created());
    signed(&auditor).await;
    let later = Span {
        from: Some(begin),
        until: None,
    };
    let part = exported(&house, later).await;
    let before = items(&part).into_iter().find_map(|item| match item {
        ExportItem::Link(link) => Some(link.before),
        _ => None,
    });
    let witnessed = heads(&first);
    assert!(
        witnessed
            .iter()
            .any(|signed| Some(signed.head.batch) == before)
    );
    let report = verified(&part, Some(witnessed.clone()));
    assert_eq!(differences(&report), [""; 0]);
    assert_eq!(report.before, before.expect("a link"));
    assert!(report.agrees() && report.heads.signed_through.is_some());

    // A head of another history at the very beginning.
    let mut forged = witnessed
        .into_iter()
        .rev()
        .find(|signed| Some(signed.head.batch) == before);
    let forged = forged.as_mut().expect("a head at the beginning");
    forged.head.root.0[0] ^= 1;
    let forged = SigningKey::new(&Watch::SIGNING_KEY).sign_head(forged.head.clone());
    let found = differences(&verified(&part, Some(vec![forged])));
    assert!(
        found.len() == 1 && found[0].contains("was changed since the witness's head"),
        "{found:?}"
    );

    // Until the moment before the hit nothing is missing, and behind it is nothing.
    let until = Span {
        from: None,
        until: Some(begin),
    };
    let report = verified(&exported(&house, until).await, Some(heads(&part)));
    assert_eq!(differences(&report), [""; 0]);
    house.server.stop().await;
}

/// A file of a whole link has its first head, and a wrong key is one difference, however many heads it has.
#[tokio::test]
async fn the_first_head_is_not_left_out() {
    let (house, dealer, auditor) = with_open_round().await;
    drop(dealer.close().await.created());
    signed(&auditor).await;
    let whole = exported(&house, WHOLE).await;
    assert!(heads(&whole).len() > 3);
    let other = Known {
        keys: vec![SigningKey::new(&[9; 32]).public()],
        witnessed: None,
    };
    let found = differences(&verify_file(&whole[..], &other).expect("an export"));
    assert_eq!(found.len(), 1, "{found:?}");
    let delete = "DELETE FROM signed_head WHERE link_id = 1 AND number = 1";
    assert_eq!(house.database.tamper(delete).await, 1);
    let expected = "link main: head 2 does not follow the head before";
    assert!(house.findings().await.contains(&expected.to_owned()));
    let found = differences(&verified(&exported(&house, WHOLE).await, None));
    assert_eq!(found, [expected]);
    let nothing = Span {
        from: Some(Timestamp(now().0 + 1)),
        until: None,
    };
    let link = "main".parse().expect("a name");
    let store = &house.server.store;
    let none = export(store, &link, nothing, &mut NoArchive, Vec::new(), "a test").await;
    assert_eq!(
        none.expect_err("nothing").to_string(),
        "the link has no batch there"
    );
    house.server.stop().await;
}
