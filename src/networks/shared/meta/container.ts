import * as z from "zod";
import type { PublishingFailure } from "../../contract/acceptance.ts";
import type { NetworkContext } from "../../contract/request.ts";
import { graphErrorCodes } from "./errors.ts";

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

/** What cannot be read may still be worked on. */
const unreadable: ContainerState = { status: "IN_PROGRESS", code: null, words: "" };

/** Why a container that is an `ERROR` failed; `passes`: another one may not. */
export type ContainerFailure = PublishingFailure & { passes: boolean };

/** How a container is read. */
export interface ContainerRead {
  /** Where, with the fields that are asked for. */
  url: string;
  /** Null: the answer is no container's. */
  read(body: unknown): ContainerState | null;
  /** Codes of refusals that mean that nothing, or no container, has this id. */
  notThere: ReadonlySet<string>;
}

/** How far a container is; null: the network shows none under this id. */
export async function lookAtContainer(
  context: Pick<NetworkContext, "request">,
  { url, read, notThere }: ContainerRead,
): Promise<ContainerState | null> {
  // What it is refused with is read twice, so that only the words for a missing container are treated as one.
  const response = await context.request({ method: "GET", url, accept: [400] });
  if (response.status === 200) return read(response.body) ?? unreadable;
  if (graphErrorCodes(response.body).some((code) => notThere.has(code))) return null;
  await context.request({ method: "GET", url });
  return unreadable;
}

/** An unknown status counts as work in progress. */
export function containerStatus(text: string): ContainerStatus {
  return statuses.find((each) => each === text) ?? "IN_PROGRESS";
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
  return { status: containerStatus(status_code), code: codeInWords.exec(words ?? "")?.[0] ?? null, words: words ?? "" };
}
