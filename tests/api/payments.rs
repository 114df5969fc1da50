//! Documents of payouts: each belongs to one hit.

use futures_util::future::join;
use meterhouse_tests::{FIVE_CARD_A, House, Supervisor};

/// Returns a house with the approved hits T1.2 and T2.2.
async fn two_approved_hits() -> (House, Supervisor) {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    let sam = house.supervisor("sam").await;
    for dealer in &dealers {
        drop(dealer.coin_in(&[1, 2]).await.created());
        drop(dealer.hit_unseen(1, "straight-flush").await.created());
        drop(sam.approve(&dealer.named(2)).await.created());
    }
    (house, sam)
}

/// A document may cover every payout of one hit, and none of another hit: neither of the same table, nor of another link.
#[tokio::test]
async fn a_document_belongs_to_one_hit() {
    let (house, sam) = two_approved_hits().await;
    drop(sam.pay("T1.2", 1, "JP-1").await.created());
    assert!(sam.pay("T1.2", 1, "JP-1").await.is(200).replayed());
    let refused = sam.pay("T2.2", 1, "JP-1").await;
    let refused = refused.problem(409, "document_used");
    assert_eq!(refused["fields"]["hit"], "T1.2");
    // The other number is good, and only the exact number counts.
    drop(sam.pay("T2.2", 1, "JP-1/B").await.created());
    let refused = sam.pay("T1.2", 1, "JP-1/B").await;
    drop(refused.problem(409, "document_used"));
    house.end().await;
}

/// Two cages enter one number in the same moment, each on a node of its own, for payouts of two hits: one of them is refused.
#[tokio::test]
async fn one_number_in_the_same_moment() {
    let names = [
        "T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10", "T11", "T12",
    ];
    let (house, dealers) = House::playing(FIVE_CARD_A, &names).await;
    let other_node = house.another_server().await;
    let sam = house.supervisor("sam").await;
    let kim = house.supervisor("kim").await;
    let kim = Supervisor {
        caller: kim.caller.at(other_node.base()),
    };
    for dealer in &dealers {
        drop(dealer.coin_in(&[1, 2]).await.created());
        drop(dealer.hit_unseen(1, "straight-flush").await.created());
        drop(sam.approve(&dealer.named(2)).await.created());
    }
    for (number, both) in dealers.chunks_exact(2).enumerate() {
        let (first, second) = (both[0].named(2), both[1].named(2));
        let document = format!("JP-{number}");
        let (one, two) = join(
            sam.pay(&first, 1, &document),
            kim.pay(&second, 1, &document),
        )
        .await;
        let mut codes = [one.status, two.status];
        codes.sort_unstable();
        assert_eq!(codes, [201, 409], "{document}: {} {}", one.text, two.text);
        let (refused, paid, of_refused) = match one.status {
            409 => (one, &second, &first),
            _ => (two, &first, &second),
        };
        let refused = refused.problem(409, "document_used");
        assert_eq!(refused["fields"]["hit"], paid.as_str());
        drop(
            sam.pay(of_refused, 1, &format!("{document}/B"))
                .await
                .created(),
        );
    }
    let left = house.database.rows("SELECT 1 FROM document_claim").await;
    assert!(left.is_empty(), "each claim ends with its payment");
    house.end().await;
}

/// A payment that is refused leaves its number free.
#[tokio::test]
async fn a_refused_payment_leaves_the_number() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    let sam = house.supervisor("sam").await;
    for dealer in &dealers {
        drop(dealer.coin_in(&[1, 2]).await.created());
        drop(dealer.hit_unseen(1, "straight-flush").await.created());
    }
    drop(sam.approve("T2.2").await.created());
    drop(
        sam.pay("T1.2", 1, "JP-1")
            .await
            .problem(422, "hit_not_pending"),
    );
    drop(sam.pay("T2.2", 1, "JP-1").await.created());
    house.end().await;
}

/// A node that died while it recorded a payment leaves its claim: the number is kept from other hits for a minute.
#[tokio::test]
async fn a_dead_node_keeps_a_number_for_a_minute() {
    let (house, sam) = two_approved_hits().await;
    let left = "INSERT INTO document_claim (document, link_id, table_no, sequence, hit_number, at)
        SELECT 'JP-1', h.link_id, h.table_no, h.sequence, h.number, clock_timestamp() FROM hit AS h
        JOIN game_table AS t USING (link_id, table_no) WHERE t.name = 'T1'";
    assert_eq!(house.database.tamper(left).await, 1);
    let refused = sam.pay("T2.2", 1, "JP-1").await;
    let refused = refused.problem(409, "document_used");
    assert_eq!(refused["fields"]["hit"], "T1.2");
    let later = "UPDATE document_claim SET at = at - interval '61 s'";
    assert_eq!(house.database.tamper(later).await, 1);
    drop(sam.pay("T2.2", 1, "JP-1").await.created());
    house.end().await;
}
