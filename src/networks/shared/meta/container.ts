import { z } from "zod";

/** https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-container (2026-09) */
const statuses = ["IN_PROGRESS", "FINISHED", "PUBLISHED", "ERROR", "EXPIRED"] as const;

/** How far a media container is. One that is not known here is still being worked on, as far as one can tell. */
export type ContainerStatus = (typeof statuses)[number];

export interface ContainerState {
  status: ContainerStatus;
  /** Why it is an `ERROR`: the network's code, where its words hold one. */
  code: string | null;
  /** In the network's words; empty: none. */
  words: string;
}

const containerSchema = z.object({ status_code: z.string(), status: z.string().nullish() });

/**
 * `status` is documented as a code; it is a sentence that holds one: "Error:
 * Media upload has failed with error code 2207082".
 * https://github.com/gitroomhq/postiz-app/pull/1992 (2026-08)
 */
const codeInWords = /\b2207\d{3}\b/;

/** Null: the answer is no container's. */
export function readContainerState(body: unknown): ContainerState | null {
  const parsed = containerSchema.safeParse(body);
  if (!parsed.success) return null;
  const { status_code, status: words } = parsed.data;
  const status = statuses.find((each) => each === status_code) ?? "IN_PROGRESS";
  return { status, code: codeInWords.exec(words ?? "")?.[0] ?? null, words: words ?? "" };
}
