//! Helpers shared by the tests that drive the workspace from outside.
