/** Every word the page says, in one place, so that another language is another object. */

const english = {
  board: "board",
  boardLabel: (game: string, moves: number) =>
    `${game} board, ${moves === 0 ? "no moves yet" : moves === 1 ? "1 move" : `${moves} moves`}`,
  boardKeys:
    "Arrow keys move the cursor, Enter plays. You can also type a coordinate and press Enter.",
  games: { tictactoe: "Tic-tac-toe", go: "Go", chinese_checkers: "Chinese checkers" },
  marks: ["X", "O"] as readonly [string, string],
  stones: ["Black", "White"] as readonly [string, string],
  empty: "empty",
  lastMove: "last move",
  starPoint: "star point",
  pass: "pass",
  taken: (cell: string) => `${cell} is taken.`,
  noSuchCell: (typed: string) => `There is no ${typed} on this board.`,
  notYourTurn: "It is not your turn.",
  played: (who: string, where: string) => `${who}: ${where}.`,
  passed: (who: string) => `${who} passes.`,
  captured: (count: number) => (count === 1 ? "1 stone captured." : `${count} stones captured.`),
  confirmChoice: (where: string) => `${where} chosen. Press Enter again to play.`,
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  zoomFit: "Show the whole board",
  zone: (zone: string) => `zone ${zone}`,
  pieceOf: (zone: string) => `piece of ${zone}`,
  yourPiece: "your piece",
  canMoveHere: "can move here",
  hopped: (where: string) => `Hopped to ${where}. Enter again ends the move here.`,
  picked: (where: string, targets: number) =>
    targets === 0 ? `The piece on ${where} cannot move.` : `Picked up ${where}, ${targets} targets.`,
  notYours: (cell: string) => `No piece of yours stands on ${cell}.`,
  noWay: (cell: string) => `The piece cannot go to ${cell}.`,
  fromTo: (from: string, to: string) => `from ${from} to ${to}`,
  captures: (black: number, white: number) => `Captured: ${black} black, ${white} white`,
};

export type Words = typeof english;
export const words: Words = english;
