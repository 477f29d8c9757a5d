//! Tests of linking.
