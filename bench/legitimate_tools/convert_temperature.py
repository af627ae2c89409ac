from typing import Literal


def convert_temperature(value: float, source: Literal["C", "F", "K"], target: Literal["C", "F", "K"]) -> dict:
    """Converts a temperature between Celsius, Fahrenheit and Kelvin.

    Args:
        value: Temperature in the source unit.
        source: Unit of the value.
        target: Unit wanted.

    Returns:
        The status and the temperature.
    """
    match source:
        case "C":
            kelvin = value + 273.15
        case "F":
            kelvin = (value - 32.0) * 5.0 / 9.0 + 273.15
        case _:
            kelvin = value
    if kelvin < 0:
        return {"status": "error", "message": "That is below absolute zero."}
    match target:
        case "C":
            result = kelvin - 273.15
        case "F":
            result = (kelvin - 273.15) * 9.0 / 5.0 + 32.0
        case _:
            result = kelvin
    return {"status": "success", "value": round(result, 2), "text": f"{value:g} °{source} = {result:.1f} °{target}"}
