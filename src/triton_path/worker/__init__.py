"""The only code that imports torch, triton and numpy; it runs in a child process.

Nothing imports this package: it is reached as `python -m triton_path.worker`.
"""
