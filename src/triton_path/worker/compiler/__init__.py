"""Compiles a kernel for a GPU that is not here, and counts what came out."""
