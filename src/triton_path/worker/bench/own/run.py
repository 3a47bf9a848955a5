"""The job itself: a person's file, benched as the chains of the course are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import BenchJob, Case, Verification, Verified
from triton_path.jobs.bench_file import FileAnswer, FileTrouble
from triton_path.jobs.messages import Progress
from triton_path.worker.bench.chain import tensors_of
from triton_path.worker.bench.checking import expected_of, judge, observe
from triton_path.worker.bench.describing import shape_of
from triton_path.worker.bench.own.chain import arguments_for_counting, chain_of, counts_on_meta
from triton_path.worker.bench.own.loading import WrongFile, draw, load

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.bench import BenchReport, DType
    from triton_path.jobs.bench_file import FileJob, FileVerifyJob
    from triton_path.jobs.messages import Message
    from triton_path.worker.bench.chain import Tensors
    from triton_path.worker.bench.own.loading import OwnFile

SMALL_ELEMENTS = 1 << 18
"""Most that the interpreter is given; it takes a minute for some millions."""
DTYPES: dict[torch.dtype, DType] = {
    torch.bfloat16: "bfloat16",
    torch.float16: "float16",
    torch.float32: "float32",
}
SEED = 20
TOO_LARGE = "The chain does not fit into the memory of this GPU."
SMALLER = "smaller tensors in inputs()"


def bench_file(job: FileJob, send: Callable[[Message], None]) -> FileAnswer:
    """Bench the chain of a file, or return what the person has to mend."""
    try:
        own = load(Path(job.path))
        return FileAnswer(report=_bench(own, send), candidates=tuple(own.candidates))
    except WrongFile as wrong:
        return FileAnswer(trouble=wrong.trouble)
    except torch.OutOfMemoryError:
        return FileAnswer(trouble=FileTrouble(message=TOO_LARGE, mend=SMALLER))


def _bench(own: OwnFile, send: Callable[[Message], None]) -> BenchReport:
    from triton_path.worker.bench.device import gpu_here
    from triton_path.worker.bench.run import report_on

    # In this process: starting a pool of compilers takes longer than one chain does.
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    on_gpu = gpu_here()
    arguments = draw(own, own.inputs, "cuda") if on_gpu else arguments_for_counting(own)
    counts_on_meta(own, arguments)
    chain = chain_of(own, arguments)
    case = Case(dtype=dtype_of(arguments), dropout=0.0)
    shape = shape_of(arguments)
    job = BenchJob(bench=chain.name, case=case, shapes=(shape,))
    report = report_on(chain, case, (shape,), send, lambda *_: arguments, job, measure_cpu=False)
    return report.model_copy(update={"own_file": str(own.path)})


def dtype_of(arguments: Tensors) -> DType:
    """Return the dtype of the largest tensor of floating point numbers."""
    tensors = sorted(tensors_of(arguments).values(), key=torch.Tensor.numel, reverse=True)
    return next((DTYPES[it.dtype] for it in tensors if it.dtype in DTYPES), "float32")


def verify_file(job: FileVerifyJob, send: Callable[[Message], None]) -> FileAnswer:
    """Check the candidates of a file in the interpreter, on arguments that are small enough."""
    try:
        own = load(Path(job.path))
        function = own.small_inputs or own.inputs
        if own.small_inputs is None and _elements(arguments_for_counting(own)) > SMALL_ELEMENTS:
            note = (
                "The candidates were not checked here: the interpreter needs small tensors. Add "
                "`def small_inputs(device)` to the file."
            )
            return FileAnswer(notes=(note,))
        arguments = draw(own, function, "cpu")
        chain = chain_of(own, arguments)
    except WrongFile as wrong:
        return FileAnswer(trouble=wrong.trouble)
    expected = expected_of(chain, arguments)
    eager = observe(chain.eager, chain, arguments, expected, seed=SEED)
    cases = []
    for done, provider in enumerate(chain.others):
        text = f"interpreter: {provider.name}"
        send(Progress(text=text, done=done, total=len(chain.others)))
        try:
            seen = observe(provider, chain, arguments, expected, seed=SEED)
        except Exception as fault:
            line = (str(fault).splitlines() or [""])[0]
            seen = type(eager)(faults=[f"It raised {type(fault).__name__}: {line}"])
        shape = shape_of(arguments)
        cases.append(
            Verified(
                name=provider.name,
                shape=shape,
                dtype=dtype_of(arguments),
                strided=False,
                check=judge(seen, eager),
            )
        )
    return FileAnswer(verification=Verification(cases=tuple(cases)))


def _elements(arguments: Tensors) -> int:
    return sum(tensor.numel() for tensor in tensors_of(arguments).values())
