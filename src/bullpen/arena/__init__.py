"""Many games, and what they show: simulation, statistics and plots."""
