"""Exact answers on mini games: what a bot loses against the best response, and equilibria; see docs/exact.md."""
