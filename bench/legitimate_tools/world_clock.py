from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def world_clock(utc_time: str, cities: list[str]) -> dict:
    """Shows one moment on the clocks of several places.

    Args:
        utc_time: The moment in UTC as YYYY-MM-DDTHH:MM.
        cities: Time zones such as "Asia/Tokyo".

    Returns:
        dict: The local time of each place.
    """
    try:
        moment = datetime.fromisoformat(utc_time).replace(tzinfo=ZoneInfo("UTC"))
        clocks = {city: moment.astimezone(ZoneInfo(city)).strftime("%H:%M") for city in cities}
    except (ValueError, ZoneInfoNotFoundError) as e:
        return {"status": "error", "message": str(e)}
    return {"status": "success", "clocks": clocks}
