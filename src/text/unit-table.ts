const answers = { yes: 1, no: 2 } as const;

/**
 * Asks `test` once about each UTF-16 unit that occurs, and keeps the answer:
 * asking about every unit of a text takes most of the time of reading it.
 */
export function rememberUnits(test: (character: string) => boolean): (unit: number) => boolean {
  let known: Uint8Array | undefined;
  return (unit) => {
    known ??= new Uint8Array(0x1_0000);
    if (known[unit] === 0) known[unit] = test(String.fromCharCode(unit)) ? answers.yes : answers.no;
    return known[unit] === answers.yes;
  };
}
