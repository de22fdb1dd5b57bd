import { type Box, boxesWithin, type Steps, type Stretch } from "../probe/boxes.ts";
import { blank, overwrite, type Search } from "./search.ts";

/** Boxes with a location: QuickTime's and Canon's text, and the box of 3GPP TS 26.244, section 8.10. */
export const locationBoxes = ["\xa9xyz", "@xyz", "loci"];

/** A box and the offset of its header. */
export interface PlacedBox extends Box {
  at: number;
}

/** The boxes in a range; records if the headers end before the range does. */
export async function* placedBoxes(search: Search, stretch: Stretch, steps: Steps): AsyncGenerator<PlacedBox> {
  let at = stretch.start;
  for await (const box of boxesWithin(search.reader, stretch, steps)) {
    yield { ...box, at };
    at = box.end;
  }
  if (steps.left === 0) search.left.add("out_of_reach");
}

/** Turns it into an empty box, which readers skip. */
export function freeBox(search: Search, { at, start, end }: PlacedBox): void {
  overwrite(search, at + 4, new TextEncoder().encode("free"));
  blank(search, { start, end });
}
