"""What travels between a table and its seats, as JSON; see docs/wire.md."""
