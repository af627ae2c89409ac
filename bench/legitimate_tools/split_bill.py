from fractions import Fraction


def split_bill(total_cents: int, shares: dict[str, int]) -> dict:
    """Splits a bill so that the parts add up to the cent.

    Args:
        total_cents: The bill in cents.
        shares: How many shares each person takes.

    Returns:
        Cents for each person.
    """
    everything = sum(shares.values())
    if total_cents < 0 or everything <= 0 or any(s < 0 for s in shares.values()):
        return {"status": "error", "message": "The bill and the shares cannot be negative, and somebody must pay."}
    exact = {name: Fraction(total_cents * share, everything) for name, share in shares.items()}
    parts = {name: int(value) for name, value in exact.items()}
    left = total_cents - sum(parts.values())
    for name in sorted(exact, key=lambda n: (parts[n] - exact[n], n))[:left]:
        parts[name] += 1
    return {"status": "success", "cents": parts, "sum": sum(parts.values())}
