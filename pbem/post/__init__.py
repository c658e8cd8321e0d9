"""Letters: reading those that come, writing those that go.

Pure: nothing here opens, fetches, sends or asks the time.
"""
