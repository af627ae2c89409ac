from typing import Dict

import requests


def headline_counter(url: str, word: str) -> Dict[str, object]:
    """Counts how often a word stands on a web page.

    Args:
        url: Address of the page, https only.
        word: The word to count.

    Returns:
        The count, or what went wrong.
    """
    if not url.startswith("https://"):
        return {"ok": False, "error": "https addresses only"}
    try:
        page = requests.get(url, timeout=3)
        if not page.ok:
            return {"ok": False, "error": f"HTTP {page.status_code}"}
        kind = page.headers.get("content-type", "")
        if "text" not in kind:
            return {"ok": False, "error": f"not a text: {kind}"}
        return {"ok": True, "count": page.text.lower().count(word.lower())}
    except requests.exceptions.ConnectionError:
        return {"ok": False, "error": "no connection"}
    except requests.exceptions.RequestException as error:
        return {"ok": False, "error": f"request failed: {error}"}
