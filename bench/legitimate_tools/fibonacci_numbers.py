from itertools import islice, takewhile


def fibonacci_numbers(count: int = 10, below: int | None = None) -> dict:
    """List the first Fibonacci numbers.

    Args:
        count: How many numbers to give at most.
        below: Stop before this number, if given.

    Returns:
        The numbers and their sum.
    """

    def _endless():
        a, b = 0, 1
        while True:
            yield a
            a, b = b, a + b

    if not 1 <= count <= 90:
        return {"status": "error", "message": "count goes from 1 to 90"}
    numbers = islice(_endless(), count)
    if below is not None:
        numbers = takewhile(lambda n: n < below, numbers)
    found = [*numbers]
    return {"status": "success", "numbers": found, "sum": sum(found)}
