"""Opens the strongest sandbox that this host can be shown to have, or refuses."""

from __future__ import annotations

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.sandbox.bubblewrap import Bubblewrap
from reachy_agent_ros.tool_generation.sandbox.enclosure import Enclosure
from reachy_agent_ros.tool_generation.sandbox.interior import interior
from reachy_agent_ros.tool_generation.sandbox.landlocked import Landlocked
from reachy_agent_ros.tool_generation.sandbox.proof import Proof, prove, require_start
from reachy_agent_ros.tool_generation.sandbox.proof_cache import remember, remembered
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox

_ADVICE = """Generated tools stay off. To enable them:
- bubblewrap from 0.8: apt install bubblewrap
- Ubuntu 24.04, where AppArmor denies bubblewrap its user namespace ("setting up uid map: Permission denied"):
  apt install apparmor-profiles
  cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/
  apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict
- Docker: a host whose kernel has Landlock, or --security-opt seccomp=unconfined --security-opt apparmor=unconfined
- a kernel of one's own: CONFIG_USER_NS, CONFIG_SECCOMP_FILTER, and CONFIG_SECURITY_LANDLOCK with "landlock" in lsm=
See docs/sandbox.md."""


def open_sandbox(spares: int = 2) -> Sandbox:
    """Proves a box by trying it, the full one first, and starts the spares.

    Args:
        spares: Boxes that wait for a run.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: no kind of box holds; it says what failed and how to enable it.
    """
    reasons = []
    for kind, name in ((Bubblewrap, "With namespaces"), (Landlocked, "With Landlock")):
        try:
            enclosure, proof = _proven(kind)
        except AgentError as error:
            reasons.append(f"{name}: {error.message}")
        else:
            return Sandbox(enclosure, proof.probes, proof.overhead, spares)
    raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, "\n".join(["No box can be proven here.", *reasons, _ADVICE]))


def _proven(kind: type[Bubblewrap] | type[Landlocked]) -> tuple[Enclosure, Proof]:
    enclosure = kind(interior())
    known = remembered(enclosure) if isinstance(enclosure, Bubblewrap) else None
    try:
        if known is not None:
            require_start(enclosure, known.overhead)  # a person may have forbidden namespaces since
            return enclosure, known
        proof = prove(enclosure)
    except AgentError:
        enclosure.close()
        raise
    if isinstance(enclosure, Bubblewrap):
        remember(enclosure, proof)
    return enclosure, proof
