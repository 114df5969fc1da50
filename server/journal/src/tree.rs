//! The hash tree over a chain: RFC 9162 §2.1, by which a short proof ties one batch, or an older tree, to a root.
//!
//! # Shape
//! Leaf n - 1 is the chain hash of batch n. A node covers the 2^level leaves from position × 2^level on. [`Peaks`] adds
//! leaves and knows the root. [`inclusion_spans`] and [`consistency_spans`] name the leaves under each hash of a proof;
//! [`verify_inclusion`] and [`verify_consistency`] check one.
//!
//! # Bounds
//! A proof has at most [`PATH_MAX`] hashes.

use core::fmt;

use sha2::{Digest as _, Sha256};

use crate::batch::{ChainHash, HASH_BYTES};

/// Maximum number of hashes in a proof: a tree has at most 2^63 leaves, and a proof one hash a level and one more.
pub const PATH_MAX: usize = 64;
/// First byte of a leaf's input.
const LEAF: u8 = 0;
/// First byte of an inner node's input.
const NODE: u8 = 1;

/// The hash of a leaf, a node or a whole tree.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct TreeHash(pub [u8; HASH_BYTES]);

impl TreeHash {
    /// Returns the hash of a tree without leaves.
    pub fn empty() -> Self {
        Self(Sha256::digest([]).into())
    }

    /// Returns the leaf of a batch.
    pub fn leaf(chain_hash: ChainHash) -> Self {
        let hasher = Sha256::new_with_prefix([LEAF]).chain_update(chain_hash.0);
        Self(hasher.finalize().into())
    }

    /// Returns the node over two others.
    pub fn node(left: Self, right: Self) -> Self {
        let hasher = Sha256::new_with_prefix([NODE]).chain_update(left.0);
        Self(hasher.chain_update(right.0).finalize().into())
    }
}

impl fmt::Display for TreeHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for TreeHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// The place of a node with 2^level leaves.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodePlace {
    /// Height above the leaves.
    pub level: u8,
    /// Number of such nodes before it.
    pub position: u64,
}

impl NodePlace {
    /// Returns the leaves under the node.
    pub fn span(self) -> Span {
        let from = self.position << self.level;
        Span {
            from,
            to: from + (1 << self.level),
        }
    }
}

/// A range of leaves, from the first one to behind the last one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Index of the first leaf.
    pub from: u64,
    /// Index behind the last leaf.
    pub to: u64,
}

impl Span {
    /// Returns the nodes whose hashes give the span's hash by [`fold`], from the largest to the smallest. The span has to
    /// begin at a multiple of its largest node, as every span of a proof does.
    pub fn nodes(self) -> Vec<NodePlace> {
        let mut nodes = Vec::new();
        let mut from = self.from;
        while from < self.to {
            let level = (self.to - from).ilog2();
            nodes.push(NodePlace {
                level: u8::try_from(level).unwrap_or(u8::MAX),
                position: from >> level,
            });
            from += 1 << level;
        }
        nodes
    }

    const fn len(self) -> u64 {
        self.to - self.from
    }

    /// Returns the two children of a span with at least two leaves.
    fn halves(self) -> (Self, Self) {
        // The largest power of two below the length.
        let middle = self.from + (1 << (self.len() - 1).ilog2());
        let (from, to) = (self.from, self.to);
        (Self { from, to: middle }, Self { from: middle, to })
    }
}

/// Returns the hash over the nodes of a span, from the largest to the smallest.
pub fn fold(nodes: &[TreeHash]) -> TreeHash {
    let right = nodes.iter().rev().copied();
    right
        .reduce(|right, left| TreeHash::node(left, right))
        .unwrap_or_else(TreeHash::empty)
}

/// A growing tree: its complete nodes from the largest to the smallest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Peaks {
    size: u64,
    nodes: Vec<TreeHash>,
}

impl Peaks {
    /// Returns the tree of a size with these hashes of [`Span::nodes`]. `None` if the number of hashes is another one.
    pub fn new(size: u64, nodes: Vec<TreeHash>) -> Option<Self> {
        let expected = usize::try_from(size.count_ones()).ok()?;
        (nodes.len() == expected).then_some(Self { size, nodes })
    }

    /// Returns the number of leaves.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Returns the complete nodes, from the largest to the smallest.
    pub fn nodes(&self) -> &[TreeHash] {
        &self.nodes
    }

