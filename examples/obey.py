"""Sends the command-line arguments to the agent as a message, and prints the result.

Start the robot first: reachy-agent up
Then for example: python examples/obey.py look left and nod
"""

import sys

from reachy_agent_ros.commander import AgentError, ReachyCommander

with ReachyCommander() as reachy:
    try:
        answer = reachy.ask(" ".join(sys.argv[1:]) or "look left")
    except AgentError as error:
        sys.exit(f"It could not: {error.message}")
    print(f"{answer.agent} answered: {answer.reply}")
    print("Tools:", ", ".join(answer.tools) or "none")
