const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const lettersAndDigits = `${letters}0123456789`;

/** The characters of ids and tokens in base64url. */
export const base64url = `${lettersAndDigits}-_`;

/** Random characters of an alphabet. Default: letters and digits, as in tokens. */
export function randomText(
  { random }: { random: () => number },
  length: number,
  alphabet: string = lettersAndDigits,
): string {
  const character = (): string => alphabet.charAt(Math.floor(random() * alphabet.length));
  return Array.from({ length }, character).join("");
}
