import shutil
from pathlib import Path

import pytest

from reachy_agent_ros.agent.personas.library import DEFAULT_PERSONA, USUAL_VALUES, ActivePersona, PersonaLibrary
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import configuration_file
from reachy_agent_ros.tools.predefined import predefined_tools
from support.agent.persona_folders import make

ROBOT = {tool.specification.name for tool in predefined_tools(Path(), ["joy"], ["waltz"])}


@pytest.fixture
def ours(own: Path) -> PersonaLibrary:
    return PersonaLibrary(configuration_file("personas"), own)


def test_shipped_personas_are_valid(ours: PersonaLibrary) -> None:
    assert ours.names() == ["companion", "performer", DEFAULT_PERSONA]
    for name in ours.names():
        told = ours.load(name).instructions({"robot_name": "Robbie", "owner": "Ada"})
        assert "Robbie" in told
        assert told == ours.load(name).instructions({"robot_name": "Robbie", "owner": "Ada"})


def test_shipped_personas_allow_expected_tools(ours: PersonaLibrary) -> None:
    companion, performer, reachy = map(ours.load, ours.names())
    assert {name for name in ROBOT if companion.allows(name)} == {
        *("get_robot_state", "look_at", "set_volume", "stop", "pause")
    }
    pictures = {"take_photo", "describe_image", "analyze_scene", "detect_objects", "find_object", "sweep_look"}
    kept_still = {"look_at_image", "look_at_object", "head_tracking"}
    assert {name for name in ROBOT if not performer.allows(name)} == pictures | kept_still
    assert all(map(reachy.allows, (*ROBOT, "web_search", "run_code")))
    assert [performer.allows(name) for name in ("web_search", "run_code", "remember")] == [False] * 3


def test_custom_persona_overrides_shipped_persona(library: PersonaLibrary, own: Path) -> None:
    assert library.names() == ["other", "reachy"]
    make(own / "other", instructions="Be mine.")
    make(own / "extra")
    assert library.names() == ["extra", "other", "reachy"]
    assert library.load("other").instructions({}) == "Be mine."
    assert {one.name: one.own for one in library.listed()} == {"extra": True, "other": True, "reachy": False}


def test_changed_persona_takes_effect_at_next_load(library: PersonaLibrary, shipped: Path) -> None:
    assert library.load("other").instructions({}) == "Be kind."
    (shipped / "other" / "instructions.md").write_text("Be quick.")
    assert library.load("other").instructions({}) == "Be quick."


def test_persona_list_contains_invalid_persona_with_its_error(library: PersonaLibrary, own: Path) -> None:
    make(own / "other", settings="tools: 3")
    make(own / "Mine Too")
    make(own / "guest", instructions="You are {name}.")
    (own / "common").mkdir()
    (own / "notes.txt").write_text("no folder")
    errors = {one.name: one.error.message for one in library.listed() if one.error is not None}
    assert set(errors) == {"other", "Mine Too", "guest"}
    assert "persona.yaml" in errors["other"]
    assert f"Invalid name of the persona folder {own / 'Mine Too'}: expected 1 to 40" in errors["Mine Too"]
    assert "instructions.md:1: there is no value {name}" in errors["guest"]
    assert library.names() == ["reachy"]
    with pytest.raises(AgentError, match=r"persona\.yaml"):
        library.load("other")


@pytest.mark.parametrize("name", ["..", "../shipped/reachy", "/etc", "", ".", "a/b", "Reachy", "x" * 41, "a\n", "-a"])
def test_rejects_persona_name_outside_folder(library: PersonaLibrary, name: str) -> None:
    with pytest.raises(AgentError) as error:
        library.load(name)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS


def test_error_for_unknown_persona_lists_existing_personas(library: PersonaLibrary) -> None:
    with pytest.raises(AgentError, match="Available: other, reachy") as error:
        library.load("nobody")
    assert error.value.code is ErrorCode.NOT_FOUND


def test_included_file_is_searched_in_persona_custom_and_shipped_folders(
    library: PersonaLibrary, own: Path, shipped: Path
) -> None:
    mine = make(own / "mine", instructions="{include:a.md} {include:b.md} {include:c.md}")
    for number, folder in enumerate((mine, own, shipped)):
        for name in ("a.md", "b.md", "c.md")[: number + 1]:
            (folder / name).write_text(folder.name)
    assert library.load("mine").instructions(USUAL_VALUES) == "mine own shipped"


def test_raises_error_if_persona_folder_is_a_file(tmp_path: Path, shipped: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(AgentError) as error:
        PersonaLibrary(shipped, tmp_path / "file").listed()
    assert error.value.code is ErrorCode.STORAGE_FAILED


def test_documented_persona_is_valid(library: PersonaLibrary, own: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "guides" / "personas.md").read_text(encoding="utf-8")
    settings, instructions = (page.split(f"```{kind}\n")[1].split("```")[0] for kind in ("yaml", "markdown"))
    make(own / "pirate", settings, instructions)
    (own / "common").mkdir()
    (own / "common" / "character.md").write_text("A piece.")
    pirate = library.load("pirate")
    assert "A piece." in pirate.instructions(USUAL_VALUES)
    assert {name for name in ROBOT if pirate.allows(name)} >= {"gesture", "express_emotion", "look_at", "stop"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "persona"


def test_default_persona_is_active_until_another_is_selected(library: PersonaLibrary, path: Path) -> None:
    active = ActivePersona(library, path)
    assert (active.current().name, active.warning) == ("reachy", "")


def test_selected_persona_survives_restart(library: PersonaLibrary, path: Path) -> None:
    assert ActivePersona(library, path).choose("other").name == "other"
    assert ActivePersona(library, path).current().name == "other"


def test_rejects_selection_of_unreadable_persona(library: PersonaLibrary, path: Path) -> None:
    active = ActivePersona(library, path)
    active.choose("other")
    for name in ("nobody", "../other"):
        with pytest.raises(AgentError):
            active.choose(name)
    assert active.current().name == "other"


def test_missing_persona_is_replaced_by_default_and_logged_once(
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


def test_invalid_custom_default_persona_is_replaced_by_shipped_default(
    library: PersonaLibrary, own: Path, path: Path
) -> None:
    make(own / "reachy", instructions="{")
    active = ActivePersona(library, path)
    assert active.current().instructions({"robot_name": "Robbie"}) == "You are Robbie."
    assert "instructions.md:1" in active.warning


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"x" * 1000, b"../../etc", b"\0"])
def test_damaged_selection_yields_default_persona_with_warning(
    library: PersonaLibrary, path: Path, content: bytes
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    active = ActivePersona(library, path)
    assert active.current().name == "reachy"
    assert active.warning
    active.choose("other")
    assert (active.current().name, active.warning) == ("other", "")


def test_persona_selection_that_cannot_be_stored_raises_error(library: PersonaLibrary, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    active = ActivePersona(library, tmp_path / "file" / "persona")
    with pytest.raises(AgentError) as error:
        active.choose("other")
    assert error.value.code is ErrorCode.STORAGE_FAILED
    assert active.current().name == "reachy"
