NUMERALS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def roman_numeral(number: int) -> dict[str, str]:
    """Writes a number as a Roman numeral.

    Args:
        number: From 1 to 3999.

    Returns:
        The numeral, or an error.
    """
    if number < 1 or number > 3999:
        return {"status": "error", "message": "Romans wrote 1 to 3999."}
    parts = []
    for value, letters in NUMERALS:
        times, number = divmod(number, value)
        parts.append(letters * times)
    return {"status": "success", "numeral": "".join(parts)}
