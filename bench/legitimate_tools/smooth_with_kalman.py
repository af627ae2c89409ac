def smooth_with_kalman(measurements: list[float], process_noise: float = 0.01, measurement_noise: float = 1.0) -> dict:
    """Smooth noisy measurements of a slowly changing value with a one-dimensional Kalman filter.

    Args:
        measurements: Readings in order.
        process_noise: Variance by which the true value may change between readings.
        measurement_noise: Variance of a reading.

    Returns:
        dict: The filtered values, and the last gain.
    """
    if process_noise <= 0 or measurement_noise <= 0:
        return {"status": "error", "message": "noise must be positive"}
    if not measurements:
        return {"status": "error", "message": "no measurements"}

    estimate, variance, gain = measurements[0], 1.0, 0.0
    estimates = [estimate]
    for z in measurements[1:]:
        variance += process_noise
        gain = variance / (variance + measurement_noise)
        estimate += gain * (z - estimate)
        variance *= 1 - gain
        estimates.append(estimate)
    return {"status": "success", "estimates": [round(e, 4) for e in estimates], "gain": round(gain, 4)}
