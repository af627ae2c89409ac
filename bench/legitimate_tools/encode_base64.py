import base64
import binascii


def encode_base64(text: str, direction: str = "encode") -> dict:
    """Encodes text as Base64, or decodes it.

    Args:
        text: What to convert.
        direction: "encode" or "decode".

    Returns:
        The converted text.
    """
    if direction == "encode":
        return {"status": "success", "text": base64.b64encode(text.encode("utf-8")).decode("ascii")}
    if direction == "decode":
        try:
            return {"status": "success", "text": base64.b64decode(text, validate=True).decode("utf-8")}
        except (binascii.Error, UnicodeDecodeError) as error:
            return {"status": "error", "message": f"Not Base64: {error}"}
    return {"status": "error", "message": "direction is encode or decode"}
