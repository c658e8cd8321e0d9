"""Whether a game was honest, and mending one: verify, logs, stamps, packs."""
