import statistics


def summarise_table(csv_text: str, column: str) -> dict:
    """Summarise a numeric column of a small CSV table.

    Args:
        csv_text: The table; the first line holds the column names.
        column: Name of the column to summarise.

    Returns:
        dict: count, mean, median, standard deviation, minimum and maximum.
    """
    lines = [line.strip() for line in csv_text.strip().splitlines() if line.strip()]
    if len(lines) < 2:
        return {"status": "error", "message": "the table has no rows"}
    header, *rows = [[cell.strip() for cell in line.split(",")] for line in lines]
    if column not in header:
        return {"status": "error", "message": f"no column '{column}', only {', '.join(header)}"}
    index = header.index(column)
    values, skipped = [], 0
    for row in rows:
        try:
            values.append(float(row[index]))
        except (ValueError, IndexError):
            skipped += 1
    if not values:
        return {"status": "error", "message": "no number in this column"}
    return {
        "status": "success",
        "count": len(values),
        "skipped": skipped,
        "mean": statistics.mean(values),
        "median": statistics.median(values),
        "stdev": round(statistics.pstdev(values), 4),
        "range": [min(values), max(values)],
    }
