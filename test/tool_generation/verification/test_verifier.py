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
    """Source of a tool with this body, indented by four blanks."""
    name = signature.partition(":")[0]
    lines = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
    text = f'{head}\n\ndef try_it({signature}) -> dict:\n    """Tries it.\n\n'
    text += f"    Args:\n        {name}: How much of it.\n\n    Returns:\n        What came of it.\n"
    return f'{text}    """\n{lines}\n'.encode()


def stages(proof: Proof) -> dict[VerificationStage, bool]:
    return {verdict.stage: verdict.ok for verdict in proof.verdicts}


@pytest.mark.slow
def test_a_tool_that_does_what_its_cases_say_passes_every_stage(prover: Verifier) -> None:
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


def test_a_wrong_result_is_told_by_case_and_place(prover: Verifier) -> None:
    proof = prover.prove(tool('return {"half": amount}'), [Case({"amount": 0.0}), Case({"amount": 3}, {"half": 1.5})])
    assert stages(proof) == {
        VerificationStage.TEXT: True,
        VerificationStage.SYNTAX: True,
        VerificationStage.SANDBOX: False,
    }
    assert "1 of 2 cases failed." in proof.verdicts[-1].reason
    assert 'Case 2, {"amount": 3}: result["half"]: expected 1.5, got 3' in proof.verdicts[-1].reason


def test_a_source_that_is_no_text_or_no_tool_goes_no_further(prover: Verifier) -> None:
    text, syntax = prover.prove(b"\xff\xfe"), prover.prove(b"import os\n")
    assert stages(text) == {VerificationStage.TEXT: False}
    assert stages(syntax) == {VerificationStage.TEXT: True, VerificationStage.SYNTAX: False}
    assert "line 1" in syntax.verdicts[-1].reason
    assert text.program is syntax.program is None
    assert not text.ok
    assert not syntax.ok


def test_a_taken_name_is_refused(prover: Verifier) -> None:
    assert stages(prover.prove(tool("return {}"), taken=["try_it"])) == {
        VerificationStage.TEXT: True,
        VerificationStage.SYNTAX: False,
    }


@pytest.mark.parametrize(
    ("body", "case", "complaint"),
    [
        ("return {}", Case(raises="ValueError"), "should have raised ValueError, but it returned a result"),
        ('raise KeyError("x")', Case(raises="ValueError"), "should have raised ValueError, but this came"),
        ("return {}[amount]", Case(), "KeyError"),
        ("answer = [amount]\nreturn answer", Case(), "returned a list"),
        ("answer = None\nreturn answer", Case(), "returned a NoneType"),
        ('return {"x": math.nan}', Case(), ""),
        ("while amount:\n    pass\nreturn {}", Case(), "may take 1 s"),
        ('return {"x": amount}', Case({"amount": "much"}), "its arguments are refused"),
        ('return {"x": amount}', Case({"number": 1.0}), "there is no argument 'number'"),
    ],
)
def test_what_a_case_may_not_do(prover: Verifier, body: str, case: Case, complaint: str) -> None:
    proof = prover.prove(tool(body, head="import math\nTIME_LIMIT_S = 1"), [case])
    assert stages(proof).get(VerificationStage.SANDBOX) is False
    assert complaint in proof.verdicts[-1].reason


def test_wrong_arguments_count_as_raised_because_the_tool_never_gets_them(prover: Verifier) -> None:
    assert prover.prove(tool("return {}"), [Case({"amount": "much"}, raises="TypeError")]).ok


def test_without_cases_it_is_called_with_defaults_and_plain_arguments(prover: Verifier) -> None:
    assert prover.prove(tool('return {"x": amount}')).cases[0].result == {"x": 1.0}
    named = prover.prove(tool('return {"x": name}', "name: str"))
    assert named.cases[0].result == {"x": "Ada"}
    assert "without cases" in named.verdicts[2].reason


def test_a_page_that_nobody_allowed_is_no_fault_of_a_tool_without_cases(prover: Verifier) -> None:
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
def test_invented_arguments_may_be_refused_but_excuse_no_mistake(
    prover: Verifier, body: str, signature: str, ok: bool
) -> None:
    assert prover.prove(tool(body, signature)).ok is ok


def test_defaults_that_take_long_are_advised_about_and_those_without_end_refused(prover: Verifier) -> None:
    long = prover.prove(tool("time.sleep(60)\nreturn {}", head=ROBOT))
    assert long.ok
    assert "By its defaults it takes 60 s, and would be stopped after 10 s" in long.verdicts[2].reason
    endless = prover.prove(tool("while amount:\n    time.sleep(1)\nreturn {}", head=ROBOT))
    assert not endless.ok
    assert "longer than its 300 s" in endless.verdicts[-1].reason


