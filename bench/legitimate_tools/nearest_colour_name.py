import numpy as np

PALETTE = {
    "black": (0, 0, 0), "white": (255, 255, 255), "red": (255, 0, 0), "green": (0, 128, 0),
    "blue": (0, 0, 255), "yellow": (255, 255, 0), "orange": (255, 165, 0), "purple": (128, 0, 128),
    "pink": (255, 192, 203), "brown": (139, 69, 19), "grey": (128, 128, 128), "cyan": (0, 255, 255),
}


def nearest_colour_name(red: int, green: int, blue: int) -> dict:
    """Finds the plain name that is nearest to a colour.

    Args:
        red: 0 to 255.
        green: 0 to 255.
        blue: 0 to 255.

    Returns:
        The name, the colour as hexadecimal, and the distance.
    """
    colour = np.array([red, green, blue])
    if np.any(colour < 0) or np.any(colour > 255):
        return {"status": "error", "message": "Each channel goes from 0 to 255."}
    names = list(PALETTE)
    table = np.array([PALETTE[name] for name in names], dtype=float)
    distances = np.linalg.norm(table - colour, axis=1)
    best = int(np.argmin(distances))
    return {
        "status": "success",
        "name": names[best],
        "hex": "#{:02x}{:02x}{:02x}".format(red, green, blue),
        "distance": round(float(distances[best]), 3),
    }
