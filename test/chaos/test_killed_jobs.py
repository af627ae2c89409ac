from pathlib import Path

from chaos.jobs import killed_jobs


def test_every_job_ends_once_despite_kills(tmp_path: Path) -> None:
    seen = killed_jobs(tmp_path, seed=7, jobs=40, kills=8)
    assert seen.kills == 8
    assert len(seen.confirmed) >= 40
    assert not seen.lost
    assert not seen.canceled & set(seen.spoken)
    assert not seen.wrongly_interrupted
    assert set(seen.counted.values()) == {1}
    assert seen.spoken_twice <= seen.interrupted
