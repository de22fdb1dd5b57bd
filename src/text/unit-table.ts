const answers = { yes: 1, no: 2 } as const;
const nothing = new Uint8Array(0);

/**
 * Runs `test` once for each UTF-16 unit that occurs, and caches the result: testing every unit of a text would take
 * most of the time of reading it. The result for NaN, which `charCodeAt` returns after a text's end, is false.
 */
export function rememberUnits(test: (character: string) => boolean): (unit: number) => boolean {
  let known = nothing;
  function ask(unit: number): boolean {
    if (Number.isNaN(unit)) return false;
    if (known === nothing) known = new Uint8Array(0x1_0000);
    const isSo = test(String.fromCharCode(unit));
    known[unit] = isSo ? answers.yes : answers.no;
    return isSo;
  }
  return (unit) => {
    const answer = known[unit];
    return answer === answers.no ? false : answer === answers.yes || ask(unit);
  };
}
