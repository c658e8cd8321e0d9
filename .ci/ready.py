"""Says in plain words what a machine lacks before anything is installed; plain Python of any age, so that it
can say it there.
"""

import sys


def main():
    missing = []
    if sys.version_info < (3, 11):
        found = "{}.{}".format(*sys.version_info)
        missing.append("Python 3.11 or later (this is {}); name another with: make PYTHON=python3.12 …".format(found))
    try:
        import venv  # noqa: F401
        import ensurepip  # noqa: F401
    except ImportError:
        missing.append("the modules venv and ensurepip (Debian and Ubuntu: the package python3-venv)")
    for line in missing:
        sys.stderr.write("pbem needs {}\n".format(line))
    return 1 if missing else 0


sys.exit(main())
