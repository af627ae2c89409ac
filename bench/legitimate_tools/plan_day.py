from datetime import datetime, timedelta


def plan_day(start: str, tasks: list[dict], break_minutes: int = 10) -> dict:
    """Lays tasks out over a day, the most urgent first.

    Args:
        start: When to begin, as HH:MM.
        tasks: Tasks as {"name": ..., "minutes": ..., "priority": ...}; 1 is the most urgent.
        break_minutes: Pause between two tasks.

    Returns:
        dict: The plan, line by line, and when it ends.
    """
    try:
        clock = datetime.strptime(start, "%H:%M")
    except ValueError:
        return {"status": "error", "message": "start looks like 09:30"}
    if bad := [t for t in tasks if t.get("minutes", 0) <= 0 or "name" not in t]:
        return {"status": "error", "message": f"{len(bad)} task(s) without a name or duration"}
    plan = []
    for number, task in enumerate(sorted(tasks, key=lambda t: (t.get("priority", 9), t["name"])), start=1):
        end = clock + timedelta(minutes=task["minutes"])
        plan.append(f"{number}. {clock:%H:%M}-{end:%H:%M} {task['name']:<8}|")
        clock = end + timedelta(minutes=break_minutes)
    finished = clock - timedelta(minutes=break_minutes) if plan else clock
    return {"status": "success", "plan": plan, "ends": f"{finished:%H:%M}"}
