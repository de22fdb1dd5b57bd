import type { NetworkDescription } from "postrider";

/** What a post takes for one network alone. */
type Overrides = Record<string, { text: string }>;

/**
 * For each network that neither takes the whole text at once nor makes a thread
 * of it: as many paragraphs, from the first on, as it takes, or else words.
 */
export function textsThatFit(whole: string, networks: readonly NetworkDescription[]): Overrides {
  const tight = networks.filter(({ threads, text }) => !threads && bytesOf(whole) > text.max);
  return Object.fromEntries(tight.map(({ network, text }) => [network, { text: beginningOf(whole, text.max) }]));
}

function beginningOf(whole: string, max: number): string {
  const paragraphs = longest(whole.split("\n\n"), "\n\n", max);
  return paragraphs === "" ? longest(whole.split(" "), " ", max) : paragraphs;
}

function longest(pieces: readonly string[], between: string, max: number): string {
  let taken = "";
  for (const piece of pieces) {
    const longer = taken === "" ? piece : taken + between + piece;
    if (bytesOf(longer) > max) break;
    taken = longer;
  }
  return taken;
}

/** No network counts more than this for a text without links. */
function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Published first: more than Bluesky and Mastodon take at once, less than Discord does. */
export const firstText = `We moved our observatory's archive this summer: forty years of glass plates, eleven thousand of them, each wrapped in paper that somebody had written on by hand.

The plates show the same strip of sky, night after night. Lay two of them on top of each other and a planet gives itself away, because it has moved. Lay forty years of them on top of each other and the stars begin to move, too.

What surprised us were the wrappers. They say who stood in the cold that night, what the coffee was like, and once, in 1987, that a fox had come in through the open dome and fallen asleep beside the heater. Nobody had the heart to wake it. The exposure was two hours long, and it is the sharpest plate of that winter.

From today all of it can be read: plates, wrappers, fox.`;

/** Published second, by a process that does not live to see the answers. */
export const secondText = `How to move eleven thousand glass plates, in case you ever have to.

Number everything before you touch anything. We thought that the shelf marks would do. They did, for nine shelves; then came the shelf that somebody had sorted by the weather.

Carry them upright, never flat. A plate that lies flat carries every plate above it, and the lowest one gives up without a sound. You find out in the next building.

Two people sign for every box: the one who sends it, and the one who opens it. If the signature of the opening is missing, do not send a second box. Go and look. In eleven thousand plates we had four missing signatures, and behind every one of them stood a box that had arrived, and a telephone that nobody had picked up.

Go and look also before you write something off. One box was truly not there. It had never left: it stood behind the door, with its papers on top, and went out the next morning.

In the end we counted. Eleven thousand two hundred and six went out; eleven thousand two hundred and six came in. Nothing lost, and nothing there twice, though for one long evening the fox's plate was the one we could not find.`;
