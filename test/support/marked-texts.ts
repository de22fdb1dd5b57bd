import type { Random } from "../prove/random.ts";

const syllables = "ba de fi go hu ka le mi no pu ra se ti vo wu ja ne lo".split(" ");

/** A word that hardly any other text has. */
function word(random: Random): string {
  return Array.from({ length: 4 }, () => random.of(syllables)).join("");
}

/** Words of no meaning: enough that two texts are either alike or have nothing in common. */
export function plainText(random: Random, count = random.between(8, 14)): string {
  return Array.from({ length: count }, () => word(random)).join(" ");
}

/** As people write between others: too short for its words to be counted. */
export function shortText(random: Random): string {
  return plainText(random, random.between(2, 3));
}

/** Half of its words are the text's, half are others. */
export function similarText(text: string, random: Random): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((each, index) => (index % 2 === 0 ? each : word(random))).join(" ");
}

/** What servers that render Markdown show otherwise, around the text. */
const markup: readonly ((text: string, random: Random) => string)[] = [
  (text, random) => `- ${text}\n- ${word(random)}\n- ${word(random)}`,
  (text, random) => `1. ${text}\n2. ${word(random)}`,
  (text) => `2026. What ${text}`,
  (text, random) => `so *${word(random)}* and **${word(random)}** and _${word(random)}_: ${text}`,
  (text, random) => `run \`${word(random)} --${word(random)}\`, ${text}`,
  (text, random) => `\`\`\`\n${word(random)}\n\`\`\`\n${text}`,
  (text, random) => `> ${text}\n${word(random)}`,
  (text, random) => `# ${word(random)}\n${text}`,
  (text, random) => `[${word(random)}](https://${word(random)}.example/${word(random)}) ${text}`,
];

/** A text, and what servers may make of it. */
export interface MarkedText {
  text: string;
  /** Markdown would be rendered away. */
  hasMarkup: boolean;
  /** It holds an image's address, which may become an attachment. */
  hasImageAddress: boolean;
}

export function markedText(random: Random): MarkedText {
  const plain = plainText(random);
  const kind = random.of(["plain", "short", "markup", "markup", "address", "image"] as const);
  const address = `https://${word(random)}.example/${word(random)}.png`;
  switch (kind) {
    case "plain":
      return { text: plain, hasMarkup: false, hasImageAddress: false };
    case "short":
      return { text: shortText(random), hasMarkup: false, hasImageAddress: false };
    case "markup":
      return { text: random.of(markup)(plain, random), hasMarkup: true, hasImageAddress: false };
    case "address":
      return { text: `${plain} ${address}`, hasMarkup: false, hasImageAddress: true };
    case "image":
      return { text: `${plain} ![${word(random)}](${address})`, hasMarkup: true, hasImageAddress: true };
  }
}
