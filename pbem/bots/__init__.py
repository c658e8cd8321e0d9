"""Players made of rules: each is a pure function from a state to an order file, and sees no more than a
player does.
"""
