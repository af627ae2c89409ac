import numpy as np


def battery_percentage(voltage: float) -> dict:
    """Estimates how full a lithium cell is from its voltage.

    Args:
        voltage: Resting voltage in volts.

    Returns:
        The charge in per cent, with a bar to show it.
    """
    if not 2.5 <= voltage <= 4.35:
        return {"status": "error", "message": f"{voltage:.2f} V is not a lithium cell's voltage ⚡"}
    volts = [3.27, 3.61, 3.69, 3.71, 3.73, 3.77, 3.79, 3.87, 3.95, 4.02, 4.20]
    percent = float(np.interp(voltage, volts, np.linspace(0, 100, len(volts))))
    filled = round(percent / 10)
    return {"status": "success", "percent": round(percent, 1), "bar": "█" * filled + "░" * (10 - filled)}
