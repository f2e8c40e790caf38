/** Of X and of O, light and dark: on the board and at the seats. */
export const MARK_COLOURS = [
  "light-dark(#c2410c, #ff9d6b)",
  "light-dark(#0f6e84, #5cc8de)",
] as const;
