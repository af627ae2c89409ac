"""Test replacement for the tool worker.

It runs sources without validation, so that the sandbox is the only protection.
"""

import sys

sys.path.append(sys.argv[4])

import os
import traceback

from reachy_agent_ros.tool_generation.guest import second_filter, wire


def main() -> None:
    reader, writer = (os.fdopen(int(sys.argv[1]), "rb"), os.fdopen(int(sys.argv[2]), "wb"))
    second_filter.stack(bytes.fromhex(sys.argv[3]))
    wire.write_frame(writer, {"ready": True}, wire.LARGEST_FROM_SANDBOX)
    job = wire.read_frame(reader, wire.LARGEST_FROM_HOST)
    if job == wire.HURRY:
        job = wire.read_frame(reader, wire.LARGEST_FROM_HOST)
    if job is None:
        return

    def call(verb, **arguments):
        wire.write_frame(writer, {"call": verb, "arguments": arguments}, wire.LARGEST_FROM_SANDBOX)
        reply = wire.read_frame(reader, wire.LARGEST_FROM_HOST)
        if "error" in reply:
            raise RuntimeError(reply["error"]["code"])
        return reply["value"]

    space = {"call": call, "writer": writer, "reader": reader, "wire": wire}
    try:
        exec(job["source"], space)
        end = {"result": space[job["function"]](**job["arguments"]), "log": ""}
    except BaseException as error:  # noqa: BLE001 - reports any exception of the tool
        line = traceback.extract_tb(error.__traceback__)[-1].lineno
        end = {"failed": {"type": type(error).__name__, "message": str(error), "line": line}, "log": "printed"}
    wire.write_frame(writer, end, wire.LARGEST_FROM_SANDBOX)
    writer.close()
    os._exit(0)


main()
