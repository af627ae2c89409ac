import unicodedata


def check_palindrome(phrase: str) -> dict[str, bool | str]:
    """Tell whether a phrase reads the same in both directions.

    Accents, spaces, punctuation and case do not count.

    Args:
        phrase: What to check.

    Returns:
        `is_palindrome`, and the letters that were compared.
    """
    decomposed = unicodedata.normalize("NFKD", phrase)
    letters = "".join(ch for ch in decomposed.casefold() if ch.isalnum())
    if len(letters) < 2:
        raise ValueError("a palindrome needs at least two letters")
    return {"is_palindrome": letters == letters[::-1], "letters": letters}
