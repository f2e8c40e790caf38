"""The rules of Go once more, as plainly as possible: a dictionary and every board so far."""

Point = tuple[int, int]
Stones = dict[Point, int]


class PlainGo:
    """Says of each move what forbids it, by comparing with all boards kept; plays it else."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stones: Stones = {}
        self.ply = 0
        self.boards: list[tuple[int, Stones]] = [(0, {})]

    def play(self, move: str) -> str | None:
        """Play `move`; or the refusal in our words, without playing."""
        if move == "pass":
            self.ply += 1
            return None
        x, y = map(int, move.split(","))
        seat = self.ply % 2
        if (x, y) in self.stones:
            owner = ("black", "white")[self.stones[x, y]]
            return f"point {move} is occupied by {owner}"
        stones = {**self.stones, (x, y): seat}
        for point in self.near((x, y)):
            if stones.get(point, seat) != seat:
                self.take_if_dead(stones, point)
        self.take_if_dead(stones, (x, y))
        for ply, board in self.boards:
            if board == stones:
                return f"superko: repeats the position after move {ply}"
        self.ply += 1
        self.stones = stones
        self.boards.append((self.ply, stones))
        return None

    def moves(self) -> list[str]:
        """All legal moves from the top left, then the pass."""
        legal = []
        for move in [f"{x},{y}" for y in range(self.size) for x in range(self.size)]:
            before = self.stones, self.ply, list(self.boards)
            if self.play(move) is None:
                legal.append(move)
                self.stones, self.ply, self.boards = before
        return [*legal, "pass"]

    def diagram(self) -> str:
        return "\n".join(
            " ".join(".XO"[self.stones.get((x, y), -1) + 1] for x in range(self.size))
            for y in range(self.size)
        )

    def near(self, point: Point) -> list[Point]:
        x, y = point
        around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        return [(a, b) for a, b in around if 0 <= a < self.size and 0 <= b < self.size]

    def take_if_dead(self, stones: Stones, point: Point) -> None:
        chain = [point]
        for stone in chain:
            for near in self.near(stone):
                if near not in stones:
                    return
                if stones[near] == stones[point] and near not in chain:
                    chain.append(near)
        for stone in chain:
            del stones[stone]
