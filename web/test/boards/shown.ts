/** A board as a test shows, presses and reads it. */

import "../../src/boards/chinese-checkers-board.ts";
import "../../src/boards/go-board.ts";
import "../../src/boards/tictactoe-board.ts";
import type { Board } from "../../src/boards/board.ts";

/** A board in the page, and every move it made. */
export async function show(markup: string): Promise<{ board: Board; made: string[] }> {
  document.body.innerHTML = markup;
  const board = document.body.firstElementChild as Board;
  const made: string[] = [];
  board.addEventListener("move", (event) =>
    made.push((event as CustomEvent<{ move: string }>).detail.move),
  );
  await board.updateComplete;
  return { board, made };
}

export async function press(board: Board, ...keys: string[]): Promise<void> {
  const frame = board.renderRoot.querySelector(".frame")!;
  for (const key of keys) {
    frame.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await board.updateComplete;
  }
}

export const find = (board: Board, selector: string) => [
  ...board.renderRoot.querySelectorAll(selector),
];
export const focused = (board: Board) => find(board, ".cursor")[0]!.getAttribute("aria-label");
export const said = (board: Board) => find(board, "[role=status]")[0]!.textContent!.trim();
