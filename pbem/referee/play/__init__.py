"""Whole games: the demo, recorded examples, bots, and the one thing to do next."""
