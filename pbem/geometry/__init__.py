"""Hexes, lines of sight and cheapest paths, in whole numbers."""
