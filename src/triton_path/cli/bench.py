"""`triton-path bench`."""


def bench() -> None:
    """Placeholder until the bench arrives."""