@pytest.mark.slow
def test_a_public_site_that_nobody_has_allowed_is_no_violation_and_a_private_one_is(prover: Verifier) -> None:
    body = """
try:
    return {"status": requests.get(f"http://{place}/").status_code}
except requests.exceptions.RequestException as error:
    return {"error": str(error)}
"""
    source = tool(body, "place: str", head="import requests")
    public, private = (prover.prove(source, [Case({"place": place})]) for place in ("example.org", "127.0.0.1:80"))
    assert public.ok
    assert "a person may add it" in public.cases[0].result["error"]
    assert not private.ok
    assert "get: tools may not ask 127.0.0.1:80" in private.violations[0]


@pytest.mark.slow
def test_what_moves_the_robot_is_tried_on_the_twin(prover: Verifier) -> None:
    body = "with ReachyMini() as mini:\n    mini.goto_target(create_head_pose(yaw=amount), duration=0.5)\nreturn {}"
    proof = prover.prove(tool(body, head=ROBOT), [Case({"amount": 10.0}), Case({"amount": -10.0})])
    assert proof.ok, proof
    assert proof.robot_commands == 2
    assert proof.verdicts[-1].reason == "2 of 2 cases move the robot, within its envelope."


@pytest.mark.parametrize(("where", "complaint"), [("z=0.5", "beyond its limits"), ("pitch=0.8", "was clamped")])
def test_a_command_beyond_the_envelope_fails_the_trial(prover: Verifier, where: str, complaint: str) -> None:
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
def test_a_stream_within_the_envelope_passes(prover: Verifier) -> None:
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


def test_a_flood_of_targets_is_no_proof(prover: Verifier) -> None:
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
    assert any("targets a second" in violation for violation in proof.violations)


def test_time_that_is_slept_counts_and_takes_none(prover: Verifier) -> None:
    proof = prover.prove(tool("time.sleep(3600)\nreturn {}", head=ROBOT), [Case()])
    assert "longer than its 10 s" in proof.verdicts[-1].reason
    assert proof.cases[0].elapsed < 10.0


@pytest.mark.slow
def test_the_clock_of_a_rehearsal_goes_on_with_what_the_robot_does(prover: Verifier) -> None:
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


def test_photos_of_a_rehearsal_are_not_kept(prover: Verifier, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    body = 'photo = take_photo()\ntime.sleep(1)\nreturn {"there": bool(photo["path"]), "width": photo["width"]}'
    proof = prover.prove(tool(body, head=ROBOT), [Case({}, {"there": True, "width": 640})])
    assert proof.ok, proof
    assert list(tmp_path.iterdir()) == []


def test_a_cancelled_proof_ends_at_once_and_fails(sandbox: Sandbox, prover: Verifier) -> None:
    cancel = CancelToken()
    threading.Timer(0.3, cancel.cancel).start()
    proof = prover.prove(tool("while amount:\n    pass\nreturn {}"), cancel=cancel)
    assert not proof.ok
    assert "ancelled" in proof.verdicts[-1].reason


def test_several_sources_are_proven_at_once_without_mixing_them_up(prover: Verifier) -> None:
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
def test_one_proof_leaves_nothing_behind_for_the_next(prover: Verifier) -> None:
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


def test_a_prover_that_was_never_warmed_leaves_nothing_when_it_is_closed(sandbox: Sandbox) -> None:
    before = {*threading.enumerate()}
    Verifier(sandbox, Fetcher()).close()
    assert {*threading.enumerate()} <= before


@pytest.mark.slow
def test_a_proof_waits_for_another_until_it_is_cancelled_or_told_why(
    prover: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = CancelToken(), CancelToken()
    endless = threading.Thread(
        target=prover.prove, args=(tool("while amount:\n    pass\nreturn {}"),), kwargs={"cancel": first}
    )
    endless.start()
    try:
        wait_until(prover._lock.locked, 30.0)
        monkeypatch.setattr("reachy_agent_ros.tool_generation.verification.verifier.LONGEST_WAIT", 0.1)
        with pytest.raises(AgentError, match="Another tool has been in its proof") as late:
            prover.prove(tool('return {"it": amount}'))
        second.cancel()
        with pytest.raises(AgentError, match="Cancelled") as cancelled:
            prover.prove(tool('return {"it": amount}'), cancel=second)
        assert (late.value.code, cancelled.value.code) == (ErrorCode.TIMEOUT, ErrorCode.CANCELED)
    finally:
        first.cancel()
        endless.join()
    assert prover.prove(tool('return {"it": amount}')).ok
