"""Routes whose JSON bodies are read strictly."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from json import JSONDecodeError
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from reachy_agent_ros.core.strict_json import strict_json


class StrictRoute(APIRoute):
    """Refuses a body in which a name stands twice: who checks it and who obeys it might read different ones."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """See `APIRoute`."""
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            return await handle(_StrictRequest(request.scope, request.receive))

        return handle_strictly


class _StrictRequest(Request):
    async def json(self) -> Any:
        body = await self.body()
        try:
            return strict_json(body)
        except JSONDecodeError:
            raise
        except ValueError as error:
            raise JSONDecodeError(str(error), body.decode(errors="replace"), 0) from None
