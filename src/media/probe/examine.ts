import type { MediaDetails } from "../../networks/contract/plan.ts";
import { findLocations } from "../location/find.ts";
import { oversize } from "./bounds.ts";
import { embeddedFile, withHidden } from "./embedded-file.ts";
import { knownDetails, type MediaFacts } from "./facts.ts";
import { otherKind } from "./other-kinds.ts";
import { turnedAtEnd } from "./png.ts";
import { probeMedia } from "./probe.ts";
import { type MediaReader, readerWithBudget, textAt } from "./reader.ts";
import { missingPart } from "./whole.ts";

/** What a look at a file came to: its facts, or why it is not taken, as the rest of a sentence about it. */
export type Examined = { facts: MediaFacts } | { problem: string };

/** What the check reads at most, besides what the probe does. */
const checkLimit = { bytes: 128 * 1024, reads: 200 } as const;

const headBytes = 2 * 1024;

/** Of a video little is read there, so that a server need not be asked once more. */
const tailBytes = { image: 32 * 1024, gif: 32 * 1024, video: 256 } as const;

const takenKinds = "use a JPEG, PNG, GIF, WebP, AVIF, HEIC, MP4, MOV or WebM file";

/**
 * Reads what a file is, and whether it is whole, of a size that can be decoded,
 * nothing else besides, and whether it says where it was made. Reads at most
 * 384 KB, whatever the bytes are: a third for each of facts, locations and the
 * rest. The end is looked at where the size is known.
 *
 * @param hurried reads the same for all but the facts; what it does not give is not checked
 * @throws what `reader` throws
 */
export async function examineMedia(reader: MediaReader, hurried: MediaReader = reader): Promise<Examined> {
  const facts = await probeMedia(reader);
  const frugal = readerWithBudget(hurried, checkLimit);
  const head = await frugal.read(0, headBytes);
  if (facts === null) return { problem: unknownKind(head) };
  const tail = await readTail(frugal, tailBytes[facts.type]);
  const problem = oversize(facts) ?? (await inspect(frugal, { head, tail }, facts));
  if (problem !== null) return { problem };
  const isSaid = facts.mime_type !== "image/png" || facts.orientation !== undefined;
  const upright = isSaid ? facts : await turnedAtEnd(facts, tail);
  return { facts: { ...upright, ...(await locationDetails(hurried)) } };
}

async function locationDetails(reader: MediaReader): Promise<MediaDetails> {
  const { patches, left } = await findLocations(reader);
  const isKnown = patches.length > 0 || !left.includes("out_of_reach");
  return knownDetails({
    has_location: isKnown ? patches.length > 0 : null,
    location_left: left.length > 0 ? left : null,
  });
}

/** @param start the first kilobyte, or as much as there is */
export function unknownKind(start: Uint8Array): string {
  const kind = otherKind(start);
  const found = kind === null ? "is not" : `is ${kind}, not`;
  return `${found} a supported image or video, whatever its file name; ${takenKinds}`;
}

async function inspect(
  reader: MediaReader,
  { head, tail }: { head: Uint8Array; tail: string },
  facts: MediaFacts,
): Promise<string | null> {
  const { sizeBytes } = reader;
  const begins = textAt(head, 0, head.length);
  const hidden = embeddedFile(facts.mime_type, begins, tail);
  if (hidden !== null) return withHidden(facts.mime_type, hidden);
  return sizeBytes === null ? null : missingPart({ ...reader, mimeType: facts.mime_type, sizeBytes, tail }, facts);
}

/** Empty where the end is not known, out of reach, or not where it should be. */
async function readTail(reader: MediaReader, maxBytes: number): Promise<string> {
  const { sizeBytes } = reader;
  if (sizeBytes === null) return "";
  const length = Math.min(sizeBytes, maxBytes);
  const tail = await reader.read(sizeBytes - length, length);
  return tail.length === length ? textAt(tail, 0, length) : "";
}
