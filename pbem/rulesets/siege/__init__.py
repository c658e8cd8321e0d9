"""Cry Havoc and Siege: one system of medieval man-to-man fights on hexes (S0a)."""
