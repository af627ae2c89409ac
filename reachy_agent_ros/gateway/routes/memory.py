"""What the robot remembers: found by words, and forgotten so that it is gone."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.callers import Role, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.request_handling import StrictRoute

router = APIRouter(prefix="/memory", tags=["memory"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]
MemoryKind = Literal["fact", "episode", "note", "document"]


class MemoryEntry(BaseModel):
    """One thing that is remembered."""

    id: int = Field(description="Never given twice.")
    kind: MemoryKind
    key: str = Field(description="A fact's name, the file of a note or document; empty for an episode.")
    text: str
    source: str = Field(description="Where it comes from.")
    created: float = Field(description="Seconds since the epoch.")
    participants: list[str] = Field(description="Who took part in an episode.")
    score: float | None = Field(description="How well its words answer the query, 0 to 1; null without a query.")


class MemoryAnswer(BaseModel):
    """What was found."""

    entries: list[MemoryEntry] = Field(description="The best first; without a query the newest.")


class ForgottenAnswer(BaseModel):
    """What was forgotten."""

    forgotten: int = Field(description="Entries.")
    erased: bool = Field(
        description="Whether no byte of them is left on the disk; false while another process reads the file, and "
        "then they go when it is opened next."
    )


@router.get("", dependencies=[Depends(requires(Role.OBSERVER))])
async def find(
    gateway: TheGateway,
    query: Annotated[str, Query(max_length=2_000, description="Words to look for; empty: the newest entries.")] = "",
    kind: Annotated[list[MemoryKind] | None, Query(description="Only these sorts; may be repeated.")] = None,
    limit: Annotated[int, Query(ge=1, le=100, description="Entries at most.")] = 50,
) -> MemoryAnswer:
    """What the robot remembers. It is searched by words; asked in a conversation it searches by meaning as well."""
    found = await gateway.memories.find(query, kind or (), limit)
    return MemoryAnswer.model_validate({"entries": [asdict(entry) for entry in found]})


@router.delete("/{number}", dependencies=[Depends(requires(Role.ADMINISTRATOR))])
async def forget(number: Annotated[int, Path(ge=1, le=2**53)], gateway: TheGateway) -> ForgottenAnswer:
    """Forgets a fact or an episode so that it is gone from the disk; a passage of a file goes with the file."""
    return ForgottenAnswer.model_validate(asdict(await gateway.memories.forget(number)))
