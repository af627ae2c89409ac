"""Single-threaded ONNX Runtime sessions, and the errors of ONNX Runtime."""

from __future__ import annotations

import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as errors

ONNX_ERRORS = (
    *(errors.Fail, errors.InvalidArgument, errors.InvalidGraph, errors.InvalidProtobuf, errors.NoModel),
    *(errors.NoSuchFile, errors.NotImplemented, errors.RuntimeException, UnicodeDecodeError),
)
"""Errors of ONNX Runtime for a network that cannot be loaded or run. A non-UTF-8 name raises `UnicodeDecodeError`."""

ERROR, FATAL = 3, 4
"""Minimum severity of the messages that ONNX Runtime writes to standard error."""


def onnx_session(
    network: str | bytes, *, log_severity: int | None = None, reuse_memory: bool = True
) -> onnxruntime.InferenceSession:
    """Loads a network that uses no threads other than the calling thread.

    Idle threads of ONNX Runtime spin. On a busy machine, several threads are slower than one and delay the motion loop.


    Args:
        network: Path or content of the file.
        log_severity: `ERROR` or `FATAL`; None for the default of ONNX Runtime, which also writes warnings.
        reuse_memory: Whether to plan which tensors share memory. The planning time grows with the square of the number
            of nodes.


    Raises:
        Exception: One of `ONNX_ERRORS` if the network cannot be loaded.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    if log_severity is not None:
        options.log_severity_level = log_severity
    options.enable_mem_reuse = reuse_memory
    return onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
