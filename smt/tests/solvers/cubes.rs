//! Implied cubes and all-sat against brute force.
