def shape_syntax_error() -> dict
    return {"answer": 42}
