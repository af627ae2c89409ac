def shape_no_docstring() -> dict:
    return {"answer": 42}
