LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def _winner(board):
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


def _score(board, player, me):
    won = _winner(board)
    if won:
        return (1 if won == me else -1), None
    free = [i for i, cell in enumerate(board) if cell == " "]
    if not free:
        return 0, None
    other = "O" if player == "X" else "X"
    results = []
    for i in free:
        board[i] = player
        results.append((_score(board, other, me)[0], i))
        board[i] = " "
    pick = max if player == me else min
    best = pick(results, key=lambda r: r[0])
    return best


def best_tictactoe_move(board: str, player: str) -> dict:
    """Find the best move in tic-tac-toe with minimax.

    Args:
        board: Nine characters, row by row: "X", "O" or " ".
        player: Who is to move, "X" or "O".

    Returns:
        dict: position 0 to 8, and whether it wins, draws or loses against perfect play.
    """
    if len(board) != 9 or set(board) - set("XO ") or player not in ("X", "O"):
        return {"status": "error", "message": "nine cells of X, O or blank, and X or O to move"}
    if _winner(board) or " " not in board:
        return {"status": "error", "message": "the game is over"}
    score, move = _score(list(board), player, player)
    return {"status": "success", "move": move, "outcome": {1: "win", 0: "draw", -1: "loss"}[score]}
