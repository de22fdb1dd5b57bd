import { readFileSync, writeFileSync } from "node:fs";

/** Lane → how many lines it has, and their digest. */
export type Digests = Record<string, string>;

/** By seed: those of the scenes that are the same again on every storage. */
export type Recorded = ReadonlyMap<number, Digests>;

const file = new URL("recorded.json", import.meta.url);

export function readRecorded(): Recorded {
  const stored: Record<string, Digests> = JSON.parse(readFileSync(file, "utf8"));
  return new Map(Object.entries(stored).map(([seed, digests]) => [Number(seed), digests]));
}

export function writeRecorded(recorded: Recorded): void {
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(recorded), null, 2)}\n`);
}

/** The lanes of a scene that came out otherwise than recorded. */
export function differences(played: Digests, recorded: Digests = {}): string[] {
  const lanes = new Set([...Object.keys(played), ...Object.keys(recorded)]);
  return [...lanes].filter((lane) => played[lane] !== recorded[lane]);
}
