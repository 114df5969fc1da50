//! The hash tree: roots by the recursive definition of RFC 9162, every proof of small trees, and every changed proof
//! refused.

use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::tree::{
    NodePlace, Peaks, Span, TreeHash, consistency_spans, fold, inclusion_spans, verify_consistency,
    verify_inclusion,
};
use sha2::{Digest, Sha256};

/// Sizes of trees that are checked completely.
const SIZES: u64 = 40;

fn leaf(index: u64) -> ChainHash {
    ChainHash(Sha256::digest(index.to_be_bytes()).into())
}

/// The root by the definition of RFC 9162 §2.1.1, written here again.
fn root(leaves: &[ChainHash]) -> TreeHash {
    match leaves {
        [] => TreeHash(Sha256::digest([]).into()),
        [one] => {
            let mut input = vec![0];
            input.extend(one.0);
            TreeHash(Sha256::digest(input).into())
        }
        many => {
            let mut half = 1;
            while half * 2 < many.len() {
                half *= 2;
            }
            let mut input = vec![1];
            input.extend(root(&many[..half]).0);
            input.extend(root(&many[half..]).0);
            TreeHash(Sha256::digest(input).into())
        }
    }
}

fn leaves(size: u64) -> Vec<ChainHash> {
    (0..size).map(leaf).collect()
}

fn root_of(size: u64) -> TreeHash {
    root(&leaves(size))
}

/// The hash of a span, over the hashes of its nodes.
fn hash_of(span: Span) -> TreeHash {
    let of = |place: NodePlace| {
        let Span { from, to } = place.span();
        root(&(from..to).map(leaf).collect::<Vec<_>>())
    };
    fold(&span.nodes().into_iter().map(of).collect::<Vec<_>>())
}

fn path(spans: Vec<Span>) -> Vec<TreeHash> {
    spans.into_iter().map(hash_of).collect()
}

#[test]
fn a_growing_tree_has_the_root_of_its_definition() {
    let mut peaks = Peaks::default();
    for size in 0..SIZES {
        assert_eq!(peaks.root(), root_of(size), "{size}");
        let nodes = Span { from: 0, to: size }.nodes();
        let hashes: Vec<TreeHash> = nodes.iter().map(|place| hash_of(place.span())).collect();
        assert_eq!(Peaks::new(size, hashes), Some(peaks.clone()));
        peaks.push(leaf(size), |place, hash| {
            assert_eq!(hash, hash_of(place.span()), "{place:?}");
        });
    }
    assert_eq!(Peaks::new(3, vec![]), None);
}

#[test]
fn every_leaf_of_every_small_tree_is_proven() {
    for size in 1..SIZES {
        for index in 0..size {
            let path = path(inclusion_spans(index, size).unwrap());
            let holds = |leaf, index, size, path: &[TreeHash]| {
                verify_inclusion(leaf, index, size, path, root_of(size))
            };
            assert!(holds(leaf(index), index, size, &path), "{index} of {size}");
            assert!(!holds(leaf(index + 1), index, size, &path));
            for other in 0..size {
                assert_eq!(holds(leaf(index), other, size, &path), other == index);
            }
            let mut longer = path.clone();
            longer.push(leaf_hash());
            assert!(!holds(leaf(index), index, size, &longer));
            if let Some((_, shorter)) = path.split_last() {
                assert!(!holds(leaf(index), index, size, shorter));
            }
        }
        assert_eq!(inclusion_spans(size, size), None);
    }
}

#[test]
fn every_older_tree_is_the_beginning_of_every_newer_one() {
    for newer in 1..SIZES {
        for older in 1..=newer {
            let path = path(consistency_spans(older, newer).unwrap());
            let holds = |older, newer, path: &[TreeHash]| {
                verify_consistency((older, root_of(older)), (newer, root_of(newer)), path)
            };
            assert!(holds(older, newer, &path), "{older} in {newer}");
            let another = TreeHash::leaf(leaf(99));
            for (old, new) in [(another, root_of(newer)), (root_of(older), another)] {
                assert!(!verify_consistency((older, old), (newer, new), &path));
            }
            for place in 0..path.len() {
                let mut changed = path.clone();
                changed[place] = another;
                assert!(
                    !holds(older, newer, &changed),
                    "{older} in {newer}, {place}"
                );
            }
            let mut longer = path.clone();
            longer.push(leaf_hash());
            assert!(!holds(older, newer, &longer));
            if let Some((_, shorter)) = path.split_last() {
                assert!(!holds(older, newer, shorter));
            }
        }
        assert_eq!(consistency_spans(newer + 1, newer), None);
        assert_eq!(consistency_spans(0, newer), None);
    }
}

/// A forged history: other leaves from one place on. No proof leads from the older tree to the forged one.
#[test]
fn a_fork_has_no_proof() {
    for (older, newer) in [(5_u64, 9_u64), (8, 13), (1, 2), (7, 8)] {
        let mut forged = leaves(newer);
        forged[usize::try_from(older).unwrap() - 1] = leaf(1_000);
        let spans = consistency_spans(older, newer).unwrap();
        let of_forged = |span: Span| {
            let (from, to) = (usize::try_from(span.from), usize::try_from(span.to));
            root(&forged[from.unwrap()..to.unwrap()])
        };
        let path: Vec<TreeHash> = spans.into_iter().map(of_forged).collect();
        let newer = (newer, root(&forged));
        assert!(!verify_consistency((older, root_of(older)), newer, &path));
    }
}

fn leaf_hash() -> TreeHash {
    TreeHash::leaf(leaf(7))
}
