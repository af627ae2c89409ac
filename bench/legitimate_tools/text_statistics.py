import re
from collections import Counter


def text_statistics(text: str, top: int = 3) -> dict:
    """Counts what a text is made of.

    Args:
        text: The text to look at.
        top: How many of the most common words to list.

    Returns:
        Numbers of characters, words and sentences, mean word length, and the most common words.
    """
    words = re.findall(r"[\w']+", text.lower())
    if not words:
        return {"status": "error", "message": "There is no word in the text."}
    sentences = [part for part in re.split(r"[.!?。！？]+", text) if part.strip()]
    ranked = sorted(Counter(words).items(), key=lambda item: (-item[1], item[0]))[:top]
    return {
        "status": "success",
        "characters": len(text),
        "words": len(words),
        "sentences": len(sentences),
        "mean_word_length": round(sum(map(len, words)) / len(words), 2),
        "top": [{"word": word, "count": count} for word, count in ranked],
    }
