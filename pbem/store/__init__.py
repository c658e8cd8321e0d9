"""Files: the only room that writes to a disk."""
