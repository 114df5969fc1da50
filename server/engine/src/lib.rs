//! Meterhouse: engine.
