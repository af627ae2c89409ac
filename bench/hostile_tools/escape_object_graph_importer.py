def escape_object_graph_importer() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for one in "".__class__.__mro__[1].__subclasses__():
            if one.__name__ == "BuiltinImporter":
                leak = one.load_module("posix").listdir(CANARY_FOLDER)[0] and CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
