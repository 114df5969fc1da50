//! Meterhouse tests.
