"""The bench of a person's own chain: a Python file with `inputs`, `eager` and candidates."""
