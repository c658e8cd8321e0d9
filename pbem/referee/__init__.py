"""The use cases, one a module: each joins store, proof, text and a ruleset, prints nothing, and takes its
clock from outside.
"""
