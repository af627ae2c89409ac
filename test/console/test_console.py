"""End-to-end tests of the console in a browser, with a graph in simulation."""

from __future__ import annotations

import math
import os
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, expect

from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer
from support.cases import mostly_nightly
from support.console.console_graph import HANDOFF, ConsoleGraph
from support.console.console_window import ConsoleWindow
from support.waiting import wait_until

pytestmark = pytest.mark.graph

VIEWS = ("Talk", "Watch", "Approvals", "Timeline", "Learning", "Workshop", "Memory", "Schedule", "Health", "Settings")

TO_CODE = ScriptedAnswer(calls=(("transfer_to_code", {}),))
TOOL = '''def mean_of(numbers: list[float]) -> dict:
    """Finds the mean of numbers.

    Args:
        numbers: At least one.

    Returns:
        Their mean.
    """
    return {"mean": sum(numbers) / len(numbers)}
'''
TOOL_CALL = {
    "source": TOOL,
    "explanation": "It adds the numbers up and divides by how many there are.",
    "request": "find the mean of numbers",
    "cases": [{"args": {"numbers": [1.0, 2.0, 6.0]}, "expect": {"mean": 3.0}}],
}
FACTS = {
    "dog": "The dog is called Rex and is afraid of vacuum cleaners.",
    "favorite color": "Ultramarine.",
    "breakfast": "Porridge with blueberries, never before eight.",
}


def test_3d_view_shows_commanded_motion_and_chat_shows_running_tool(
    graph: ConsoleGraph, console: ConsoleWindow
) -> None:
    ended = threading.Event()
    turn = ScriptedAnswer(calls=(("move_head", {"yaw_deg": 35.0, "duration_s": 2.0}),))
    graph.script(HANDOFF, turn, ScriptedAnswer("I looked behind the sofa: there is a ball.", waits_for=ended))
    console.open("talk")
    wait_until(lambda: abs(console.head_yaw()) < 10.0, "the robot's pose")
    wait_until(
        lambda: bool(np.ptp(console.robot_picture()) > 128),
        "the robot to be drawn, dark eyes in a light face",
    )
    before = console.robot_picture()
    console.say("what is behind the sofa to your left?")
    tool = console.reply.locator(".tool")
    expect(tool).to_have_text(re.compile("move head runs"))
    wait_until(lambda: console.head_yaw() > 25.0, "the drawn head to be turned")
    expect(tool.locator("summary")).to_have_text(re.compile(r"move head \d\.\d s"))
    ended.set()
    expect(console.reply).to_contain_text("there is a ball")
    wait_until(lambda: changed(before, console) > 0.003, "the picture to change")
    console.keep_picture("talk")


def changed(before: Image.Image, console: ConsoleWindow) -> float:
    """Returns the proportion of pixels that have changed in the picture of the robot."""
    difference = np.abs(np.asarray(console.robot_picture(), float) - np.asarray(before, float))
    return float(np.mean(difference > 32.0))


def test_tool_call_runs_only_after_approval_in_console(graph: ConsoleGraph, console: ConsoleWindow) -> None:
    console.open("talk")
    ask(graph, console, "I stay as I am.")
    console.go("Approvals")
    question = console.page.get_by_role("article")
    expect(question).to_contain_text("May I turn my head 45 degrees to the left?")
    expect(question).to_contain_text("It is a wide turn.")
    expect(question.get_by_role("row", name="yaw")).to_contain_text("45°")
    assert console.inaccessible() == []
    console.keep_picture("approvals")
    console.press("Deny", question)
    expect(question).to_have_count(0)
    answers = console.page.get_by_text("move head denied by service: gateway without a token")
    expect(answers.first).to_be_visible()
    assert console.inaccessible() == []
    console.go("Talk")
    expect(console.reply).to_contain_text("I stay as I am.")
    wait_until(lambda: console.head_yaw() < 40.0, "the robot to be drawn")

    ask(graph, console, "I looked all the way round.")
    console.go("Approvals")
    console.press("Approve once", question)
    console.go("Talk")
    expect(console.reply).to_contain_text("I looked all the way round.")
    wait_until(lambda: console.head_yaw() >= 40.0, "the drawn head to be turned")


