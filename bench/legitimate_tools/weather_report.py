import requests


async def weather_report(latitude: float, longitude: float, timeout: float = 5.0) -> dict:
    """
    Get the current weather for a location from Open-Meteo.

    Args:
        latitude: Latitude in degrees (-90 to 90)
        longitude: Longitude in degrees (-180 to 180)
        timeout: Seconds to wait for the answer

    Returns:
        dict: {"status": "success", "temperature": ..., "wind": ...} or an error
    """
    if not -90 <= latitude <= 90 or not -180 <= longitude <= 180:
        return {"status": "error", "message": "coordinates out of range"}

    url = "https://api.open-meteo.com/v1/forecast"
    params = {"latitude": latitude, "longitude": longitude, "current_weather": "true"}
    try:
        response = requests.get(url, params=params, timeout=timeout)
        response.raise_for_status()
        weather = response.json()["current_weather"]
        return {"status": "success", "temperature": weather["temperature"], "wind": weather["windspeed"]}
    except requests.exceptions.Timeout:
        return {"status": "error", "message": "The weather service took too long."}
    except requests.exceptions.RequestException as e:
        return {"status": "error", "message": f"Weather unavailable: {e}"}
    except (KeyError, ValueError):
        return {"status": "error", "message": "The answer could not be read."}
