"""Routes for the robot: state, emergency stop and 3D model."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field
from starlette.responses import FileResponse

from reachy_agent_ros.gateway.callers import Caller, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.robot import StateAnswer
from reachy_agent_ros.gateway.request_handling import StrictRoute
from reachy_agent_ros.gateway.robot_model import JOINTS, MODEL
from reachy_agent_ros.gateway.roles import Role

body_router = APIRouter(tags=["body"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]


@body_router.get("/state", dependencies=[Depends(requires(Role.OBSERVER))])
async def state(gateway: TheGateway) -> StateAnswer:
    """Returns the measured state of the robot."""
    return await gateway.robot.state()


@body_router.post("/stop")
async def stop(gateway: TheGateway, caller: Annotated[Caller, Depends(requires(Role.OBSERVER))]) -> StateAnswer:
    """Stops the robot at once and returns the state that the robot confirms. Exempt from the rate limit."""
    return await gateway.robot.stop(caller.principal.name)


@body_router.post("/stop/reset", dependencies=[Depends(requires(Role.OPERATOR))])
async def reset(gateway: TheGateway) -> StateAnswer:
    """Resets the emergency stop, so that the robot can move again."""
    return await gateway.robot.reset()


model_router = APIRouter(
    prefix="/robot", tags=["robot"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute
)


_HEADERS = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
_GLB = "model/gltf-binary"


class Joint(BaseModel):
    """Movable joint of the robot."""

    name: str = Field(description="Name of the joint in the URDF.")
    type: Literal["revolute", "continuous", "prismatic", "floating"] = Field(
        description="Type of the joint; for `floating`, `head_pose` is the pose of its child."
    )
    link: str = Field(description="Link that the joint moves, a node of the model.")
    axis: list[float] = Field(description="Axis of rotation in the frame of that link at position zero.")


class RobotModelDescription(BaseModel):
    """Joints of the 3D model."""

    root: str = Field(description="Root link.")
    joints: list[Joint]


@model_router.get("/model.glb", response_class=FileResponse, responses={200: {"content": {_GLB: {}}}})
async def model(request: Request, gateway: TheGateway) -> FileResponse:
    """Returns the robot's 3D model as glTF 2.0, in m, z up. The first request after an update generates the model."""
    folder = await gateway.model.folder()
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers = {**_HEADERS, "Content-Encoding": "gzip"}
        return FileResponse(folder / f"{MODEL}.gz", headers=headers, media_type=_GLB)
    return FileResponse(folder / MODEL, headers=_HEADERS, media_type=_GLB)


@model_router.get("/model.json")
async def joints(gateway: TheGateway) -> RobotModelDescription:
    """Returns the joints of the 3D model and their axes."""
    folder = await gateway.model.folder()
    return RobotModelDescription.model_validate_json((folder / JOINTS).read_bytes())
