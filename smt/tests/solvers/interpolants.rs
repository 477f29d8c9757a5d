//! Sequence interpolants.
