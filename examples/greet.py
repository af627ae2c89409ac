"""Looks at whoever is in front of it, greets them, and dances until it has finished speaking.

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
