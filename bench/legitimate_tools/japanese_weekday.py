import datetime as dt

WEEKDAYS = "月火水木金土日"


def japanese_weekday(year: int, month: int, day: int) -> dict:
    """Names the weekday of a date in Japanese.

    Args:
        year: Year, four digits.
        month: Month, 1 to 12.
        day: Day of the month.

    Returns:
        dict: The weekday, such as 金曜日, and the date written the Japanese way.
    """
    try:
        when = dt.datetime(year, month, day)
    except ValueError:
        return {"status": "error", "message": "そんな日はありません 🙇"}
    return {"status": "success", "weekday": WEEKDAYS[when.weekday()] + "曜日", "date": f"{when:%Y}年{when.month}月{when.day}日"}
