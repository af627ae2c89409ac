"""What people have shown, from the versions on disk: whoever makes another one act is obeyed at the next move."""

from __future__ import annotations

from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.imitation.taught_skill import TaughtSkill


class StoredRepertoire:
    """Implements `tools.repertoire.Repertoire`; any thread may ask.

    Args:
        folder: Of the policies; made if need be.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """

    def __init__(self, folder: Path) -> None:
        self._store = PolicyStore(folder)
        self._known: dict[str, tuple[object, TaughtSkill | None]] = {}

    def find(self, name: str) -> TaughtSkill | None:
        """The version that acts; None where nobody has shown a skill of that name, or it cannot have one.

        Raises:
            AgentError: `STORAGE_FAILED`: it is damaged; `POLICY_REJECTED`: its numbers do not fit together.
        """
        try:
            stamp = self._store.stamp(name)
        except AgentError as error:
            if error.code is ErrorCode.NOT_FOUND:
                return None
            raise
        known = self._known.get(name)
        if known is None or known[0] != stamp:
            known = self._known[name] = (stamp, self._read(name))
        return known[1]

    def _read(self, name: str) -> TaughtSkill | None:
        if not self._store.standing(name).active:
            return None
        arrays = self._store.weights(self._store.inspect(name))
        return TaughtSkill.from_arrays(arrays) if TaughtSkill.shown(arrays) else None
