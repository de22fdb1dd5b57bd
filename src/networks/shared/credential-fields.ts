import * as z from "zod";

/** The public id of an app at a network. */
export const clientId = z.string().regex(/^[\x21-\x7e]{1,300}$/, "A client id must not contain spaces.");

/** A token from any server. It goes into a header, and few servers accept longer headers. */
export const token = z.string().max(8_192);

/** When a token expires, ISO 8601. */
export const endTime = z.iso.datetime({ offset: true });

/** Milliseconds. Null: not given. */
export function endOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text);
}

/** The scopes of a token, by the network's names. */
export const scopeList = z.array(z.string().max(100)).max(50);
