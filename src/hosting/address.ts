import { hash } from "node:crypto";
import type { Ids } from "../ports/ids.ts";

/** Random bytes in a file's name: nobody can guess it. */
const nameBytes = 16;

/** An account's folder and a file name in it. */
const keyPattern = /^[0-9a-f]{32}(?:\/[0-9a-z_-]{1,64}){1,2}$/;

/** True: the text may be the key of a hosted file. Any other text is not looked up. */
export function isKey(text: string): boolean {
  return keyPattern.test(text);
}

/** The folder of an account's files. It is a safe name for any account id, and separates the files of accounts. */
function folderOf(accountId: string): string {
  return hash("sha256", accountId).slice(0, 32);
}

/** Creates a unique key. */
export function newKey(ids: Ids, accountId: string): string {
  return `${folderOf(accountId)}/${Buffer.from(ids.bytes(nameBytes)).toString("hex")}`;
}

/** Converts between the keys and URLs of hosted files. */
export interface Addresses {
  urlOf(key: string): string;
  /** The key in a hosted file's URL; null: not a URL of this service. Other parameters, such as a signature, are ignored. */
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
