"""ReLU in eager PyTorch: one call; the kernel behind it is PyTorch's."""

# region: shown
import torch


def relu(x):
    return torch.relu(x)
# endregion


if __name__ == "__main__":
    x = torch.linspace(-3, 3, 1000)
    y = relu(x)
    assert torch.equal(y, x.clamp(min=0))
    print(f"relu of {x.numel()} numbers: right")
