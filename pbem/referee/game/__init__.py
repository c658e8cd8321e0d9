"""A game as use cases see it: opened, replayed, sealed; scenarios and rulebooks."""
