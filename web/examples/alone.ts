/** A page that is not Parlour's: what a board plays is handed straight back to it. */
import type { Board } from "../src/boards/board.ts";

document.addEventListener("move", (event) => {
  const board = event.target as Board;
  board.moves = [...board.moves, (event as CustomEvent<{ move: string }>).detail.move];
  const shown = board.nextElementSibling?.querySelector("output");
  if (shown) shown.textContent = board.moves.join(" ");
});
