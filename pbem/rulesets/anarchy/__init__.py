"""The Anarchy: the siege game of the later family, an amendment of Siege."""
