from __future__ import annotations

import tempfile
import threading
from pathlib import Path

import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox
from reachy_agent_ros.tool_generation.verdict import VerificationStage
from reachy_agent_ros.tool_generation.verification.case import Case
from reachy_agent_ros.tool_generation.verification.proof import Proof
from reachy_agent_ros.tool_generation.verification.verifier import Verifier
from support.waiting import wait_until

ROBOT = """\
import math
import time
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose
"""


def tool(body: str, signature: str = "amount: float = 1.0", head: str = "") -> bytes:
    """Returns the source of a tool with the given function body, indented by four spaces."""
    name = signature.partition(":")[0]
    lines = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
    text = f'{head}\n\ndef try_it({signature}) -> dict:\n    """Tries it.\n\n'
    text += f"    Args:\n        {name}: How much of it.\n\n    Returns:\n        The result.\n"
    return f'{text}    """\n{lines}\n'.encode()


def stages(proof: Proof) -> dict[VerificationStage, bool]:
    return {verdict.stage: verdict.ok for verdict in proof.verdicts}


@pytest.mark.slow
def test_correct_tool_passes_every_verification_stage(prover: Verifier) -> None:
    source = tool('if amount < 0:\n    raise ValueError("too little")\nreturn {"half": amount / 2, "note": "done"}')
    cases = [Case({"amount": 3.0}, {"half": 1.5}), Case({"amount": -1.0}, raises="ValueError"), Case()]
    proof = prover.prove(source, cases)
    assert proof.ok
    assert proof.program is not None
    assert proof.program.name == "try_it"
    assert stages(proof) == dict.fromkeys(
        (VerificationStage.TEXT, VerificationStage.SYNTAX, VerificationStage.SANDBOX, VerificationStage.TRIAL), True
    )
    assert [case.result for case in proof.cases] == [{"half": 1.5, "note": "done"}, None, {"half": 0.5, "note": "done"}]
    assert proof.robot_commands == 0
    assert proof.violations == ()


def test_verification_reports_wrong_result_with_test_case_and_location(prover: Verifier) -> None:
    proof = prover.prove(tool('return {"half": amount}'), [Case({"amount": 0.0}), Case({"amount": 3}, {"half": 1.5})])
    assert stages(proof) == {
        VerificationStage.TEXT: True,
        VerificationStage.SYNTAX: True,
        VerificationStage.SANDBOX: False,
    }
    assert "1 of 2 cases failed." in proof.verdicts[-1].reason
    assert 'Case 2, {"amount": 3}: result["half"]: expected 1.5, got 3' in proof.verdicts[-1].reason


def test_verification_stops_at_first_failed_stage(prover: Verifier) -> None:
    text, syntax = prover.prove(b"\xff\xfe"), prover.prove(b"import os\n")
    assert stages(text) == {VerificationStage.TEXT: False}
    assert stages(syntax) == {VerificationStage.TEXT: True, VerificationStage.SYNTAX: False}
    assert "line 1" in syntax.verdicts[-1].reason
    assert text.program is syntax.program is None
    assert not text.ok
    assert not syntax.ok


def test_verification_rejects_name_of_existing_tool(prover: Verifier) -> None:
    assert stages(prover.prove(tool("return {}"), taken=["try_it"])) == {
        VerificationStage.TEXT: True,
        VerificationStage.SYNTAX: False,
    }


@pytest.mark.parametrize(
    ("body", "case", "complaint"),
    [
        ("return {}", Case(raises="ValueError"), "should have raised ValueError, but it returned a result"),
        ('raise KeyError("x")', Case(raises="ValueError"), "should have raised ValueError, but it failed"),
        ("return {}[amount]", Case(), "KeyError"),
        ("answer = [amount]\nreturn answer", Case(), "returned a list"),
        ("answer = None\nreturn answer", Case(), "returned a NoneType"),
        ('return {"x": math.nan}', Case(), ""),
        ("while amount:\n    pass\nreturn {}", Case(), "time limit of 1 s"),
        ('return {"x": amount}', Case({"amount": "much"}), "its arguments are invalid"),
        ('return {"x": amount}', Case({"number": 1.0}), "there is no argument 'number'"),
    ],
)
def test_failed_test_case_states_reason(prover: Verifier, body: str, case: Case, complaint: str) -> None:
    proof = prover.prove(tool(body, head="import math\nTIME_LIMIT_S = 1"), [case])
    assert stages(proof).get(VerificationStage.SANDBOX) is False
    assert complaint in proof.verdicts[-1].reason


