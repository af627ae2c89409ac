from typing import Optional


def simulate_pid(kp: float, ki: float, kd: float, setpoint: float = 1.0, steps: Optional[int] = None) -> dict:
    """Simulates a PID controller on a first-order system.

    Args:
        kp: Proportional gain.
        ki: Integral gain.
        kd: Derivative gain.
        setpoint: Wanted value.
        steps: Number of steps of 0.05 s; 400 if not given.

    Returns:
        Final value, overshoot in per cent, and whether it settled.
    """
    dt, steps = 0.05, 400 if steps is None else steps
    if min(kp, ki, kd) < 0 or not 1 <= steps <= 5000:
        return {"status": "error", "message": "gains are not negative; steps are 1 to 5000"}
    value = integral = 0.0
    previous, peak = setpoint, 0.0
    for _ in range(steps):
        error = setpoint - value
        integral += error * dt
        drive = kp * error + ki * integral + kd * (error - previous) / dt
        previous = error
        value += dt * (drive - value)
        peak = max(peak, value)
    overshoot = max(0.0, (peak - setpoint) / setpoint * 100) if setpoint else 0.0
    settled = abs(value - setpoint) < 0.02 * max(1.0, abs(setpoint))
    return {"status": "success", "final": round(value, 3), "overshoot_percent": round(overshoot, 1), "settled": settled}
