import { type Box, boxesWithin, type Steps, type Stretch } from "../probe/boxes.ts";
import { blank, overwrite, type Search } from "./search.ts";

/** Values that say a location: QuickTime's and Canon's text, the description of 3GPP TS 26.244, section 8.10. */
export const locationBoxes = ["\xa9xyz", "@xyz", "loci"];

/** A box, and where its header stands. */
export interface PlacedBox extends Box {
  at: number;
}

/** The boxes in a stretch; notes where the headers end before the stretch does. */
export async function* placedBoxes(search: Search, stretch: Stretch, steps: Steps): AsyncGenerator<PlacedBox> {
  let at = stretch.start;
  for await (const box of boxesWithin(search.reader, stretch, steps)) {
    yield { ...box, at };
    at = box.end;
  }
  if (steps.left === 0) search.left.add("out_of_reach");
}

/** Makes it a box that readers pass over, with nothing in it. */
export function freeBox(search: Search, { at, start, end }: PlacedBox): void {
  overwrite(search, at + 4, new TextEncoder().encode("free"));
  blank(search, { start, end });
}