def ask(graph: ConsoleGraph, console: ConsoleWindow, reply: str) -> None:
    """Sends a message that leads to a tool call with approval, and waits for the approval question."""
    graph.script(HANDOFF, ScriptedAnswer(calls=(("move_head", {"yaw_deg": 45.0}),)), ScriptedAnswer(reply))
    console.say("what is behind the curtain to your left?")
    expect(console.page.get_by_role("alertdialog")).to_contain_text("May I turn my head 45 degrees to the left?")


@pytest.mark.nightly
def test_pending_approval_is_shown_after_page_reload(graph: ConsoleGraph, console: ConsoleWindow) -> None:
    console.open("approvals")
    with ConsoleWindow(console.browser, graph.url) as other:
        other.open("talk")
        ask(graph, other, "I stay as I am.")
        console.page.reload()
        question = console.page.get_by_role("article")
        expect(question).to_contain_text("May I turn my head 45 degrees to the left?")
        console.press("Deny", question)
        expect(other.page.get_by_role("alertdialog")).to_have_count(0)
        expect(other.reply).to_contain_text("I stay as I am.")


PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("options", [{"viewport": {"width": 1280, "height": 800}}, PHONE], ids=["desktop", "phone"])
def test_approval_question_does_not_cover_controls(
    graph: ConsoleGraph, browser: Browser, options: dict[str, Any]
) -> None:
    with ConsoleWindow(browser, graph.url, **options) as console:
        console.open("talk")
        ask(graph, console, "I stay as I am.")
        send = console.page.get_by_role("button", name="Send")
        question = console.page.get_by_role("alertdialog")
        camera = console.page.locator(".camera-picture")
        for element in (console.stop, send, question.get_by_role("button", name="Deny"), *camera.all()):
            element.click(trial=True)  # fails if another element covers it
            expect(element).to_be_in_viewport(ratio=1.0)
        console.press("Deny", question)
        expect(console.reply).to_contain_text("I stay as I am.")


@pytest.mark.nightly
def test_chat_shows_messages_of_other_clients_and_preserves_them_after_reload(
    graph: ConsoleGraph, console: ConsoleWindow
) -> None:
    graph.chat("look right")
    console.open("talk")
    expect(console.page.locator(".line.person").last).to_have_text("look right")
    expect(console.reply).to_contain_text("I looked to the right.")
    console.say("look left")
    expect(console.reply).to_contain_text("I looked to the left.")
    expect(console.reply).to_have_attribute("aria-busy", "false")  # else the next turn would be rejected
    graph.chat("nod")
    expect(console.page.locator(".line.person").last).to_have_text("nod")
    expect(console.reply).to_contain_text("I nodded.")
    shown = console.page.locator(".line.person").all_text_contents()
    console.page.reload()
    expect(console.page.locator(".line.person")).to_have_text(shown)


@pytest.mark.parametrize("how", mostly_nightly(["button", "key"]))
def test_stop_button_during_dance_holds_robot_until_reset(
    graph: ConsoleGraph, console: ConsoleWindow, how: str
) -> None:
    console.open("talk")
    console.say("dance")
    expect(console.badges).to_contain_text("moving")
    if how == "button":
        console.stop.click()
    else:
        console.page.keyboard.press("Shift+Space")
    expect(console.stopped).to_be_visible()
    expect(console.stop).to_have_text("Stopped")
    expect(console.badges).to_contain_text("stopped")
    wait_until(lambda: graph.moved_within(1.0) < 0.01, "the dance to have ended")
    console.say("look right")
    expect(console.reply).to_contain_text("the emergency stop is on")
    expect(console.reply.locator("p", has_text=re.compile("the emergency stop is on", re.IGNORECASE))).to_have_count(1)
    expect(console.badges).to_contain_text("Agent ready")
    assert console.inaccessible() == []
    if how == "button":
        console.press("Release the stop")
    else:
        graph.post("/stop/reset")  # by another client
    expect(console.stopped).to_have_count(0)
    expect(console.stop).to_have_text("Stop")
    console.say("look right")
    wait_until(lambda: console.head_yaw() < -10.0, "the drawn head to be turned")


def test_typed_stop_during_dance_stops_robot_immediately(graph: ConsoleGraph, console: ConsoleWindow) -> None:
    console.open("talk")
    console.say("dance five times and wait for 60 seconds")  # lasts as long as the test needs
    expect(console.badges).to_contain_text("moving")
    console.say("look left")
    expect(console.reply).to_contain_text("Queued: 1 turn runs or waits before this one.")
    console.say("stop")
    expect(console.reply).to_contain_text("I stopped.")
    expect(console.page.get_by_text("The turn was canceled.")).to_have_count(2)
    wait_until(lambda: graph.moved_within(1.0) < 0.01, "the motion to have ended")


