"""Control experiment: in a sandbox without protection, most attacks of the corpus succeed.

It checks the corpus, which rarely changes, and not the product, so it only runs nightly.
"""

from __future__ import annotations

import pytest

from chaos.security.lax_sandbox import successes
from corpus.hostile_tools import hostile_tools

LEAST = 0.8
"""Required share of successful attacks. Some need IPv6 or a kernel module, which a machine may lack."""


@pytest.mark.nightly
@pytest.mark.timeout(900)
def test_most_visible_attacks_succeed_in_unprotected_sandbox() -> None:
    outcomes = successes([tool for tool in hostile_tools() if tool.visible])
    stopped = sorted(name for name, is_success in outcomes.items() if not is_success)
    assert len(outcomes) >= 290
    assert len(stopped) <= (1.0 - LEAST) * len(outcomes), stopped
