"""The kernels of the benches, each beside the PyTorch that it replaces."""
