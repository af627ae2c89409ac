from decimal import ROUND_HALF_UP, Decimal


def savings_plan(monthly: str, yearly_rate_percent: float, years: int) -> dict:
    """Computes what regular savings grow to, to the cent.

    Args:
        monthly: Amount put aside each month, as text, such as "50.00".
        yearly_rate_percent: Interest per year in per cent.
        years: For how many years, at most 60.

    Returns:
        What was paid in, the interest, and the balance after each year.
    """
    try:
        amount = Decimal(monthly)
    except ArithmeticError:
        return {"status": "error", "message": f"{monthly} is not an amount"}
    if amount <= 0 or not 1 <= years <= 60:
        return {"status": "error", "message": "I need a positive amount and 1 to 60 years"}
    cent = Decimal("0.01")
    rate = Decimal(str(yearly_rate_percent)) / 100 / 12
    balance = Decimal(0)
    history = []
    for month in range(1, years * 12 + 1):
        balance = (balance + amount) * (1 + rate)
        if month % 12 == 0:
            history.append(str(balance.quantize(cent, rounding=ROUND_HALF_UP)))
    paid = amount * 12 * years
    return {"status": "success", "paid": str(paid.quantize(cent)), "balance": history[-1], "history": history}
