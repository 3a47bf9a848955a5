"""The instrument: counting, checking and timing, for any chain of eager kernels."""
