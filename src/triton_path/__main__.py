"""`python -m triton_path` is the command `triton-path`."""

from triton_path.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