def test_rejected_arguments_count_as_raised_exception_in_test_case(prover: Verifier) -> None:
    assert prover.prove(tool("return {}"), [Case({"amount": "much"}, raises="TypeError")]).ok


def test_tool_without_test_cases_is_called_with_generated_arguments(prover: Verifier) -> None:
    assert prover.prove(tool('return {"x": amount}')).cases[0].result == {"x": 1.0}
    named = prover.prove(tool('return {"x": name}', "name: str"))
    assert named.cases[0].result == {"x": "Ada"}
    assert "No cases were given" in named.verdicts[2].reason


def test_unlisted_web_page_does_not_fail_tool_without_test_cases(prover: Verifier) -> None:
    body = 'return {"status": [requests.get(url).status_code for url in urls]}'
    proof = prover.prove(tool(body, "urls: list[str]", head="import requests\n"))
    assert proof.ok, proof
    assert proof.violations == ()


@pytest.mark.parametrize(
    ("body", "signature", "ok"),
    [
        ('raise ValueError("no such city")', "city: str", True),
        ('return {"at": {"Rome": 1}[city]}', "city: str", True),
        ('return {"at": city + 1}', "city: str", False),
        ('raise ValueError("no such amount")', "amount: float = 1.0", False),
    ],
)
def test_tool_may_reject_only_values_of_generated_arguments(
    prover: Verifier, body: str, signature: str, ok: bool
) -> None:
    assert prover.prove(tool(body, signature)).ok is ok


def test_verification_warns_about_slow_tool_and_rejects_endless_tool_without_test_cases(prover: Verifier) -> None:
    long = prover.prove(tool("time.sleep(60)\nreturn {}", head=ROBOT))
    assert long.ok
    assert "With its defaults it takes 60 s, but would be stopped after 10 s" in long.verdicts[2].reason
    endless = prover.prove(tool("while amount:\n    time.sleep(1)\nreturn {}", head=ROBOT))
    assert not endless.ok
    assert "longer than its 300 s" in endless.verdicts[-1].reason


@pytest.mark.slow
def test_request_to_private_site_is_violation_in_dry_run(prover: Verifier) -> None:
    body = """
try:
    return {"status": requests.get(f"http://{place}/").status_code}
except requests.exceptions.RequestException as error:
    return {"error": str(error)}
"""
    source = tool(body, "place: str", head="import requests")
    public, private = (prover.prove(source, [Case({"place": place})]) for place in ("example.org", "127.0.0.1:80"))
    assert public.ok
    assert "a person can allow it" in public.cases[0].result["error"]
    assert not private.ok
    assert "get: tools may not request 127.0.0.1:80" in private.violations[0]


@pytest.mark.slow
def test_dry_run_executes_test_cases_that_move_robot(prover: Verifier) -> None:
    body = "with ReachyMini() as mini:\n    mini.goto_target(create_head_pose(yaw=amount), duration=0.5)\nreturn {}"
    proof = prover.prove(tool(body, head=ROBOT), [Case({"amount": 10.0}), Case({"amount": -10.0})])
    assert proof.ok, proof
    assert proof.robot_commands == 2
    assert proof.verdicts[-1].reason == "2 of 2 cases move the robot, within its envelope."


@pytest.mark.parametrize(("where", "complaint"), [("z=0.5", "beyond its limits"), ("pitch=0.8", "was clamped")])
def test_command_outside_envelope_fails_dry_run(prover: Verifier, where: str, complaint: str) -> None:
    body = f"""
with ReachyMini() as mini:
    try:
        mini.goto_target(create_head_pose({where}, degrees=False), duration=1.0)
    except Exception:
        pass
return {{}}
"""
    proof = prover.prove(tool(body, head=ROBOT))
    assert stages(proof)[VerificationStage.SANDBOX]
    assert not stages(proof)[VerificationStage.TRIAL]
    assert complaint in proof.violations[0]
    assert complaint in proof.verdicts[-1].reason


@pytest.mark.slow
def test_target_stream_within_envelope_passes_dry_run(prover: Verifier) -> None:
    body = """
steps = 0
with ReachyMini() as mini:
    end = time.time() + amount
    while time.time() < end:
        mini.set_target(head=create_head_pose(yaw=10 * math.sin(0.06 * steps), degrees=True))
        time.sleep(0.02)
        steps += 1
return {"steps": steps}
"""
    proof = prover.prove(tool(body, head=ROBOT))
    assert proof.ok, proof
    assert 45 <= proof.cases[0].result["steps"] <= 55


