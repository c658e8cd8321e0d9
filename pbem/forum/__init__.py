"""Forum posts, read and written: pure functions from the bytes of a page to posts, and from a report to
posts.
"""
