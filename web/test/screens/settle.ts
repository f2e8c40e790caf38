/** Let a screen take in what has happened, and draw itself. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((done) => setTimeout(done));
}
