import re

MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+\w")
PHONE = re.compile(r"\+?\d[\d\s()-]{6,}\d")


def extract_contacts(note: str) -> dict:
    """Finds mail addresses and phone numbers in a note.

    Args:
        note: The note's text.

    Returns:
        The addresses and numbers, without repetition, in order of appearance.
    """
    if not note.strip():
        return {"status": "error", "message": "The note is empty."}
    mails = list(dict.fromkeys(MAIL.findall(note)))
    phones = list(dict.fromkeys(re.sub(r"[^\d+]", "", found) for found in PHONE.findall(note)))
    return {"status": "success", "mails": mails, "phones": phones}
