async def table_inventory(minimum_confidence: float = 0.3) -> dict:
    """List what lies in front of the robot, sorted from left to right.

    Args:
        minimum_confidence: Leave out what was seen with less confidence (0 to 1).

    Returns:
        dict: {"status": "success", "data": {...}}
    """
    if not 0.0 <= minimum_confidence <= 1.0:
        return {"status": "error", "message": "minimum_confidence must be between 0 and 1"}
    try:
        things = [d for d in await detect_objects() if d["confidence"] >= minimum_confidence]
        things.sort(key=lambda d: d["yaw_deg"], reverse=True)
        names = [d["name"] for d in things]
        totals = {name: names.count(name) for name in sorted(set(names))}
        return {"status": "success", "data": {"order": names, "totals": totals, "consistent": sum(totals.values()) == len(names)}}
    except Exception as e:
        return {"status": "error", "message": str(e)}
