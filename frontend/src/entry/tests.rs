//! Tests of entry points.
