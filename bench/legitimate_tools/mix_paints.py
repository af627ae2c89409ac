import colorsys
from typing import List


def mix_paints(colours: List[str]) -> dict:
    """Mix colours by averaging them, and describe the mixture.

    Args:
        colours: Colours as "#rrggbb".

    Returns:
        dict: the mixture as hex, and its hue, saturation and value
    """
    if not colours:
        return {"status": "error", "message": "no colours"}
    try:
        channels = [tuple(int(c.lstrip("#")[i:i + 2], 16) for i in (0, 2, 4)) for c in colours]
    except ValueError:
        return {"status": "error", "message": "colours look like #12ab9f"}
    r, g, b = (sum(column) / len(column) for column in zip(*channels))
    h, s, v = colorsys.rgb_to_hsv(r / 255, g / 255, b / 255)
    return {
        "status": "success",
        "hex": "#%02x%02x%02x" % (round(r), round(g), round(b)),
        "hue_deg": round(h * 360, 1),
        "saturation": round(s, 3),
        "value": round(v, 3),
    }