@pytest.mark.nightly
def test_typed_stop_is_accepted_when_message_queue_is_full(graph: ConsoleGraph, console: ConsoleWindow) -> None:
    console.open("talk")
    console.say("dance five times and wait for 60 seconds")  # lasts as long as the test needs
    expect(console.badges).to_contain_text("moving")
    for sentence in ("look left", "look right"):
        console.say(sentence)
        expect(console.reply).to_contain_text("Queued:")
    console.say("look up")
    expect(console.reply).to_contain_text("Not sent: too many messages wait already.")
    console.say("stop")
    expect(console.reply).to_contain_text("I stopped.")
    expect(console.page.get_by_text("The turn was canceled.")).to_have_count(3)


def test_stop_and_reset_work_with_keyboard_only(console: ConsoleWindow) -> None:
    console.open("watch")
    console.page.keyboard.press("Tab")
    expect(console.stop).to_be_focused()
    console.page.keyboard.press("Enter")
    release = console.stopped.get_by_role("button")
    expect(release).to_be_visible()
    for _ in range(len(VIEWS) + 10):  # moves the focus through the navigation
        console.page.keyboard.press("Tab")
        if release.evaluate("button => button === document.activeElement"):
            break
    console.page.keyboard.press("Enter")
    expect(console.stopped).to_have_count(0)


def test_stop_button_is_usable_on_phone(graph: ConsoleGraph, browser: Browser) -> None:
    phone = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
    with ConsoleWindow(browser, graph.url, **phone, device_scale_factor=2) as console:
        console.open("watch")
        wait_until(lambda: not math.isnan(console.head_yaw()), "the robot to be drawn")
        console.keep_picture("watch_phone")
        box = console.stop.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44.0
        assert 0.0 <= box["x"] <= 390.0 - box["width"]
        console.stop.tap()  # fails if another element covers the button
        expect(console.stopped).to_be_visible()
        console.keep_picture("stopped_phone")
        console.stopped.get_by_role("button").tap()
        expect(console.stopped).to_have_count(0)


def test_feedback_in_console_updates_reward_chart(graph: ConsoleGraph, console: ConsoleWindow) -> None:
    console.open("talk")
    console.say("look left")
    console.press("Well done")
    expect(console.reply.get_by_role("status")).to_contain_text("Noted for")
    console.go("Learning")
    points, line = console.page.locator(".chart circle"), console.page.locator(".chart-line").first
    expect(points.last).to_be_visible()
    for sentence in ("lovely, well done", "that was too far", "no, that is wrong", "much better", "perfect"):
        count, shape = points.count(), line.get_attribute("points") or ""
        console.page.get_by_label("Feedback in your own words").fill(sentence)
        console.press("Send feedback")
        expect(points).not_to_have_count(count)
        expect(line).not_to_have_attribute("points", shape)
        expect(console.page.get_by_label("Latest feedback").get_by_text(f"“{sentence}”")).to_be_visible()


@pytest.mark.nightly
def test_console_deletes_learned_skill_after_confirmation(graph: ConsoleGraph, console: ConsoleWindow) -> None:
    console.open("talk")
    console.say("nod")
    expect(console.reply).to_contain_text("I nodded.")
    graph.post("/feedback", {"feedback_text": "the nod was too big"})
    console.go("Learning")
    skill = console.page.get_by_role("region", name="make gesture")
    expect(skill).to_contain_text("active")
    console.press("Delete make gesture", skill)
    console.press("Keep")
    expect(skill).to_be_visible()
    console.press("Delete make gesture", skill)
    assert console.inaccessible() == []
    console.press("Delete", console.page.get_by_role("dialog"))
    expect(skill).to_have_count(0)
    assert "make_gesture" not in [policy["skill"] for policy in graph.get("/policies")["policies"]]


