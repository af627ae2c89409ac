"""The steps of all demo scenarios are valid commands."""

import pytest

from reachy_agent_ros.cli.cli import command_parser
from reachy_agent_ros.cli.commands.demo import SCENARIOS, SOUNDS, DemoScenario
from reachy_agent_ros.core.paths import configuration_file

PARSER = command_parser()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_every_step_of_demo_is_a_valid_command(scenario: DemoScenario) -> None:
    sounds = configuration_file(SOUNDS).parent
    for step in scenario.steps:
        words = [word.format(sounds=sounds, out="out") for word in step.command]
        arguments = PARSER.parse_args(words)
        if arguments.command == "hear":
            assert arguments.file.is_file()
