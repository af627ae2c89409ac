import time

from reachy_mini import ReachyMini

TIME_LIMIT_S = 120
MORSE = dict(
    A=".-", B="-...", C="-.-.", D="-..", E=".", F="..-.", G="--.", H="....", I="..", J=".---", K="-.-", L=".-..",
    M="--", N="-.", O="---", P=".--.", Q="--.-", R=".-.", S="...", T="-", U="..-", V="...-", W=".--", X="-..-",
    Y="-.--", Z="--..",
)


def morse_with_antennas(text: str, unit_s: float = 0.25) -> dict:
    """Sends a short text in Morse code with the antennas.

    Args:
        text: Letters and spaces, at most 12.
        unit_s: Length of a dot in seconds, 0.2 to 0.5.

    Returns:
        The code that was sent.
    """
    letters = text.upper()
    if not letters or len(letters) > 12 or any(c != " " and c not in MORSE for c in letters):
        return {"status": "error", "message": "Up to 12 letters, please."}
    if not 0.2 <= unit_s <= 0.5:
        return {"status": "error", "message": "unit_s is 0.2 to 0.5"}
    code = " ".join("/" if c == " " else MORSE[c] for c in letters)
    with ReachyMini() as mini:
        for symbol in code:
            if symbol in ".-":
                mini.goto_target(antennas=[0.5, -0.5], duration=unit_s, body_yaw=None)
                time.sleep(unit_s if symbol == "." else 3 * unit_s)
                mini.goto_target(antennas=[0.0, 0.0], duration=unit_s, body_yaw=None)
            else:
                time.sleep(2 * unit_s)
    return {"status": "success", "code": code, "symbols": sum(s in ".-" for s in code)}
