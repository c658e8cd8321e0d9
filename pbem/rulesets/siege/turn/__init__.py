"""When: the sequence of play, days of a siege, nerves, healing, work that takes several turns, and how a game
ends.
"""
