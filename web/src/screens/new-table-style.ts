/** The layout of the form that opens a table. */
import { css } from "lit";

export const newTableStyle = css`
  form {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1rem;
    max-width: 38rem;
    margin-top: 1rem;
  }
  fieldset {
    border: 1px solid var(--line);
    border-radius: 0.875rem;
    background: var(--card);
    padding: 1rem;
    display: grid;
    gap: 0.9rem;
    grid-template-columns: minmax(0, 1fr);
    min-width: 0;
  }
  legend {
    float: left;
    padding: 0;
    margin-bottom: 0.2rem;
  }
  legend + * {
    clear: both;
  }
  details {
    border: 1px solid var(--line);
    border-radius: 0.875rem;
    background: var(--card);
  }
  summary {
    padding: 0.75rem 1rem;
    border-radius: 0.875rem;
    font-weight: 550;
    cursor: pointer;
  }
  .more {
    display: grid;
    gap: 0.9rem;
    padding: 0.25rem 1rem 1rem;
  }
  .choice {
    display: flex;
    align-items: center;
    gap: 0.6rem;
  }
  .choice input {
    flex: none;
    margin: 0;
  }
  .field {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.25rem;
  }
  .field input:not([type]),
  .field input[type="number"] {
    width: 8rem;
  }
  .field input[type="text"],
  .field input[type="password"] {
    width: 100%;
  }
`;
