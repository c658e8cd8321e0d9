"""What the order files of every game share: how sentences are made, what stands round them, and what is read
before a rule is asked.
"""
