"""Page of the configuration: launch arguments, node parameters and environment variables."""

from __future__ import annotations

from reachy_agent_ros.bringup import Argument, declared_arguments, node_names
from scripts.reference_pages.markdown import code, page, table
from scripts.reference_pages.node_source import read_node
from scripts.reference_pages.nodes import parameter_table

_INTRODUCTION = """\
Start the graph with arguments of the form `name:=value`:

```bash
reachy-agent up robot:=mujoco scene:=minimal
```

`ros2 launch reachy_agent_ros bringup.launch.py` accepts the same arguments. A misspelled argument is an error.
"""

_PARAMETERS = """\
Launch arguments set some of these parameters. `reachy-agent up` and the launch file do not set the others; a node
that you start with `ros2 run` takes them with `--ros-args -p NAME:=VALUE`. All parameters are read-only.
"""

_STATE = "the folder `reachy_agent` in `$XDG_STATE_HOME`, or `$REACHY_AGENT_STATE`"


def configuration_page() -> str:
    """Returns the page, from the declarations in the code."""
    rows = [
        (code(one.name), _default(one), ", ".join(map(code, one.choices)), one.description)
        for one in declared_arguments()
    ]
    nodes = [f"### {name}\n\n{parameter_table(read_node(name).parameters)}" for name in node_names()]
    return page(
        "Configuration",
        _INTRODUCTION,
        f"## Launch arguments\n\n{table(('Argument', 'Default', 'Choices', 'Meaning'), rows)}",
        f"## Node parameters\n\n{_PARAMETERS}",
        *nodes,
    )


def _default(argument: Argument) -> str:
    if argument.name == "state_directory":
        return _STATE  # the default depends on the machine
    return code(argument.default) or "empty"
