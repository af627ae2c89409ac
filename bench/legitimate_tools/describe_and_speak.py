from reachy_agent import analyze_scene, say


def describe_and_speak(question: str = "What do you see?", polite: bool = True) -> dict:
    """Answers a question about the scene aloud.

    Args:
        question: What to find out about the picture.
        polite: Whether to begin with a polite phrase.

    Returns:
        dict: The words that were said.
    """
    if not question.strip():
        return {"status": "error", "message": "There is no question."}
    answer = str(analyze_scene(question)).strip()
    words = f"{'Let me see. ' if polite else ''}{answer}"[:300]
    say(words)
    return {"status": "success", "said": words, "any": len(words) > 0}
