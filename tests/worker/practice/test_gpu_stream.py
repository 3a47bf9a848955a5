"""The kernel that only moves memory: exactly the mix of bytes that it is asked for."""

from __future__ import annotations

import pytest
import torch
import triton

from triton_path.worker.practice import gpu_stream
from triton_path.worker.practice.gpu_stream import SETTINGS, mix_of, stream, streams

KB = 1024
MIXES = [
    (2 * 64 * KB, 64 * KB, (2, 1)),
    (64 * KB, 64 * KB, (1, 1)),
    (3 * 64 * KB, 64 * KB, (3, 1)),
    (3 * 64 * KB, 2 * 64 * KB, (3, 2)),
    (64 * KB, 0, (1, 0)),
    (0, 64 * KB, (0, 1)),
    (512 * KB, 64, (1, 1)),
    (64, 512 * KB, (1, 1)),
    (100 * KB, 96 * KB, (1, 1)),
]


@pytest.mark.parametrize(("read", "written", "blocks"), MIXES)
def test_bytes_are_dealt_out_in_proportion(read, written, blocks):
    mix = mix_of(read, written)
    assert (mix.reads, mix.writes) == blocks
    assert abs(mix.read_bytes - read) <= 32 * max(mix.reads, 1)
    assert abs(mix.written_bytes - written) <= 32 * max(mix.writes, 1)
    assert mix.read_words % 16 == mix.written_words % 16 == 0


def test_no_mix_is_far_from_what_was_asked_for():
    for read in range(64 * KB, 1024 * KB, 7 * KB):
        for written in (64 * KB, 300 * KB):
            mix = mix_of(read, written)
            assert mix.read_bytes == pytest.approx(read, abs=32 * mix.reads)
            assert mix.written_bytes == pytest.approx(written, abs=32 * mix.writes)
            assert mix.reads + mix.writes <= gpu_stream.MOST_BLOCKS


@pytest.mark.parametrize(("read", "written", "blocks"), MIXES)
def test_each_word_is_read_once_and_written_once(read, written, blocks, device):
    if device != "cpu":
        pytest.skip("the watch counts in the interpreter, which needs a machine without a GPU")
    from triton_path.worker.watch import WatchOptions, watch

    mix = mix_of(read, written)
    source = torch.ones(max(1, mix.reads * mix.read_words), dtype=torch.int32)
    target = torch.zeros(max(1, mix.writes * mix.written_words), dtype=torch.int32)
    sink = torch.zeros(1024, dtype=torch.int32)
    grid = (triton.cdiv(max(mix.read_words, mix.written_words), 1024),)
    with watch(WatchOptions.everything()) as watched:
        stream[grid](
            source, target, sink, mix.read_words, mix.written_words, 0x7A7A7A7A,
            READS=mix.reads, WRITES=mix.writes, BLOCK=1024,
        )  # fmt: skip
    assert [fault.sentence for fault in watched.report.faults] == []
    by_name = {argument.name: argument for argument in watched.report.launches[0].arguments}
    moved = by_name["source_ptr"]
    assert moved.loaded_bytes == moved.unique_loaded_bytes == mix.read_bytes
    filled = by_name["target_ptr"]
    assert filled.stored_bytes == filled.unique_stored_bytes == mix.written_bytes
    assert by_name["sink_ptr"].stored_bytes == 0


def test_every_setting_runs(device):
    every = streams(8 * KB, 4 * KB, device)
    assert len(every) == len(SETTINGS)
    for run in every.values():
        run()
