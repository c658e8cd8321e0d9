"""The Anarchy: the successor of Cry Havoc and Siege, an amendment of theirs with topics of its own."""
