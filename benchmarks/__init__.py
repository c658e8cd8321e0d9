"""Benchmarks: ratios against the bare cost of the libraries that do the unavoidable part of the work.

See README.md.
"""
