import * as z from "zod";

/** The public id of an app at a network. */
export const clientId = z.string().regex(/^[\x21-\x7e]{1,300}$/, "A client id must not contain spaces.");

/** A token that somebody's server made: it goes into a header, and few servers take longer ones. */
export const token = z.string().max(8_192);

/** When a token runs out, ISO 8601. */
export const endTime = z.iso.datetime({ offset: true });

/** Milliseconds; null: it was not given. */
export function endOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text);
}

/** What a token may do, as its network names it. */
export const scopeList = z.array(z.string().max(100)).max(50);
