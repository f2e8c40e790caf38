/** One hue for each zone of the star, light and dark: in its triangle, on its pieces, at its seat. */
export const ZONE_COLOURS: Record<string, string> = {
  A: "light-dark(#c0392b, #f0796b)",
  B: "light-dark(#a86400, #e5a33d)",
  C: "light-dark(#2f7d32, #74c377)",
  D: "light-dark(#1763b6, #6fb0f5)",
  E: "light-dark(#7a3ea8, #c491ee)",
  F: "light-dark(#0b7377, #4fc3c7)",
};
/** Of the letters on the pieces. */
export const LETTER_COLOUR = "light-dark(#fff, #15171b)";
