import string


async def caesar_cipher(text: str, shift: int, decode: bool = False) -> dict:
    """
    Encode or decode a secret message with the Caesar cipher.

    Args:
        text: Message to transform
        shift: Number of letters to shift by (1 to 25)
        decode: Whether to decode instead of encode

    Returns:
        dict: {"status": "success/error", "data": {"text": ...}}
    """
    # Validation
    if not 1 <= shift <= 25:
        return {"status": "error", "message": "shift must be between 1 and 25"}

    try:
        offset = -shift if decode else shift
        lower = string.ascii_lowercase
        rotated = lower[offset % 26:] + lower[:offset % 26]
        table = str.maketrans(lower + lower.upper(), rotated + rotated.upper())
        return {"status": "success", "data": {"text": text.translate(table)}}
    except Exception as e:
        return {"status": "error", "message": str(e)}
