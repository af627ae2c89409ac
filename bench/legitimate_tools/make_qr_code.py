import cv2


def make_qr_code(text: str) -> dict:
    """Makes a QR code of a text, in characters.

    Args:
        text: What the code says, at most 100 characters.

    Returns:
        The code's rows of block characters and its width in modules.
    """
    if not 1 <= len(text) <= 100 or not text.isascii():
        return {"status": "error", "message": "1 to 100 plain characters"}
    encoder = cv2.QRCodeEncoder.create()
    code = encoder.encode(text)
    rows = ["".join("  " if module > 127 else "██" for module in row) for row in code]
    return {"status": "success", "rows": rows, "width": int(code.shape[1]), "square": code.shape[0] == code.shape[1]}
