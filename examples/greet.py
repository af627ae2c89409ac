"""Looks at a person in front of the robot, greets them, and dances until the greeting is spoken.

Start the robot first: reachy-agent up
"""

from reachy_agent_ros.commander import ReachyCommander

with ReachyCommander() as reachy:
    reachy.look_at(x=1.0, y=0.0, z=0.4)
    dance = reachy.begin(reachy.dance, "groovy_sway_and_roll", repetitions=3)
    print("It said:", reachy.say("Hello! Nice to see you."))
    dance.cancel()
    reachy.wait()
    reachy.move_head()
