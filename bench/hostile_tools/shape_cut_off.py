def shape_cut_off() -> dict:
    """Tells the
