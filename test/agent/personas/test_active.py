import shutil
from pathlib import Path

import pytest

from reachy_agent_ros.agent.personas.active import ActivePersona
from reachy_agent_ros.agent.personas.library import PersonaLibrary
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.persona_folders import make


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "persona"


def test_where_nobody_chose_it_is_the_default(library: PersonaLibrary, path: Path) -> None:
    active = ActivePersona(library, path)
    assert (active.current().name, active.warning) == ("reachy", "")


def test_a_choice_outlives_a_restart(library: PersonaLibrary, path: Path) -> None:
    assert ActivePersona(library, path).choose("other").name == "other"
    assert ActivePersona(library, path).current().name == "other"


def test_one_that_cannot_be_read_is_not_chosen(library: PersonaLibrary, path: Path) -> None:
    active = ActivePersona(library, path)
    active.choose("other")
    for name in ("nobody", "../other"):
        with pytest.raises(AgentError):
            active.choose(name)
    assert active.current().name == "other"


def test_one_that_has_gone_is_replaced_by_the_default_and_told_once(
    library: PersonaLibrary, own: Path, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    active = ActivePersona(library, path)
    make(own / "mine")
    active.choose("mine")
    shutil.move(own / "mine", own / "away")
    assert [active.current().name for _ in range(3)] == ["reachy"] * 3
    assert "no persona 'mine'" in active.warning
    assert len(caplog.records) == 1
    shutil.move(own / "away", own / "mine")
    assert (active.current().name, active.warning) == ("mine", "")


def test_a_broken_default_of_the_person_gives_way_to_ours(library: PersonaLibrary, own: Path, path: Path) -> None:
    make(own / "reachy", instructions="{")
    active = ActivePersona(library, path)
    assert active.current().instructions({"robot_name": "Robbie"}) == "You are Robbie."
    assert "instructions.md:1" in active.warning


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"x" * 1000, b"../../etc", b"\0"])
def test_a_damaged_choice_is_the_default_with_a_warning(library: PersonaLibrary, path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    active = ActivePersona(library, path)
    assert active.current().name == "reachy"
    assert active.warning
    active.choose("other")
    assert (active.current().name, active.warning) == ("other", "")


def test_a_choice_that_cannot_be_kept_is_told(library: PersonaLibrary, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    active = ActivePersona(library, tmp_path / "file" / "persona")
    with pytest.raises(AgentError) as error:
        active.choose("other")
    assert error.value.code is ErrorCode.STORAGE_FAILED
    assert active.current().name == "reachy"
