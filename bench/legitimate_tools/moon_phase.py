import math
from datetime import datetime, timezone

SYNODIC_MONTH = 29.530588853
NAMES = ("new moon 🌑", "waxing crescent 🌒", "first quarter 🌓", "waxing gibbous 🌔",
         "full moon 🌕", "waning gibbous 🌖", "last quarter 🌗", "waning crescent 🌘")


def moon_phase(iso_date: str) -> dict:
    """Tells the phase of the moon on a day.

    Args:
        iso_date: Day as YYYY-MM-DD.

    Returns:
        The moon's age in days, its illuminated share, and the name of the phase.
    """
    try:
        when = datetime.fromisoformat(iso_date).replace(hour=12, tzinfo=timezone.utc)
    except ValueError as exc:
        return {"status": "error", "message": str(exc)}
    known_new_moon = datetime(2000, 1, 6, 18, 14, tzinfo=timezone.utc)
    age = ((when - known_new_moon).total_seconds() / 86400.0) % SYNODIC_MONTH
    lit = 0.5 * (1 - math.cos(2 * math.pi * age / SYNODIC_MONTH))
    index = int((age / SYNODIC_MONTH) * 8 + 0.5) % 8
    return {"status": "success", "age_days": round(age, 1), "illumination": round(lit, 2), "phase": NAMES[index]}
