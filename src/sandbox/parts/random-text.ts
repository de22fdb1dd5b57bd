const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const lettersAndDigits = `${letters}0123456789`;

/** What ids and tokens in base64url are made of. */
export const base64url = `${lettersAndDigits}-_`;

/** Characters out of an alphabet, by default letters and digits, as tokens are made of. */
export function randomText(
  { random }: { random: () => number },
  length: number,
  alphabet: string = lettersAndDigits,
): string {
  const character = (): string => alphabet.charAt(Math.floor(random() * alphabet.length));
  return Array.from({ length }, character).join("");
}
