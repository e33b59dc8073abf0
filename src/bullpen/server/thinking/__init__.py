"""Bots and the coach think in processes of their own, with limits of time and memory."""
