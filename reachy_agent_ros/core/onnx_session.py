"""ONNX Runtime on one thread, and the errors that it raises for a network."""

from __future__ import annotations

import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as errors

ONNX_ERRORS = (
    *(errors.Fail, errors.InvalidArgument, errors.InvalidGraph, errors.InvalidProtobuf, errors.NoModel),
    *(errors.NoSuchFile, errors.NotImplemented, errors.RuntimeException, UnicodeDecodeError),
)
"""Errors of ONNX Runtime for a network that cannot be loaded or run. The last one is for a name that is not UTF-8."""

ERROR, FATAL = 3, 4
"""Least severity of the messages that ONNX Runtime writes to standard error."""


def onnx_session(
    network: str | bytes, *, log_severity: int | None = None, reuse_memory: bool = True
) -> onnxruntime.InferenceSession:
    """Loads a network that runs in the thread of its caller alone.

    Threads of ONNX Runtime spin while they wait. On a busy machine several take longer than one, and the motion loop
    waits for its core.

    Args:
        network: Path of the file, or its content.
        log_severity: `ERROR` or `FATAL`; None for the default of ONNX Runtime, which also writes warnings.
        reuse_memory: Whether to plan which tensors can share memory, which takes time that grows with the square of
            the number of nodes.

    Raises:
        Exception: One of `ONNX_ERRORS`: the network cannot be loaded.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    if log_severity is not None:
        options.log_severity_level = log_severity
    options.enable_mem_reuse = reuse_memory
    return onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
