from typing import Iterator


def _factors(number: int) -> Iterator[int]:
    """Yields prime factors, smallest first."""
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            yield divisor
            number //= divisor
        divisor += 1 if divisor == 2 else 2
    if number > 1:
        yield number


def prime_factors(number: int) -> dict:
    """Split a whole number into its prime factors.

    Args:
        number: A whole number from 2 to a billion.

    Returns:
        dict: The factors and whether the number is prime itself.
    """
    if not (2 <= number <= 10**9):
        return {"status": "error", "message": f"{number:,} is not between 2 and 1,000,000,000"}
    factors = list(_factors(number))
    return {"status": "success", "factors": factors, "is_prime": len(factors) == 1, "text": " × ".join(map(str, factors))}
