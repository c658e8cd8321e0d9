"""Foxes and hens: a game that somebody wrote outside pbem, with words, places, states and
files of its own.
"""
