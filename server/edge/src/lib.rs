//! Meterhouse: edge.
