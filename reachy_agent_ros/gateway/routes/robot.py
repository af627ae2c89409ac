"""The robot's state, the emergency stop, and the 3D model of the robot."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field
from starlette.responses import FileResponse

from reachy_agent_ros.gateway.callers import Role, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.body import StateAnswer
from reachy_agent_ros.gateway.request_handling import StrictRoute
from reachy_agent_ros.gateway.robot_model import JOINTS, MODEL

body_router = APIRouter(tags=["body"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]


@body_router.get("/state", dependencies=[Depends(requires(Role.OBSERVER))])
async def state(gateway: TheGateway) -> StateAnswer:
    """What the body does now."""
    return await gateway.body.state()


@body_router.post("/stop", dependencies=[Depends(requires(Role.OBSERVER))])
async def stop(gateway: TheGateway) -> StateAnswer:
    """Stops the robot at once; what is answered is the robot's own confirmation. Never limited in rate."""
    return await gateway.body.stop()


@body_router.post("/stop/reset", dependencies=[Depends(requires(Role.OPERATOR))])
async def reset(gateway: TheGateway) -> StateAnswer:
    """Lets the robot move again after a stop."""
    return await gateway.body.reset()


model_router = APIRouter(
    prefix="/robot", tags=["robot"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute
)


_HEADERS = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
_GLB = "model/gltf-binary"


class Joint(BaseModel):
    """A joint that moves."""

    name: str = Field(description="As in the URDF.")
    type: Literal["revolute", "continuous", "prismatic", "floating"] = Field(
        description="`floating`: its child is where `head_pose` says."
    )
    link: str = Field(description="What it moves: a node of the model.")
    axis: list[float] = Field(description="What it turns about, in that link's frame at zero.")


class RobotModelDescription(BaseModel):
    """How the model moves."""

    root: str = Field(description="Link that all others hang on.")
    joints: list[Joint]


@model_router.get("/model.glb", response_class=FileResponse, responses={200: {"content": {_GLB: {}}}})
async def model(request: Request, gateway: TheGateway) -> FileResponse:
    """The robot's links and their surfaces as glTF 2.0, m, z up; the first request after an update makes them."""
    folder = await gateway.model.folder()
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers = {**_HEADERS, "Content-Encoding": "gzip"}
        return FileResponse(folder / f"{MODEL}.gz", headers=headers, media_type=_GLB)
    return FileResponse(folder / MODEL, headers=_HEADERS, media_type=_GLB)


@model_router.get("/model.json")
async def joints(gateway: TheGateway) -> RobotModelDescription:
    """What turns in the model, and about what."""
    folder = await gateway.model.folder()
    return RobotModelDescription.model_validate_json((folder / JOINTS).read_bytes())
