"""How an office is set up, and when something is due."""
