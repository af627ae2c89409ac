import hashlib


def fingerprint_text(text: str, algorithm: str = "sha256") -> dict[str, str]:
    """Gives a text's fingerprint, by which two texts can be compared.

    Args:
        text: Any text.
        algorithm: sha256, sha1 or md5.

    Returns:
        The fingerprint in hexadecimal, and a short form of it.
    """
    makers = {"sha256": hashlib.sha256, "sha1": hashlib.sha1, "md5": hashlib.md5}
    if (maker := makers.get(algorithm)) is None:
        return {"status": "error", "message": f"unknown algorithm {algorithm!r}"}
    digest = maker(text.encode()).hexdigest()
    return {"status": "success", "fingerprint": digest, "short": digest[:8]}
