"""The games in a terminal: tables drawn in it, moves typed into it."""
