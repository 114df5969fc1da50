//! Meterhouse: http.
