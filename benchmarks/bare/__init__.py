"""Denominators: what the work costs at the very least.

Each module uses only the library it is named after.
"""
