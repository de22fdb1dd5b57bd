import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What a version left besides its store. */
export interface Left {
  /** Milliseconds since 1970. */
  leftAt: number;
  /** What the receiver of webhooks verifies with. */
  secret: string;
  /** Every request that the networks have carried out until then, in order: sent again, they make the networks what they were. */
  requests: readonly LeftRequest[];
  /** The posts' ids, in the order of the cases. */
  posts: readonly string[];
}

export interface LeftRequest {
  at: number;
  method: string;
  url: string;
  headers: Record<string, string>;
  /** In base64; empty: none. */
  body: string;
}

/** Stores that versions have left, by when that was. */
export const leftStores = ["2026-11"] as const;

const file = (when: string, name: string): string => fileURLToPath(new URL(`left/${when}/${name}`, import.meta.url));

export const sqliteFile = (when: string): string => file(when, "store.sqlite");
export const postgresFile = (when: string): string => file(when, "store.sql");

export function readLeft(when: string): Left {
  return JSON.parse(readFileSync(file(when, "left.json"), "utf8"));
}

export function writeLeft(when: string, left: Left): void {
  writeFileSync(file(when, "left.json"), `${JSON.stringify(left, null, 1)}\n`);
}
