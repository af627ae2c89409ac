from string import Template
from textwrap import fill


def fill_letter(template: str, values: dict[str, str], width: int = 60) -> dict:
    """Fills the blanks of a letter and wraps its lines.

    Args:
        template: Text with blanks such as $name.
        values: What goes into the blanks.
        width: Longest line, in characters.

    Returns:
        The letter, its lines, or which blank had no value.
    """
    if width < 20:
        return {"status": "error", "message": "width is at least 20"}
    try:
        text = Template(template).substitute(values)
    except KeyError as missing:
        return {"status": "error", "message": f"no value for {missing}"}
    letter = "\n".join(fill(line, width=width) for line in text.splitlines())
    return {"status": "success", "letter": letter, "lines": letter.count("\n") + 1}