def test_excessive_rate_of_targets_fails_dry_run(prover: Verifier) -> None:
    body = """
with ReachyMini() as mini:
    for _ in range(5000):
        try:
            mini.set_target(antennas=[0.1, 0.1])
        except Exception:
            pass
return {}
"""
    proof = prover.prove(tool(body, head=ROBOT))
    assert not proof.ok
    assert any("targets per second" in violation for violation in proof.violations)


def test_sleep_in_dry_run_advances_virtual_time_without_waiting(prover: Verifier) -> None:
    proof = prover.prove(tool("time.sleep(3600)\nreturn {}", head=ROBOT), [Case()])
    assert "longer than its 10 s" in proof.verdicts[-1].reason
    assert proof.cases[0].elapsed < 10.0


@pytest.mark.slow
def test_motion_in_dry_run_advances_virtual_clock(prover: Verifier) -> None:
    body = """
rounds, end = 0, time.time() + 4.0
with ReachyMini() as mini:
    while time.time() < end:
        mini.goto_target(antennas=[0.2, -0.2], duration=1.0)
        rounds += 1
return {"rounds": rounds}
"""
    proof = prover.prove(tool(body, head=ROBOT), [Case({}, {"rounds": 4})])
    assert proof.ok, proof


def test_photos_of_dry_run_are_deleted(prover: Verifier, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    body = 'photo = take_photo()\ntime.sleep(1)\nreturn {"there": bool(photo["path"]), "width": photo["width"]}'
    proof = prover.prove(tool(body, head=ROBOT), [Case({}, {"there": True, "width": 640})])
    assert proof.ok, proof
    assert list(tmp_path.iterdir()) == []


def test_canceled_verification_fails_immediately(sandbox: Sandbox, prover: Verifier) -> None:
    cancel = CancelToken()
    threading.Timer(0.3, cancel.cancel).start()
    proof = prover.prove(tool("while amount:\n    pass\nreturn {}"), cancel=cancel)
    assert not proof.ok
    assert "anceled" in proof.verdicts[-1].reason


def test_concurrent_verifications_are_independent(prover: Verifier) -> None:
    proofs: dict[int, Proof] = {}

    def prove(number: int) -> None:
        proofs[number] = prover.prove(tool(f'return {{"number": {number}}}'), [Case({}, {"number": number})])

    threads = [threading.Thread(target=prove, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(proofs[number].ok for number in range(4))


@pytest.mark.slow
def test_verification_leaves_no_state_for_next_verification(prover: Verifier) -> None:
    body = """
with ReachyMini() as mini:
    before = mini.get_current_head_pose()[0][1]
    mini.goto_target(create_head_pose(yaw=20, degrees=True), duration=0.5)
say("hello")
return {"before": float(before)}
"""
    for _ in range(2):
        proof = prover.prove(tool(body, head=ROBOT), [Case({}, {"before": 0.0})])
        assert proof.ok, proof


def test_closing_unused_verifier_leaves_no_threads(sandbox: Sandbox) -> None:
    before = {*threading.enumerate()}
    Verifier(sandbox, Fetcher()).close()
    assert {*threading.enumerate()} <= before


@pytest.mark.slow
def test_verification_waits_for_running_verification_until_timeout_or_cancel(
    prover: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = CancelToken(), CancelToken()
    endless = threading.Thread(
        target=prover.prove, args=(tool("while amount:\n    pass\nreturn {}"),), kwargs={"cancel": first}
    )
    endless.start()
    try:
        wait_until(prover._lock.locked)
        monkeypatch.setattr("reachy_agent_ros.tool_generation.verification.verifier.LONGEST_WAIT", 0.1)
        with pytest.raises(AgentError, match="Another tool has been in verification") as late:
            prover.prove(tool('return {"it": amount}'))
        second.cancel()
        with pytest.raises(AgentError, match="Canceled") as cancelled:
            prover.prove(tool('return {"it": amount}'), cancel=second)
        assert (late.value.code, cancelled.value.code) == (ErrorCode.TIMEOUT, ErrorCode.CANCELED)
    finally:
        first.cancel()
        endless.join()
    assert prover.prove(tool('return {"it": amount}')).ok
