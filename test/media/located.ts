import { readdirSync, readFileSync } from "node:fs";
import { findLocations } from "../../src/media/location/find.ts";
import { withPatches } from "../../src/media/location/patched.ts";
import { bytesReader } from "../../src/media/probe/reader.ts";
import type { LocationLeft } from "../../src/networks/contract/plan.ts";

const folder = new URL("located/", import.meta.url);

/** Files with a location, from real programs; `make-fixtures.ts` creates them. */
export const locatedNames: readonly string[] = readdirSync(folder).sort();

export function located(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(name, folder)));
}

/** The bytes that are sent of a file. */
export async function cleaned(bytes: Uint8Array): Promise<{ bytes: Uint8Array; left: readonly LocationLeft[] }> {
  const { patches, left } = await findLocations(bytesReader(bytes));
  return { bytes: withPatches(bytes, 0, patches), left };
}

/** The location in these files: names, texts, and rational numbers in either byte order. */
const traces: readonly string[] = [
  ...["Faya", "Oasis", "Chad", "10,30.0N", "20,15.0E", "+10.5", "10/1", "4661796", "xyz", "loci", "location."],
  ...["\0\0\0\x0a\0\0\0\x01\0\0\0\x1e\0\0\0\x01", "\x0a\0\0\0\x01\0\0\0\x1e\0\0\0\x01\0\0\0"],
];

export function tracesIn(bytes: Uint8Array): string[] {
  const characters = Buffer.from(bytes).toString("latin1");
  return traces.filter((trace) => characters.includes(trace));
}
