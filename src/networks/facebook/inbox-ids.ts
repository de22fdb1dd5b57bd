import * as z from "zod";

/** An id, written as a number or a string. */
export const numericId = z.union([z.string(), z.number()]).transform(String);

/** The key of a comment or post: its own number, without that of its parent, which some responses omit. */
export function keyOf(id: string): string {
  return `post:${id.split("_").at(-1)}`;
}

/** The key of a message, or of the conversation with a user. */
export function messageKey(id: string): string {
  return `dm:${id}`;
}

/**
 * The key of a published reply. Ids of messages are not numbers: `m_…`.
 * https://developers.facebook.com/docs/messenger-platform/webhooks (2026-09)
 */
export function publishedKey(id: string): string {
  return /^\d+(_\d+)?$/.test(id) ? keyOf(id) : messageKey(id);
}
