"""The services by which others set a node's parameters, as rclpy has them, but for what would end the node."""

from __future__ import annotations

from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.parameter_service import ParameterService


class ParameterAnswers(ParameterService):
    """Refuses a parameter of a type that there is not: rclpy raises for it, and whoever sent it would end the node."""

    def _set_parameters_callback(
        self, request: SetParameters.Request, response: SetParameters.Response
    ) -> SetParameters.Response:
        try:
            return super()._set_parameters_callback(request, response)
        except ValueError as error:
            response.results = [_refusal(error) for _ in request.parameters]
        return response

    def _set_parameters_atomically_callback(
        self, request: SetParametersAtomically.Request, response: SetParametersAtomically.Response
    ) -> SetParametersAtomically.Response:
        try:
            return super()._set_parameters_atomically_callback(request, response)
        except ValueError as error:
            response.result = _refusal(error)
        return response


def _refusal(error: ValueError) -> SetParametersResult:
    return SetParametersResult(successful=False, reason=str(error))
