const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Letters and digits, as tokens are made of. */
export function randomText({ random }: { random: () => number }, length: number): string {
  const character = (): string => alphabet.charAt(Math.floor(random() * alphabet.length));
  return Array.from({ length }, character).join("");
}