    /// Returns the hash of the tree.
    pub fn root(&self) -> TreeHash {
        fold(&self.nodes)
    }

    /// Adds a leaf, and tells each node that it completes.
    pub fn push(&mut self, chain_hash: ChainHash, mut completed: impl FnMut(NodePlace, TreeHash)) {
        let mut node = TreeHash::leaf(chain_hash);
        let mut place = NodePlace {
            level: 0,
            position: self.size,
        };
        completed(place, node);
        while place.position % 2 == 1 {
            let Some(left) = self.nodes.pop() else { break };
            node = TreeHash::node(left, node);
            place = NodePlace {
                level: place.level + 1,
                position: place.position / 2,
            };
            completed(place, node);
        }
        self.nodes.push(node);
        self.size += 1;
    }
}

/// Returns the spans under the hashes of an inclusion proof, in their order: RFC 9162 §2.1.3.1. `None` if the tree has
/// no such leaf.
pub fn inclusion_spans(index: u64, size: u64) -> Option<Vec<Span>> {
    if index >= size {
        return None;
    }
    let mut spans = Vec::new();
    let mut span = Span { from: 0, to: size };
    while span.len() > 1 {
        let (left, right) = span.halves();
        let (inside, beside) = if index < left.to {
            (left, right)
        } else {
            (right, left)
        };
        spans.push(beside);
        span = inside;
    }
    spans.reverse();
    Some(spans)
}

/// Returns the spans under the hashes of a consistency proof, in their order: RFC 9162 §2.1.4.1. Empty between equal
/// trees, `None` if the older tree is empty or larger than the newer one.
pub fn consistency_spans(older: u64, newer: u64) -> Option<Vec<Span>> {
    if older == 0 || older > newer {
        return None;
    }
    let mut spans = Vec::new();
    let mut span = Span { from: 0, to: newer };
    while span.to != older {
        let (left, right) = span.halves();
        if older <= left.to {
            spans.push(right);
            span = left;
        } else {
            spans.push(left);
            span = right;
        }
    }
    // The verifier knows the older root, and so the older tree if it is one node of the newer one.
    if span.from != 0 {
        spans.push(span);
    }
    spans.reverse();
    Some(spans)
}

/// Checks that a tree of a size and root has this leaf: RFC 9162 §2.1.3.2.
pub fn verify_inclusion(
    leaf: ChainHash,
    index: u64,
    size: u64,
    path: &[TreeHash],
    root: TreeHash,
) -> bool {
    if index >= size {
        return false;
    }
    let (mut node, mut last) = (index, size - 1);
    let mut hash = TreeHash::leaf(leaf);
    for beside in path {
        if last == 0 {
            return false;
        }
        if node % 2 == 1 || node == last {
            hash = TreeHash::node(*beside, hash);
            while node % 2 == 0 && node != 0 {
                (node, last) = (node / 2, last / 2);
            }
        } else {
            hash = TreeHash::node(hash, *beside);
        }
        (node, last) = (node / 2, last / 2);
    }
    last == 0 && hash == root
}

/// Checks that an older tree is the beginning of a newer one: RFC 9162 §2.1.4.2.
pub fn verify_consistency(
    older: (u64, TreeHash),
    newer: (u64, TreeHash),
    path: &[TreeHash],
) -> bool {
    let ((older_size, older_root), (newer_size, newer_root)) = (older, newer);
    if older_size == newer_size {
        return path.is_empty() && older_root == newer_root;
    }
    if older_size == 0 || older_size > newer_size {
        return false;
    }
    let mut hashes = path.iter().copied();
    let first = if older_size.is_power_of_two() {
        Some(older_root)
    } else {
        hashes.next()
    };
    let Some(first) = first else { return false };
    let (mut node, mut last) = (older_size - 1, newer_size - 1);
    let steps = node.trailing_ones();
    (node, last) = (node >> steps, last >> steps);
    let (mut of_older, mut of_newer) = (first, first);
    for beside in hashes {
        if last == 0 {
            return false;
        }
        if node % 2 == 1 || node == last {
            of_older = TreeHash::node(beside, of_older);
            of_newer = TreeHash::node(beside, of_newer);
            while node % 2 == 0 && node != 0 {
                (node, last) = (node / 2, last / 2);
            }
        } else {
            of_newer = TreeHash::node(of_newer, beside);
        }
        (node, last) = (node / 2, last / 2);
    }
    last == 0 && of_older == older_root && of_newer == newer_root
}
