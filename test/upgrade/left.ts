import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What a version left besides its store. */
export interface Left {
  /** Milliseconds since 1970. */
  leftAt: number;
  /** What the receiver of webhooks verifies with. */
  secret: string;
  /** All that the networks have seen until then, in order: done again, it makes the networks what they were. */
  steps: readonly LeftStep[];
  /** The posts' ids, in the order of the cases. */
  posts: readonly string[];
  /** The inboxes' profiles, in the order of the world's scenes. */
  inboxes: readonly LeftInbox[];
}

export interface LeftInbox {
  profileId: string;
  /** The number of its inbox's last change, from which a follower goes on. */
  seq: number;
}

/** A request that a network has carried out, or what a person did. */
export type LeftStep = LeftRequest | LeftDeed;

export interface LeftRequest {
  at: number;
  method: string;
  url: string;
  headers: Record<string, string>;
  /** In base64; empty: none. */
  body: string;
}

export interface LeftDeed {
  at: number;
  /** Its place among the deeds of the world. */
  deed: number;
}

/** Versions whose stores are kept. */
export const leftStores = ["0.1.0"] as const;

const file = (version: string, name: string): string =>
  fileURLToPath(new URL(`left/${version}/${name}`, import.meta.url));

export const sqliteFile = (version: string): string => file(version, "store.sqlite");
export const postgresFile = (version: string): string => file(version, "store.sql");

export function readLeft(version: string): Left {
  return JSON.parse(readFileSync(file(version, "left.json"), "utf8"));
}

export function writeLeft(version: string, left: Left): void {
  writeFileSync(file(version, "left.json"), `${JSON.stringify(left, null, 2)}\n`);
}
