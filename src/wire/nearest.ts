/** Maximum length of a name that is compared, characters: a longer one is not a typo, and the comparison must stay cheap. */
const maxNameLength = 40;

/**
 * The known name that was probably meant: with different case or separators, or one typo for every three letters;
 * null: none.
 */
export function nearestName(given: string, known: readonly string[]): string | null {
  if (given.length > maxNameLength) return null;
  const plain = plainly(given);
  let nearest: string | null = null;
  let closest = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const name of known) {
    const edits = distance(plain, plainly(name), closest);
    if (edits < closest) [nearest, closest] = [name, edits];
  }
  return nearest;
}

/**
 * The end of a sentence about an unknown name: a suggestion, or the known names.
 *
 * @param options.lists false: the known names were listed before
 */
export function hintFor(given: string, known: readonly string[], { lists = true }: { lists?: boolean } = {}): string {
  const nearest = nearestName(given, known);
  if (nearest !== null) return `; did you mean ${nearest}?`;
  const isListed = lists && known.length > 0 && known.length <= maxNamesListed;
  return isListed ? `; known are ${listed(known, "and")}.` : ".";
}

const maxNamesListed = 30;

/** `a, b and c`. */
export function listed(names: readonly string[], joint: "and" | "or"): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${joint} ${names.at(-1)}`;
}

function plainly(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, "");
}

/** The number of inserted, omitted, replaced or swapped letters; `max` if it is at least `max`. */
function distance(from: string, to: string, max: number): number {
  if (Math.abs(from.length - to.length) >= max) return max;
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let edits = Math.min(
        (last[column] ?? max) + 1,
        (current[column - 1] ?? max) + 1,
        (last[column - 1] ?? max) + (isSame ? 0 : 1),
      );
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwapped) edits = Math.min(edits, (before[column - 2] ?? max) + 1);
      current.push(edits);
    }
    [before, last] = [last, current];
  }
  return Math.min(max, last[to.length] ?? max);
}
