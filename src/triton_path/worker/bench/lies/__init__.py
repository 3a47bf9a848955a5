"""The job `bench-lies`: twelve ways in which public benches went wrong, each made to happen.

Read `registry.py` for the list, `stage.py` for how figures are taken, then any lie: a file each,
one function that returns false figures beside true ones. No figure is written down anywhere; what
a machine does not show is reported as not shown.
"""
