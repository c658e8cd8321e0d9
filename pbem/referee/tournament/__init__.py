"""Tournaments, from entries to the last table: what joins their records to games and letters."""
