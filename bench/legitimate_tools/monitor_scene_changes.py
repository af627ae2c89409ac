TIME_LIMIT_S = 90


async def monitor_scene_changes(interval: int = 5, duration: int = 60) -> dict:
    """Monitor scene for changes and alert on new objects

    Args:
        interval: Seconds between looks
        duration: Total duration in seconds

    Returns:
        dict: {"status": "success", "alerts": [...]}
    """
    from reachy_mini import ReachyMini
    import cv2
    import time

    with ReachyMini() as reachy:
        # Get baseline
        baseline = reachy.media.camera.read()
        baseline_description = await analyze_scene("list objects")
        baseline_objects = set(baseline_description.split(', '))

        alerts = []
        start_time = time.time()

        while time.time() - start_time < duration:
            time.sleep(interval)

            # Check current scene
            current = reachy.media.camera.read()
            current_description = await analyze_scene("list objects")
            current_objects = set(current_description.split(', '))

            # Detect new objects
            new_objects = current_objects - baseline_objects
            if new_objects:
                alerts.append({
                    'time': time.time() - start_time,
                    'new_objects': list(new_objects)
                })

        return {"status": "success", "alerts": alerts}
