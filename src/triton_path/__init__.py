"""triton-path: a command-line tutor for the Triton GPU language."""

__version__ = "0.1.0"
