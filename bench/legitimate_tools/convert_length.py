from typing import Any, Dict

UNITS = {
    "mm": 0.001,
    "cm": 0.01,
    "m": 1.0,
    "km": 1000.0,
    "inch": 0.0254,
    "foot": 0.3048,
    "mile": 1609.344,
    "shaku": 0.30303,
}


def convert_length(amount: float, from_unit: str, to_unit: str) -> Dict[str, Any]:
    """Convert a length from one unit to another.

    Args:
        amount: The length to convert.
        from_unit: One of mm, cm, m, km, inch, foot, mile or shaku (尺).
        to_unit: Same choices as from_unit.

    Returns:
        Dict[str, Any]: status, and the converted amount.
    """
    unknown = [unit for unit in (from_unit, to_unit) if unit not in UNITS]
    if unknown:
        return {"status": "error", "message": "Unknown unit: " + ", ".join(unknown), "known": sorted(UNITS)}
    metres = amount * UNITS[from_unit]
    return {"status": "success", "amount": round(metres / UNITS[to_unit], 4), "unit": to_unit}
