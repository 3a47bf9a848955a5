"""The probes of `triton-path doctor`: each finds out by doing, and imports only what it tries."""
