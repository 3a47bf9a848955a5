"""The kernels that the watch's speed is measured with: softmax, matmul, attention."""

# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
from __future__ import annotations

import torch
import triton
import triton.language as tl


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    inside = lanes < columns
    values = tl.load(x + row * columns + lanes, mask=inside, other=-float("inf"))
    values = values - tl.max(values, axis=0)
    weights = tl.exp(values)
    total = tl.sum(weights, axis=0)
    tl.store(out + row * columns + lanes, weights / total, mask=inside)


@triton.jit
def matmul(a, b, c, m, n, k, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inner = tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, k, TILE):
        steps = start + inner
        left = tl.load(
            a + rows[:, None] * k + steps[None, :],
            mask=(rows[:, None] < m) & (steps[None, :] < k),
            other=0.0,
        )
        right = tl.load(
            b + steps[:, None] * n + columns[None, :],
            mask=(steps[:, None] < k) & (columns[None, :] < n),
            other=0.0,
        )
        total = tl.dot(left, right, total)
    tl.store(
        c + rows[:, None] * n + columns[None, :],
        total,
        mask=(rows[:, None] < m) & (columns[None, :] < n),
    )


@triton.jit
def attention(q, k, v, out, scale, length, WIDTH: tl.constexpr, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    width = tl.arange(0, WIDTH)
    inside = rows[:, None] < length
    queries = tl.load(q + rows[:, None] * WIDTH + width[None, :], mask=inside, other=0.0)
    best = tl.full((TILE,), -float("inf"), tl.float32)
    norm = tl.zeros((TILE,), tl.float32)
    total = tl.zeros((TILE, WIDTH), tl.float32)
    for start in range(0, length, TILE):
        others = start + tl.arange(0, TILE)
        there = others[:, None] < length
        keys = tl.load(k + others[:, None] * WIDTH + width[None, :], mask=there, other=0.0)
        scores = tl.dot(queries, tl.trans(keys)) * scale
        scores = tl.where(others[None, :] < length, scores, -float("inf"))
        new_best = tl.maximum(best, tl.max(scores, 1))
        weights = tl.exp(scores - new_best[:, None])
        shrink = tl.exp(best - new_best)
        norm = norm * shrink + tl.sum(weights, 1)
        total = total * shrink[:, None]
        values = tl.load(v + others[:, None] * WIDTH + width[None, :], mask=there, other=0.0)
        total = tl.dot(weights, values, total)
        best = new_best
    tl.store(out + rows[:, None] * WIDTH + width[None, :], total / norm[:, None], mask=inside)


def _softmax() -> None:
    x, out = torch.ones(200, 1024), torch.zeros(200, 1024)
    softmax[(200,)](x, out, 1024, BLOCK=1024)


def _matmul() -> None:
    a, b, c = torch.ones(128, 128), torch.ones(128, 128), torch.zeros(128, 128)
    matmul[(4, 4)](a, b, c, 128, 128, 128, TILE=32)


def _attention() -> None:
    q, out = torch.ones(256, 64), torch.zeros(256, 64)
    attention[(4,)](q, q, q, out, 0.125, 256, WIDTH=64, TILE=64)


CASES = {
    "softmax 200 x 1024": _softmax,
    "matmul 128^3, tiles of 32": _matmul,
    "attention 256 x 64": _attention,
}
