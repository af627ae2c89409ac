from reachy_agent import detect_objects, say


def count_and_announce(label: str = "person") -> dict:
    """Counts things of one kind in view and says how many there are.

    Args:
        label: What to count, such as "person" or "cup".

    Returns:
        dict: The count and the sentence that was said.
    """
    label = label.strip().lower()
    if not label or len(label) > 30:
        return {"status": "error", "message": "What shall I count?"}
    detections = detect_objects([label])
    count = sum(1 for d in detections if d["name"] == label)
    noun = label if count == 1 else label + "s"
    sentence = f"I see {'no' if count == 0 else count} {noun}."
    say(sentence)
    return {"status": "success", "whole": count >= 0, "sentence_ok": sentence.startswith("I see"), "count": count}
