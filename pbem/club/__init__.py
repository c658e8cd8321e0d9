"""The game beside the battle: deadlines as pure functions of what is known.

Asks no clock and opens no file.
"""
