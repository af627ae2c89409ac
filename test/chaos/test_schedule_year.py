from pathlib import Path

from chaos.schedule import simulated_year


def test_every_timer_of_simulated_year_fires_once_despite_kills(tmp_path: Path) -> None:
    year = simulated_year(tmp_path, seed=7, timers=60, kills=5)
    assert year.kills == 5
    assert len(year.confirmed) >= 60
    assert not year.lost
    assert year.repeated == 0
    assert year.wrong_repetitions == 0
    assert year.spoken_twice <= year.interrupted
