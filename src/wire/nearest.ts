/** Longer names are no slip of a known one, characters; what a stranger sends must cost little. */
const longestName = 40;

/** The known name that was probably meant: other case or separators, or a slip of a letter in three; null: none is near. */
export function nearestName(given: string, known: readonly string[]): string | null {
  if (given.length > longestName) return null;
  const plain = plainly(given);
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const name of known) {
    const slips = distance(plain, plainly(name), least);
    if (slips < least) [nearest, least] = [name, slips];
  }
  return nearest;
}

/**
 * As the end of a sentence about a name that is not known.
 *
 * @param options.lists false: what is known has been told before
 */
export function hintFor(given: string, known: readonly string[], { lists = true }: { lists?: boolean } = {}): string {
  const nearest = nearestName(given, known);
  if (nearest !== null) return `; did you mean ${nearest}?`;
  const isListed = lists && known.length > 0 && known.length <= maxNamesTold;
  return isListed ? `; known are ${listed(known, "and")}.` : ".";
}

const maxNamesTold = 30;

/** `a, b and c`. */
export function listed(names: readonly string[], joint: "and" | "or"): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${joint} ${names.at(-1)}`;
}

function plainly(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, "");
}

/** Letters put in, left out, exchanged or swapped with their neighbour; `most` where there are as many or more. */
function distance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) >= most) return most;
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let slips = Math.min(
        (last[column] ?? most) + 1,
        (current[column - 1] ?? most) + 1,
        (last[column - 1] ?? most) + (isSame ? 0 : 1),
      );
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwapped) slips = Math.min(slips, (before[column - 2] ?? most) + 1);
      current.push(slips);
    }
    [before, last] = [last, current];
  }
  return Math.min(most, last[to.length] ?? most);
}
