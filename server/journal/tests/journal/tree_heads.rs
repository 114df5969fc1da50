//! Signed tree heads: fixed bytes, a signature of RFC 8032, keys of other programs, and every changed bit refused.

use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::tree::TreeHash;
use meterhouse_journal::tree_head::{NotAKey, PublicKey, SignedHead, SigningKey, TreeHead};

/// RFC 8032, section 7.1, test 1: the empty message.
const RFC_SECRET: &str = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
const RFC_PUBLIC: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
const RFC_SIGNATURE: &str = "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";

fn array<const N: usize>(text: &str) -> [u8; N] {
    hex::decode(text).unwrap().try_into().unwrap()
}

fn key() -> SigningKey {
    SigningKey::new(&array(RFC_SECRET))
}

fn head() -> TreeHead {
    TreeHead {
        identity: array("01935a1e7c117b2a9d0e334455667788"),
        link: LinkId(1),
        name: "main".to_owned(),
        number: 3,
        previous: [0x11; 32],
        batch: 120,
        chain_hash: ChainHash([0x22; 32]),
        root: TreeHash([0x33; 32]),
        at: Timestamp(1_732_190_400_000_000),
    }
}

#[test]
fn the_bytes_of_a_head_are_fixed() {
    let expected = concat!(
        "4d48484541440d0a01",
        "01935a1e7c117b2a9d0e334455667788",
        "00000001",
        "000000046d61696e",
        "0000000000000003",
        "1111111111111111111111111111111111111111111111111111111111111111",
        "0000000000000078",
        "2222222222222222222222222222222222222222222222222222222222222222",
        "3333333333333333333333333333333333333333333333333333333333333333",
        "0006276b0179b000",
    );
    assert_eq!(hex::encode(head().bytes()), expected);
    assert_eq!(TreeHead::from_bytes(&head().bytes()), Ok(head()));
}

#[test]
fn a_key_signs_as_the_standard_prints_it() {
    let key = key();
    assert_eq!(key.public().to_string(), RFC_PUBLIC);
    let signature = key.sign(b"");
    assert_eq!(hex::encode(signature), RFC_SIGNATURE);
    assert!(key.public().verifies(b"", &signature));
    assert!(!key.public().verifies(b"a", &signature));
}

#[test]
fn no_changed_bit_of_a_signed_head_verifies() {
    let signed = key().sign_head(head());
    assert!(signed.is_signed());
    let bytes = head().bytes();
    for bit in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(!signed.key.verifies(&changed, &signed.signature), "{bit}");
        if let Ok(read) = TreeHead::from_bytes(&changed) {
            assert_eq!(read.bytes(), changed, "{bit}");
        }
    }
    for bit in 0..signed.signature.len() * 8 {
        let mut changed = signed.clone();
        changed.signature[bit / 8] ^= 1 << (bit % 8);
        assert!(!changed.is_signed(), "{bit}");
    }
    let other = SigningKey::new(&[7; 32]).public();
    assert!(
        !SignedHead {
            key: other,
            ..signed
        }
        .is_signed()
    );
}

/// A key without a secret: every signature by it would fit any message.
#[test]
fn a_key_of_small_order_signs_nothing() {
    let weak = PublicKey(array(
        "0100000000000000000000000000000000000000000000000000000000000000",
    ));
    let mut signature = [0; 64];
    signature[0] = 1;
    assert!(!weak.verifies(b"anything", &signature));
}

#[test]
fn keys_are_read_as_openssl_writes_them() {
    let pem = key().to_pem().unwrap();
    // `openssl pkey` of OpenSSL 3 prints the same text for this key.
    assert_eq!(
        pem,
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n-----END PRIVATE KEY-----\n"
    );
    assert_eq!(SigningKey::from_pem(&pem).unwrap().public(), key().public());
    let public = key().public().to_pem().unwrap();
    assert_eq!(public.parse(), Ok(key().public()));
    assert_eq!(RFC_PUBLIC.parse(), Ok(key().public()));
    for text in [
        "",
        "d75a",
        &RFC_PUBLIC.replace('d', "g"),
        "é".repeat(32).as_str(),
    ] {
        assert_eq!(text.parse::<PublicKey>(), Err(NotAKey::Public), "{text}");
    }
    for text in ["", RFC_SECRET, public.as_str()] {
        assert!(SigningKey::from_pem(text).is_err(), "{text}");
    }
}
