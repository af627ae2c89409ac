from datetime import date


def days_until(day: str, today: str | None = None) -> dict[str, int | str]:
    """Counts the days until a date.

    Args:
        day: The date, as YYYY-MM-DD.
        today: Date to count from, as YYYY-MM-DD; the current one if left out.

    Returns:
        The number of days, negative for the past, and the weekday of the date.
    """
    try:
        target = date.fromisoformat(day)
        start = date.today() if today is None else date.fromisoformat(today)
    except ValueError as error:
        return {"status": "error", "message": f"Not a date: {error}"}
    return {"status": "success", "days": (target - start).days, "weekday": target.strftime("%A")}