def test_dragging_head_in_3d_view_moves_robot_only_during_recording(
    graph: ConsoleGraph, console: ConsoleWindow
) -> None:
    console.open("watch")
    wait_until(
        lambda: bool(np.ptp(console.robot_picture()) > 128),
        "the robot to be drawn, dark eyes in a light face",
    )
    graph.post("/stop")  # the head moves while the robot speaks, which it may still do after another test
    graph.post("/stop/reset")
    graph.post(
        "/tools/execute", {"tool_name": "move_head", "parameters": {"yaw_deg": 0.0}}
    )  # ahead: a turned head could not turn further
    wait_until(lambda: graph.moved_within(1.0) < 0.01, "the head to have settled, which takes seconds in simulation")
    with dragged_head(console):
        assert graph.moved_within(1.0) < 0.05  # breathing moves the head by 0.01, the pointer would move it by 0.25
    console.page.reload()
    order = {"skill": "turn", "prompt": "turn like this", "method": "hand"}
    graph.post("/demonstration/record", order)
    expect(console.page.get_by_text("Drag the head to show a movement.")).to_be_visible()
    assert abs(console.head_yaw()) < 15.0
    with dragged_head(console):
        wait_until(lambda: console.head_yaw() >= 15.0, "the head to follow the pointer")
    graph.delete("/demonstration/record")
    expect(console.page.get_by_text("Drag the head to show a movement.")).to_have_count(0)


@contextmanager
def dragged_head(console: ConsoleWindow) -> Iterator[None]:
    """Drags the head in the 3D view to the robot's left. The mouse is released at the end of the `with` block."""
    box = console.robot.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2.0, box["y"] + 0.4 * box["height"]
    mouse = console.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 0.15 * box["width"], y, steps=5)
    yield
    mouse.up()


@pytest.mark.nightly
def test_generated_tool_is_listed_after_review(graph: ConsoleGraph, console: ConsoleWindow) -> None:
    graph.script(TO_CODE, ScriptedAnswer(calls=(("write_tool", TOOL_CALL),)), ScriptedAnswer("I have written mean_of."))
    console.open("workshop?new")
    console.page.get_by_label("What should it do?").fill("find the mean of numbers")
    console.press("Generate")
    console.page.get_by_role("status").get_by_role("link", name="mean_of").click()
    expect(console.page.get_by_label("Code of mean_of")).to_contain_text('return {"mean": sum(numbers) / len(numbers)}')
    proofs = console.page.locator(".verdicts li.passed strong")
    expect(proofs).to_have_text(["text", "syntax", "sandbox", "trial"])
    assert "mean_of" not in offered(graph)
    expect(listed(console, "Waiting for your review")).to_contain_text("mean of")
    console.page.get_by_label("Comment (saved with the decision)").fill("I read it.")
    assert console.inaccessible() == []
    console.keep_picture("workshop")
    console.press("Approve version 1")
    expect(console.page.get_by_text("version 1 active")).to_be_visible()
    expect(listed(console, "Generated tools")).to_contain_text("mean of")
    wait_until(lambda: "mean_of" in offered(graph), "the tool to be offered")


def listed(console: ConsoleWindow, group: str) -> Locator:
    """Returns the tool links below a heading."""
    heading = console.page.get_by_role("heading", name=group)
    return console.page.locator("section").filter(has=heading).get_by_role("link")


def offered(graph: ConsoleGraph) -> list[str]:
    """Returns the names of the enabled tools."""
    return [tool["name"] for tool in graph.get("/tools")["tools"] if tool["enabled"]]


@pytest.mark.nightly
def test_console_shows_and_deletes_memories(graph: ConsoleGraph, console: ConsoleWindow) -> None:
    told = [{"key": key, "text": text} for key, text in FACTS.items()]
    calls = ScriptedAnswer(calls=tuple(("remember", fact) for fact in told))
    graph.script(ScriptedAnswer(calls=(("transfer_to_memory", {}),)), calls, ScriptedAnswer("I shall remember that."))
    console.open("talk")
    console.say("let me tell you a little about myself")
    expect(console.reply).to_contain_text("I shall remember that.")
    console.go("Memory")
    facts = console.page.locator(".entry-key")  # episodes have none
    expect(facts).to_have_count(len(FACTS))
    console.keep_picture("memory")
    console.press("Delete favorite color")
    console.press("Delete", console.page.get_by_role("dialog"))
    expect(facts).to_have_count(len(FACTS) - 1)
    expect(console.page.get_by_text("Deleted from memory")).to_be_visible()


