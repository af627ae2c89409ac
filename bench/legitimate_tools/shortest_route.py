import heapq
import math


def shortest_route(roads: list[dict], start: str, goal: str) -> dict:
    """Finds the shortest route over roads between places (Dijkstra).

    Args:
        roads: Each road as {"from": place, "to": place, "km": length}; roads go both ways.
        start: Where to begin.
        goal: Where to go.

    Returns:
        dict: places on the way and total length
    """
    graph = {}
    for road in roads:
        a, b, km = road.get("from"), road.get("to"), road.get("km", -1)
        if not a or not b or km < 0:
            return {"status": "error", "message": f"a bad road: {road}"}
        graph.setdefault(a, []).append((b, km))
        graph.setdefault(b, []).append((a, km))
    best, heap = {start: 0.0}, [(0.0, start, [start])]
    while heap:
        km, place, way = heapq.heappop(heap)
        if place == goal:
            return {"status": "success", "way": way, "km": km}
        for other, length in graph.get(place, []):
            if (candidate := km + length) < best.get(other, math.inf):
                best[other] = candidate
                heapq.heappush(heap, (candidate, other, [*way, other]))
    return {"status": "error", "message": f"no way from {start} to {goal}"}
