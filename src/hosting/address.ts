import { hash } from "node:crypto";
import type { Ids } from "../ports/ids.ts";

/** Of a name, bytes: nobody guesses it. */
const nameBytes = 16;

/** An account's folder, and what lies in it. */
const keyPattern = /^[0-9a-f]{32}(?:\/[0-9a-z_-]{1,64}){1,2}$/;

/** True for what may be the key of a hosted file; all else is not looked up. */
export function isKey(text: string): boolean {
  return keyPattern.test(text);
}

/** Where an account's files lie: it tells apart what one account has from all else, and is a safe name whatever the account's id is. */
function folderOf(accountId: string): string {
  return hash("sha256", accountId).slice(0, 32);
}

/** A key that was never used before. */
export function newKey(ids: Ids, accountId: string): string {
  return `${folderOf(accountId)}/${Buffer.from(ids.bytes(nameBytes)).toString("hex")}`;
}

/** Where hosted files are to be had, and which file an address means. */
export interface Addresses {
  urlOf(key: string): string;
  /** Null: no address of ours. What a signed address has besides is passed over. */
  keyOf(url: string): string | null;
}

/** @param baseUrl where the handler is mounted */
export function createAddresses(baseUrl: string): Addresses {
  const base = `${new URL(baseUrl).href.replace(/\/+$/, "")}/media/`;
  return {
    urlOf: (key) => base + key,
    keyOf(url) {
      if (!URL.canParse(url)) return null;
      const { origin, pathname } = new URL(url);
      const address = origin + pathname;
      const key = address.startsWith(base) ? address.slice(base.length) : "";
      return isKey(key) ? key : null;
    },
  };
}
