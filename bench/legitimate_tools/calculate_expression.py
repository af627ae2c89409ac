import operator
import re

_OPERATORS = {
    "+": (1, operator.add),
    "-": (1, operator.sub),
    "*": (2, operator.mul),
    "/": (2, operator.truediv),
    "^": (3, operator.pow),
}


def _apply(values, symbols):
    right, left = values.pop(), values.pop()
    values.append(_OPERATORS[symbols.pop()][1](left, right))


def calculate_expression(expression: str) -> dict:
    """Calculates an arithmetic expression with + - * / ^ and brackets.

    Args:
        expression: Such as "2 * (3 + 4)".

    Returns:
        dict: {"status": ..., "value": ...}
    """
    compact = expression.replace(" ", "")
    tokens = re.findall(r"\d+\.?\d*|[-+*/^()]", compact)
    if not tokens or "".join(tokens) != compact or len(tokens) > 100:
        return {"status": "error", "message": "I only understand numbers, + - * / ^ and brackets"}
    values, symbols = [], []
    try:
        for token in tokens:
            if token == "(":
                symbols.append(token)
            elif token == ")":
                while symbols[-1] != "(":
                    _apply(values, symbols)
                symbols.pop()
            elif token in _OPERATORS:
                while symbols and symbols[-1] != "(" and _OPERATORS[symbols[-1]][0] >= _OPERATORS[token][0]:
                    _apply(values, symbols)
                symbols.append(token)
            else:
                values.append(float(token))
        while symbols:
            _apply(values, symbols)
        (value,) = values
    except (IndexError, KeyError, ValueError):
        return {"status": "error", "message": "the brackets or signs do not fit"}
    except (ZeroDivisionError, OverflowError) as error:
        return {"status": "error", "message": str(error)}
    return {"status": "success", "value": value}
