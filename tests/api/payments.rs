//! Documents of payouts: each belongs to one hit.

use meterhouse_tests::{FIVE_CARD_A, House};

/// A document may cover every payout of one hit, and none of another hit: neither of the same table, nor of another link.
#[tokio::test]
async fn a_document_belongs_to_one_hit() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    let sam = house.supervisor("sam").await;
    for dealer in &dealers {
        drop(dealer.coin_in(&[1, 2]).await.created());
        drop(dealer.hit_unseen(1, "straight-flush").await.created());
    }
    for hit in ["T1.2", "T2.2"] {
        drop(sam.approve(hit).await.created());
    }
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
