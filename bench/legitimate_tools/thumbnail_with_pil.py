import numpy as np
from PIL import Image, ImageDraw


def thumbnail_with_pil(width: int = 64, label: str = "Reachy") -> dict:
    """Draws a small badge with Pillow.

    Args:
        width: Width in pixels, 32 to 512.
        label: Text on the badge.

    Returns:
        Size of the badge and its mean brightness.
    """
    if not 32 <= width <= 512:
        return {"status": "error", "message": "width is 32 to 512"}
    image = Image.new("RGB", (width * 2, width), color=(20, 30, 60))
    draw = ImageDraw.Draw(image)
    draw.ellipse((4, 4, width - 4, width - 4), fill=(240, 200, 40))
    draw.text((width, width // 3), label, fill="white")
    badge = image.resize((width, width // 2)).convert("L")
    return {"status": "success", "size": list(badge.size), "bright": bool(np.asarray(badge).mean() > 40)}
