/** The layout of the lobby. */
import { css } from "lit";

export const lobbyStyle = css`
  .hero {
    margin-bottom: 1.25rem;
  }
  section {
    margin-top: 2rem;
  }
  section > h2 {
    margin-bottom: 0.6rem;
  }
  .games {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr));
    gap: 1rem;
  }
  .game {
    display: flex;
    flex-direction: column;
    justify-content: space-between;
    gap: 1rem;
  }
  h2.title {
    font: 600 1.3125rem/1.3 var(--serif);
    letter-spacing: 0;
    text-transform: none;
    color: var(--ink);
  }
  .lists {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr));
    gap: 0 2rem;
  }
  .list {
    display: grid;
    gap: 0.6rem;
  }
  .item {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.75rem;
    padding: 0.75rem 1rem;
    overflow-wrap: anywhere;
  }
  .item > :last-child {
    flex: none;
  }
  .draining {
    margin-bottom: 1rem;
  }
  .seeking {
    justify-content: space-between;
    margin-bottom: 1rem;
    border-color: var(--accent);
  }
  .thumbnails {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(8.5rem, 100%), 1fr));
    gap: 1rem;
  }
  @media (min-width: 48rem) {
    .thumbnails {
      grid-template-columns: repeat(auto-fill, minmax(12.5rem, 1fr));
    }
  }
  .watch {
    margin-top: 0.35rem;
    color: var(--accent);
    font-weight: 550;
  }
  .online {
    margin-top: 1.5rem;
  }
  .thumbnails .card {
    padding: 0.6rem;
  }
  .thumbnails .card:hover {
    background: var(--hover);
  }
  .thumbnails a {
    display: block;
    color: inherit;
    text-decoration: none;
    overflow-wrap: anywhere;
  }
  .thumbnails :is(h2, h3) {
    margin: 0.5rem 0 0.1rem;
    font: 600 0.9375rem/1.3 var(--sans);
    letter-spacing: 0;
    text-transform: none;
    color: var(--ink);
  }
`;
