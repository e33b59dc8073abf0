"""Highest Takes: everybody lays a card face down; the highest takes them all, and heads are bad."""
