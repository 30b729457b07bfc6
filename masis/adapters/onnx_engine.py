"""Run ONNX models by ONNX Runtime: its sessions, and what they raise."""

from typing import Final

import onnxruntime as ort
from onnxruntime.capi import onnxruntime_pybind11_state as ort_errors

# The errors of onnxruntime have no common base.
ERRORS: Final = (
    ort_errors.EPFail,
    ort_errors.EngineError,
    ort_errors.Fail,
    ort_errors.InvalidArgument,
    ort_errors.InvalidGraph,
    ort_errors.InvalidProtobuf,
    ort_errors.NotImplemented,
    ort_errors.RuntimeException,
)


def session(model: bytes, threads: int) -> ort.InferenceSession:
    """Start a model's bytes on the CPU."""
    started = ort.InferenceSession(
        model,
        sess_options=_options(threads),
        providers=["CPUExecutionProvider"],
        # It would widen all eight-bit weights once and keep them: 32 MB for 1.5 ms a batch.
        disabled_optimizers=["ConstantFolding"],
    )
    # The file's bytes, kept for a change of providers, which never comes: 22 MB a model.
    started._model_bytes = b""  # noqa: SLF001 - there is no public way
    return started


def _options(threads: int) -> ort.SessionOptions:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # The arena keeps the largest batch's memory for ever, 20 to 30 MB a model, and saves no time.
    options.enable_cpu_mem_arena = False
    # Waiting threads sleep instead of spinning: on busy cores more than twice as fast (measured).
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
