"""Well-behaved MCP server over standard input and output, or over HTTP if a port is given."""

import asyncio
import base64
import os
import subprocess
import sys
from pathlib import Path

from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError

PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="

server = MCPServer("honest")


def note(notes: str, text: str) -> None:
    Path(notes).write_text(text)


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


@server.tool()
async def wait(notes: str) -> str:
    """Waits until it is cancelled, and records its state in a file."""
    note(notes, "waiting")
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        note(notes, "cancelled")
        raise
    return "done"


@server.tool()
def write(characters: int) -> str:
    """Returns a text of about the given length."""
    return "word " * (characters // 5)


@server.tool()
def draw() -> Image:
    """Returns an image of one pixel."""
    return Image(data=base64.b64decode(PICTURE), format="png")


@server.tool()
def fail() -> str:
    """Raises a tool error."""
    raise ToolError("The file is locked.")


@server.tool()
def die() -> str:
    """Ends the server process during the call."""
    os._exit(3)


@server.tool()
def fork(notes: str) -> int:
    """Starts a process that would outlive the server. Returns its process id."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    Path(notes).write_text(str(child.pid))
    return child.pid


@server.tool()
def variable(name: str) -> str:
    """Returns the value of an environment variable of the server."""
    return os.environ.get(name, "")


@server.tool()
async def learn(ctx: Context) -> str:
    """Adds a new tool to the server."""
    server.add_tool(lambda: "new", name="learned", description="Was not there before.")
    await ctx.notify_tools_changed()
    return "learned"


if __name__ == "__main__":
    print("what people print by mistake", flush=True)
    if len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run("stdio")
