"""Fuzz targets with errors, for tests of the fuzzer."""

import os
import random
import signal

from reachy_agent_ros.core.errors import AgentError, ErrorCode


class Unsound:
    """Fuzz target with errors for four of eight inputs: it crashes, raises an error, hangs, or rejects the input."""

    def case(self, chance: random.Random) -> bytes:
        return str(chance.randrange(8)).encode()

    def take(self, data: bytes) -> None:
        match int(data):
            case 0:
                os.kill(os.getpid(), signal.SIGSEGV)
            case 1:
                raise KeyError("it is not there")
            case 2:
                while True:
                    pass
            case 3:
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, "That is wrong.")
