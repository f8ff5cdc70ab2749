"""What the server costs beside the official SDK's servers doing the same job: ``make bench``.

Every part is a process of its own: the stub of a tenant (``upstream``), the callers (``load``) and the
servers (``peers``), so that the processor time of each can be told apart. ``measures`` says what is
measured, ``tables`` how it is printed, ``docs/benchmarks.md`` what it means.
"""
