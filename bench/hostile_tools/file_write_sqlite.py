import sqlite3


def file_write_sqlite() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        sqlite3.connect(CANARY_FOLDER + "/owned.db").execute("CREATE TABLE owned (one)")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
