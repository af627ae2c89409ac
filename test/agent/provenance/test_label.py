from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.provenance.label import Label, OriginKind, labels_of, phrase, read, remembered, written
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin

LABELS = st.lists(st.builds(Label, st.sampled_from(OriginKind), st.text(max_size=20)))


@given(LABELS)
def test_labels_are_unchanged_by_serialization(labels: list[Label]) -> None:
    assert set(read(written(labels))) == set(labels)


@given(LABELS)
def test_repeated_storage_in_memory_preserves_original_label(labels: list[Label]) -> None:
    assert remembered(remembered(labels)) == remembered(labels)


def test_tool_output_is_labeled_by_origin_and_specialist_of_tool() -> None:
    def tool(
        origin: ToolOrigin = ToolOrigin.PREDEFINED, specialist: str = "robot", untrusted: bool = True
    ) -> ToolDescription:
        return ToolDescription("x", "", {}, 1.0, origin=origin, specialist=specialist, untrusted_output=untrusted)

    assert labels_of(tool(untrusted=False)) == ()
    assert labels_of(tool(ToolOrigin.EXTERNAL, untrusted=False)) == (Label(OriginKind.MCP, "x"),)
    assert labels_of(tool(ToolOrigin.GENERATED, untrusted=False)) == (Label(OriginKind.GENERATED, "x"),)
    assert labels_of(tool(specialist="web")) == (Label(OriginKind.WEB, "x"),)
    assert labels_of(tool(specialist="vision")) == (Label(OriginKind.PICTURE, "x"),)


def test_label_with_unknown_origin_is_read_as_memory() -> None:
    assert read("hologram:lobby") == (Label(OriginKind.MEMORY, "hologram:lobby"),)


def test_label_description_names_each_origin_once() -> None:
    labels = [Label(OriginKind.WEB, "web_search"), Label(OriginKind.WEB), Label(OriginKind.PICTURE, "describe_image")]
    assert phrase(labels) == "text from a picture and text from a web page"
