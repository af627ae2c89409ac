"""Page of the configuration: launch arguments, node parameters and environment variables."""

from __future__ import annotations

from reachy_agent_ros.settings.arguments import declared_arguments
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.settings.parameter import Parameter
from scripts.reference_pages.markdown import code, page, sentence, table
from scripts.reference_pages.nodes import default_value, parameter_table

_INTRODUCTION = """\
Start the graph with arguments of the form `name:=value`:

```bash
reachy-agent up robot:=mujoco scene:=minimal
```

`ros2 launch reachy_agent_ros bringup.launch.py` accepts the same arguments. A misspelled argument is an error.
[Settings](../guides/settings.md) shows how to keep them in a file.
"""

_PARAMETERS = """\
Set a parameter with `reachy-agent config set NODE.PARAMETER VALUE`, or for one start with
`reachy-agent up NODE.PARAMETER:=VALUE`. A node that you start with `ros2 run` takes its parameters with
`--ros-args -p NAME:=VALUE`. Parameters are read-only while the node runs, unless the table says otherwise.
"""

ENVIRONMENT = {
    "REACHY_AGENT_CONFIG": "Settings file; default: `reachy_agent.yaml` in the folder of user data.",
    "REACHY_AGENT_NAME": "Argument NAME in capital letters, such as `REACHY_AGENT_ROBOT=daemon`.",
    "REACHY_AGENT_NODE__NAME": "Parameter NAME of a node, such as `REACHY_AGENT_TTS__VOLUME=0.5`.",
    "REACHY_AGENT_STATE": "Folder of user data; default: `reachy_agent` in `$XDG_STATE_HOME` or `~/.local/state`.",
    "REACHY_AGENT_CACHE": "Folder of reproducible data; default: `reachy_agent` in `$XDG_CACHE_HOME` or `~/.cache`.",
    "REACHY_AGENT_RUNTIME": "Folder of locks, process records and logs; default: `reachy_agent` in `$XDG_RUNTIME_DIR`.",
    "REACHY_AGENT_API_KEY": "Key of the model endpoint. A key is never a parameter, because every node can read those.",
    "REACHY_AGENT_SDK_PYTHON": "Python with the Reachy Mini SDK; default: `.venv-daemon` next to this environment.",
    "OTEL_EXPORTER_OTLP_ENDPOINT": "URL of an OpenTelemetry collector for traces, if `trace_collector` is empty.",
    "ROS_DOMAIN_ID": "ROS domain of the graph; default: 0.",
}
"""Meaning of each environment variable."""

_STATE = "the folder `reachy_agent` in `$XDG_STATE_HOME`, or `$REACHY_AGENT_STATE`"


def configuration_page() -> str:
    """Returns the configuration page, generated from the declarations in the code."""
    rows = [
        (code(one.name), _default(one), ", ".join(map(code, one.choices)), sentence(one.description))
        for one in declared_arguments()
    ]
    variables = [(code(name), meaning) for name, meaning in ENVIRONMENT.items()]
    nodes = [f"### {name}\n\n{parameter_table(name)}" for name in NODE_PARAMETERS]
    return page(
        "Configuration",
        _INTRODUCTION,
        f"## Launch arguments\n\n{table(('Argument', 'Default', 'Choices', 'Meaning'), rows)}",
        f"## Node parameters\n\n{_PARAMETERS}",
        *nodes,
        f"## Environment variables\n\n{table(('Variable', 'Meaning'), variables)}",
    )


def _default(argument: Parameter) -> str:
    if argument.name == "state_directory":
        return _STATE  # the default depends on the machine
    return default_value(argument)
