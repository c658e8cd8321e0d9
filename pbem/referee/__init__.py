"""The use cases: check orders, resolve a turn, verify a game, draw a map. Nothing here prints."""
