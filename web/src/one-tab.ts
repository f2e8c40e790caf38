/** One tab of a browser after the other, where two at once would do the same thing twice. */

const SETTLES = 50; // ms after which every tab sees who has written last
const LONGEST = 8_000; // ms that a tab may take: one that was closed meanwhile keeps no other out

/**
 * Do `work` when no other tab does something of that name.
 *
 * Browsers have locks for pages of this machine and encrypted ones only; elsewhere the tabs agree
 * by what they store: whoever has written last and is still there after a moment goes ahead.
 */
export function oneTabAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(name, work);
  return isStoring(name) ? afterOthers(name, work) : work();
}

/** Browsers may be told to store nothing. */
function isStoring(name: string): boolean {
  try {
    localStorage.setItem(`${name} try`, "");
    localStorage.removeItem(`${name} try`);
    return true;
  } catch {
    return false;
  }
}

async function afterOthers<T>(name: string, work: () => Promise<T>): Promise<T> {
  const mine = `${Math.random()}`;
  while (true) {
    if (!isHeld(name)) {
      localStorage.setItem(name, `${mine} ${Date.now() + LONGEST}`);
    }
    await new Promise((done) => setTimeout(done, SETTLES));
    if (holder(name) === mine) {
      break;
    }
  }
  try {
    return await work();
  } finally {
    if (holder(name) === mine) {
      localStorage.removeItem(name);
    }
  }
}

function holder(name: string): string | undefined {
  return localStorage.getItem(name)?.split(" ")[0];
}

function isHeld(name: string): boolean {
  return Number(localStorage.getItem(name)?.split(" ")[1] ?? 0) > Date.now();
}
