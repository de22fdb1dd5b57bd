import * as z from "zod";

/** An id that is written as a number, or as a text. */
export const numericId = z.union([z.string(), z.number()]).transform(String);

/** Comments and posts have a number of their own behind that of what they belong to, which some answers leave out. */
export function keyOf(id: string): string {
  return `post:${id.split("_").at(-1)}`;
}

/** Of a message, or of the conversation with a person. */
export function messageKey(id: string): string {
  return `dm:${id}`;
}

/** Ids of messages are no numbers: `m_…`. https://developers.facebook.com/docs/messenger-platform/webhooks (2026-09) */
export function publishedKey(id: string): string {
  return /^\d+(_\d+)?$/.test(id) ? keyOf(id) : messageKey(id);
}
