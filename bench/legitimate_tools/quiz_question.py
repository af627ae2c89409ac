import random
from typing import Any, Dict, Literal

QUESTIONS = {
    "space": [("Which planet is the largest?", "Jupiter"), ("What orbits the Earth?", "the Moon")],
    "animals": [("Which bird cannot fly but swims?", "the penguin"), ("What does a panda eat?", "bamboo")],
    "日本": [("日本の首都は？", "東京"), ("一番高い山は？", "富士山")],
}


def quiz_question(topic: Literal["space", "animals", "日本"] = "space", seed: int = 0) -> Dict[str, Any]:
    """Ask one quiz question.

    Args:
        topic: What it is about.
        seed: Chooses the question.

    Returns:
        Dict with the question, its answer and a hint.
    """
    if topic not in QUESTIONS:
        return {"status": "error", "message": f"no questions about {topic}"}
    random.seed(seed)
    question, answer = random.choice(QUESTIONS[topic])
    hint = answer[0] + "…" * (len(answer) - 1)
    return {"status": "success", "question": question, "answer": answer, "hint": hint, "topic": topic}
