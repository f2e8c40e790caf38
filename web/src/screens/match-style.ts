/** The layout of a match: the board first, everything else beside or below it. */
import { css } from "lit";

export const matchStyle = css`
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.1rem 0.9rem;
    margin-bottom: 0.75rem;
  }
  .columns {
    /* How high all is that stands above and below the board. */
    --around: 20.5rem;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0 1.25rem;
    align-items: start;
  }
  .board,
  .actions .alert,
  match-actions {
    margin-bottom: 0.75rem;
  }
  match-over {
    margin-bottom: 1rem;
  }
  .actions {
    min-width: 0;
  }
  .board {
    display: grid;
    gap: 0.75rem;
    min-width: 0;
  }
  .board :is(go-board, tictactoe-board, chinese-checkers-board) {
    width: 100%;
    /* The whole board is seen at once, with what one can do. */
    --room: max(15rem, calc(100svh - var(--around)));
    max-width: var(--room);
    margin: 0 auto;
  }
  /* The star is higher than wide. */
  .board chinese-checkers-board {
    max-width: calc(0.87 * var(--room));
  }
  .board tictactoe-board {
    max-width: min(32rem, var(--room));
  }
  .status {
    font: 600 1.1875rem/1.35 var(--serif);
    text-align: center;
  }
  .news {
    text-align: center;
  }
  .status.mine {
    color: var(--accent);
  }
  .side {
    display: grid;
    gap: 1rem;
    min-width: 0;
  }
  .foot {
    justify-content: space-between;
  }
  pre {
    overflow: auto;
    font-size: 1.1rem;
  }
  form,
  form + [role="alert"] {
    margin-top: 1rem;
  }
  section {
    min-width: 0;
  }
  @media (min-width: 56rem), (min-width: 44rem) and (orientation: landscape) {
    .columns {
      --around: 15rem;
      --actions: start;
      grid-template-columns: minmax(0, 1fr) minmax(16rem, 22rem);
      grid-template-rows: auto 1fr;
    }
    .board {
      grid-row: 1 / -1;
      margin: 0;
    }
  }
`;
