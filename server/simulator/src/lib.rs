//! Meterhouse: simulator.
