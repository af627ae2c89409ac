KANA = {
    "あ": "a", "い": "i", "う": "u", "え": "e", "お": "o",
    "か": "ka", "き": "ki", "く": "ku", "け": "ke", "こ": "ko",
    "さ": "sa", "し": "shi", "す": "su", "せ": "se", "そ": "so",
    "た": "ta", "ち": "chi", "つ": "tsu", "て": "te", "と": "to",
    "な": "na", "に": "ni", "ぬ": "nu", "ね": "ne", "の": "no",
    "は": "ha", "ひ": "hi", "ふ": "fu", "へ": "he", "ほ": "ho",
    "ま": "ma", "み": "mi", "む": "mu", "め": "me", "も": "mo",
    "や": "ya", "ゆ": "yu", "よ": "yo",
    "ら": "ra", "り": "ri", "る": "ru", "れ": "re", "ろ": "ro",
    "わ": "wa", "を": "o", "ん": "n",
}


def romanise_hiragana(text: str) -> dict[str, str | list[str]]:
    """ひらがなをローマ字にする (writes hiragana in Latin letters).

    Args:
        text: 文章. Hiragana; other characters are left as they are.

    Returns:
        The text in Latin letters, and the characters that were not known.
    """
    if not text:
        return {"status": "error", "message": "文章がありません"}
    unknown = sorted({ch for ch in text if ch not in KANA and not ch.isascii()})
    return {"status": "success", "romaji": "".join(KANA.get(ch, ch) for ch in text), "unknown": unknown}
