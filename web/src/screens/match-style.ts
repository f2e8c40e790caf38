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
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem;
    align-items: start;
  }
  .board {
    display: grid;
    gap: 0.75rem;
    min-width: 0;
  }
  .board :is(go-board, tictactoe-board, chinese-checkers-board) {
    width: 100%;
    /* The whole board is seen at once, with what belongs to it. */
    max-width: max(18rem, calc(100vh - 16.25rem));
    margin: 0 auto;
  }
  /* The star is higher than wide, and what the board says stands below it. */
  .board chinese-checkers-board {
    max-width: max(18rem, 0.88 * (100vh - 16.25rem));
  }
  .board tictactoe-board {
    max-width: min(32rem, max(18rem, calc(100vh - 16.25rem)));
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
  .center {
    justify-content: center;
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
  form {
    margin-top: 1rem;
  }
  section {
    min-width: 0;
  }
  @media (min-width: 56rem) {
    .columns {
      grid-template-columns: minmax(0, 1fr) 22rem;
    }
  }
`;
