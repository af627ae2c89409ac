import uuid

import numpy as np

from reachy_agent_ros.tts.loudspeaker import Loudspeaker


def test_a_missing_loudspeaker_is_reported_and_sound_still_taken() -> None:
    reports: list[str] = []
    loudspeaker = Loudspeaker("no such loudspeaker", reports.append)
    loudspeaker.probe()
    loudspeaker.start(uuid.uuid4(), 22_050)
    loudspeaker.write(np.zeros(882, np.int16))
    assert loudspeaker.latency == 0.0
    loudspeaker.end(cancelled=True)
    assert len(reports) == 2
    assert all(reports)
