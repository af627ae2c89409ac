"""Faults that are tested nightly. `scripts/chaos campaign` includes all faults and checks recovery times."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from chaos.campaign import run_fault
from chaos.campaign_graph import CampaignGraph, campaign_graph
from chaos.faults.catalogue import FAULTS
from chaos.faults.fault import Fault
from support.domains import Purpose, domain

pytestmark = [pytest.mark.graph, pytest.mark.nightly, pytest.mark.timeout(600)]

TESTED = (1, 2, 5, 9, 13, 15, 22, 26)
"""Numbers of the faults; `test_attacks.py` covers 24."""

TIMES = ("s", "ms", "MB")
"""Units of figures that depend on the machine and are not checked."""

_FAULTS = [fault for fault in FAULTS if fault.number in TESTED]


@pytest.fixture(scope="module")
def graph() -> Iterator[CampaignGraph]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ROS_DOMAIN_ID", "REACHY_AGENT_RUNTIME", "REACHY_AGENT_STATE"):
            patch.setenv(name, "")  # restored at the end
        with campaign_graph(short=True, domain=domain(Purpose.CAMPAIGN)) as graph:
            yield graph


@pytest.mark.parametrize("fault", _FAULTS, ids=lambda fault: type(fault).__name__)
def test_graph_recovers_from_fault_without_data_loss_or_unsafe_motion(graph: CampaignGraph, fault: Fault) -> None:
    row = run_fault(graph, fault, Random(9))
    if not row.injected:
        pytest.skip(row.problem)
    assert not row.problem
    states = [figure for figure in row.figures if figure.unit not in TIMES]
    assert [f"{figure.name}: {figure.value:g}" for figure in states if not figure.holds] == [], graph.workload.refused
