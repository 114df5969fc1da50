//! Meterhouse: web.
