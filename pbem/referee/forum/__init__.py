"""The same on forums."""