def test_reminder_added_in_console_is_listed_until_canceled(graph: ConsoleGraph, console: ConsoleWindow) -> None:
    console.open("schedule")
    console.page.get_by_label("Kind").select_option("reminder")
    console.page.get_by_label("When").fill("in forty minutes")
    add = console.page.get_by_role("button", name="Add")
    expect(add).to_be_disabled()  # a reminder needs a text
    console.page.get_by_label("What to remind you of").fill("stretch")
    add.click()
    row = console.page.get_by_role("row", name="stretch")
    expect(row).to_contain_text("in 39:")
    graph.chat("set a timer for pasta for ten minutes")
    expect(console.page.get_by_role("row", name="pasta")).to_contain_text("in 9:")
    assert console.inaccessible() == []
    console.keep_picture("schedule")
    for name in ("reminder stretch", "timer pasta"):
        console.press(f"Cancel {name}")
    expect(console.page.get_by_text("Nothing is scheduled")).to_be_visible()


def test_ringing_alarm_is_stopped_in_console(graph: ConsoleGraph, console: ConsoleWindow) -> None:
    console.open("schedule")
    graph.chat("set an alarm in two seconds")
    console.press("Stop ringing")
    expect(console.page.get_by_text("Nothing is scheduled")).to_be_visible()


@pytest.mark.nightly
def test_selected_theme_is_applied_and_preserved_after_reload(console: ConsoleWindow) -> None:
    console.page.emulate_media(color_scheme="light")
    console.open("settings")
    background = "getComputedStyle(document.body).backgroundColor"
    light = console.page.evaluate(background)
    console.page.get_by_label("Dark", exact=True).check()
    dark = console.page.evaluate(background)
    assert dark != light
    console.page.reload()
    expect(console.page.get_by_label("Dark", exact=True)).to_be_checked()
    assert console.page.evaluate(background) == dark
    console.page.emulate_media(color_scheme="dark")
    console.page.get_by_label("Light", exact=True).check()
    assert console.page.evaluate(background) == light


@pytest.mark.nightly
def test_changed_setting_takes_effect_and_is_preserved_after_reload(console: ConsoleWindow) -> None:
    console.open("settings")
    setting = console.page.get_by_role("listitem").filter(has_text="tts.volume")
    console.page.get_by_label("Find a setting").fill("default volume")
    setting.get_by_role("textbox").fill("0.5")
    setting.get_by_role("button", name="Save").click()
    expect(setting).to_contain_text("The change is in effect.")
    console.page.reload()
    expect(setting.get_by_role("textbox")).to_have_value("0.5")
    setting.get_by_role("button", name="Reset").click()
    expect(setting).to_have_count(0)  # without a search, the view lists the changed settings


@pytest.mark.parametrize("view", mostly_nightly(VIEWS, one_in=3))
def test_console_view_has_no_accessibility_violations(console: ConsoleWindow, view: str) -> None:
    console.open(view.lower())
    if view == "Watch":
        wait_until(lambda: not math.isnan(console.head_yaw()), "the robot to be drawn")
        expect(console.page.locator(".camera-picture .picture-facts")).to_have_text(re.compile("^[1-9].* pictures/s"))
    elif view == "Health":
        expect(console.page.get_by_role("row", name="camera")).to_contain_text("%")
    assert console.inaccessible() == []
    if view not in ("Talk", "Approvals", "Workshop", "Memory", "Schedule"):  # other tests take pictures of these views
        console.keep_picture(view.lower())


def test_console_marks_outdated_data_and_reconnects(graph: ConsoleGraph, console: ConsoleWindow) -> None:
    console.open("health")
    pid = graph.pid("gateway")
    os.kill(pid, signal.SIGSTOP)  # its connections stay open
    expect(console.stale).to_contain_text("Connection lost. Last update")
    expect(console.badges).to_contain_text("Agent unknown")
    expect(console.badges.locator(".good")).to_have_count(0)
    expect(console.page.locator(".content")).to_have_class(re.compile("old"))
    os.kill(pid, signal.SIGKILL)
    expect(console.badges).to_contain_text("lost, reconnecting")
    expect(console.badges).not_to_contain_text("lost")
    expect(console.stale).to_have_count(0)
    expect(console.page.get_by_role("row", name="gateway").get_by_role("cell").last).to_have_text("1")
    console.page.reload()
    expect(console.badges).to_contain_text("Agent ready")
    console.errors.clear()  # errors of the connections to the killed gateway
