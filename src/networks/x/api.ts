import * as z from "zod";
import { endpointsBelow } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";

/** https://docs.x.com/x-api/introduction (2026-08) */
export const apiVersion = "2";

/** Ids are 64-bit numbers, too large for ours, so they stay text. https://github.com/xdevplatform/docs/blob/main/openapi.json (2026-08) */
export const xId = z.string().regex(/^\d{1,19}$/, "An X id: a string of up to 19 digits.");

/** The address of one API route. */
export const endpoint = endpointsBelow(`https://api.x.com/${apiVersion}`);

/**
 * A post as its readers open it. https://docs.x.com/x-api/direct-messages/manage/integrate (2026-08); that the one
 * without a handle leads there, too (unconfirmed).
 */
export function permalink(handle: string | null, postId: string): string {
  return `https://x.com/${handle === null ? "i" : encodeURIComponent(handle)}/status/${postId}`;
}

export const { readAnswer, getAnswer } = answersOf("X");
