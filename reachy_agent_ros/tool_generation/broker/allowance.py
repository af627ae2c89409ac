"""How much of each thing one run of a tool may do, in one place."""

from __future__ import annotations

from reachy_agent_ros.motion.request import LONGEST

STREAM_RATE = 100.0
"""Targets a second: the motion loop's own rate, more can change nothing."""

STREAM_BURST = 10.0
"""Targets at once: a tenth of a second's worth, what a garbage collection piles up. The bridge takes twelve."""

LONGEST_MOTION = LONGEST
"""s that a motion takes; the bridge's own limit."""

LONGEST_SPEECH = 500
"""Characters said in one call: half a minute, after which a listener wants to say something too."""

SAYS = 20
"""Calls of `say`: with them ten minutes of speech, longer than any run."""

PHOTOS = 60
"""Photos kept: a photo a second for a minute. They stay on the disk, about 100 kB each."""

FRAMES = 1000
"""Pictures handed to the tool and forgotten: three a second for as long as a run may take."""

LOOKS = 300
"""Detections: one a second for as long as a run may take; each keeps the detector busy."""

QUESTIONS = 60
"""Questions about a scene: each may cost a vision model several seconds."""

LONGEST_QUESTION = 2000
"""Characters of a question, as for the tool `analyze_scene`."""

LONGEST_ANSWER = 4000
"""Characters of an answer about a scene: a vision model that rambles is cut."""

MOST_THINGS = 100
"""Things of one picture; more are noise."""

FETCHES = 60
"""Pages fetched: one every five seconds for as long as a run may take, which no server minds."""

CALLS = 100_000
"""Calls of any verb: a thousand a second for a hundred seconds. Whoever wants more is flooding."""

REFUSALS = 100
"""Refused calls after which the run ends: who went on after so many does not listen."""
