"""Beyond one process and one machine: work that is many and pure goes to workers, the games of an office to a
queue.

``door`` is the way in for whatever is many and pure: tasks are plain values, what comes of them is kept on
disk as it comes, and workers are processes of this machine or of a Dask cluster. ``clerk`` does the round of
an office whose games are done by workers that a PostgreSQL queue feeds. What asks for a package of the extra
``scale`` is imported when it is asked for; without it everything is done here, as ever.
"""
