/**
 * The tables of what can go wrong are long: `npm test` runs a share of them,
 * for whoever waits for it. Another share with another number in
 * `POSTRIDER_TEST_SHARE`; the whole, with `all`, is `npm run test:all`.
 */
const wanted = process.env.POSTRIDER_TEST_SHARE ?? "0";
if (!/^(?:all|\d{1,15})$/.test(wanted))
  throw new Error(`POSTRIDER_TEST_SHARE: give a number or "all", not "${wanted}".`);

/** Whether all is run. */
export const isWhole = wanted === "all";

/** Which share is run. */
export const shareNumber = isWhole ? 0 : Number(wanted);

/** Every nth case of a table, one at least. */
export function shareOf<Case>(cases: readonly Case[], every: number): Case[] {
  if (isWhole || cases.length === 0) return [...cases];
  const first = shareNumber % Math.min(every, cases.length);
  return cases.filter((_, place) => place % every === first);
}

/** Of a test with random cases, other ones each time: the nth part of its runs. */
export function shareOfRuns(runs: number, every: number): number {
  return isWhole ? runs : Math.ceil(runs / every);
}
