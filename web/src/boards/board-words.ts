/** Every word that a board says, apart from those of the page, so that a board alone is small. */

const count = (number: number, one: string) => `${number} ${number === 1 ? one : `${one}s`}`;

export const boardWords = {
  games: { tictactoe: "Tic-tac-toe", go: "Go", chinese_checkers: "Chinese checkers" },
  board: "board",
  /** A size stays on one line. */
  times: (across: number, down: number) => `${across}\u00a0×\u00a0${down}`,
  boardLabel: (game: string, moves: number) =>
    `${game} board, ${moves === 0 ? "no moves yet" : count(moves, "move")}`,
  boardKeys:
    "Arrow keys move the cursor, Enter plays. You can also type a coordinate and press Enter.",
  marks: ["X", "O"] as readonly [string, string],
  stones: ["Black", "White"] as readonly [string, string],
  empty: "empty",
  lastMove: "last move",
  starPoint: "star point",
  pass: "pass",
  taken: (cell: string) => `${cell} is taken.`,
  noSuchCell: (typed: string) => `There is no ${typed} on this board.`,
  notYourTurn: "It is not your turn.",
  onItsWay: "Your move is on its way.",
  earlierPosition: "This is an earlier position: go back to now to move.",
  played: (who: string, where: string) => `${who}: ${where}.`,
  passed: (who: string) => `${who} passes.`,
  captured: (stones: number) => `${count(stones, "stone")} captured.`,
  captures: (black: number, white: number) => `Captured: ${black} black, ${white} white`,
  confirmChoice: (where: string) => `${where} chosen. Press it again, or Enter, to play.`,
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  zoomFit: "Show the whole board",
  zone: (zone: string) => `zone ${zone}`,
  pieceOf: (zone: string) => `piece of ${zone}`,
  yourPiece: "your piece",
  canMoveHere: "can move here",
  hopped: (where: string) => `Hopped to ${where}. Press it again, or “End the move here”.`,
  endHere: "End the move here",
  picked: (where: string, targets: number) =>
    targets === 0
      ? `The piece on ${where} cannot move.`
      : `Picked up ${where}, ${count(targets, "target")}.`,
  notYours: (cell: string) => `No piece of yours stands on ${cell}.`,
  noWay: (cell: string) => `The piece cannot go to ${cell}.`,
  fromTo: (from: string, to: string) => `from ${from} to ${to}`,
};
