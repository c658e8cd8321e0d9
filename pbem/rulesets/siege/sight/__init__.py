"""Who sees and hits whom: lines of fire and cover."""
