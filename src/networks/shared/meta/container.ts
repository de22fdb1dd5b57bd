import * as z from "zod";
import type { PublishingFailure } from "../../contract/acceptance.ts";
import type { NetworkContext } from "../../contract/request.ts";
import { graphErrorCodes } from "./errors.ts";

/** https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-container (2026-09) */
const statuses = ["IN_PROGRESS", "FINISHED", "PUBLISHED", "ERROR", "EXPIRED"] as const;

/** The status of a media container. An unknown status counts as still in progress. */
export type ContainerStatus = (typeof statuses)[number];

export interface ContainerState {
  status: ContainerStatus;
  /** The network's error code, if its `ERROR` message holds one. */
  code: string | null;
  /** The network's message. Empty: none. */
  words: string;
}

/** An unreadable container may still be in progress. */
const unreadable: ContainerState = { status: "IN_PROGRESS", code: null, words: "" };

/** Why a container has the status `ERROR`. `passes`: true if a new container may succeed. */
export type ContainerFailure = PublishingFailure & { passes: boolean };

/** How to read a container. */
export interface ContainerRead {
  /** The URL, with the requested fields. */
  url: string;
  /** Null: the body is not a container's. */
  read(body: unknown): ContainerState | null;
  /** Error codes that mean that no object, or no container, has this id. */
  notThere: ReadonlySet<string>;
}

/** The state of a container. Null: the network shows no container with this id. */
export async function lookAtContainer(
  context: Pick<NetworkContext, "request">,
  { url, read, notThere }: ContainerRead,
): Promise<ContainerState | null> {
  // Repeats a rejected request, so that only the codes for a missing container mean that it is missing, and any other
  // error throws.
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
 * `status` is documented as a code, but is a sentence that holds one: "Error: Media upload has failed with error code
 * 2207082". https://github.com/gitroomhq/postiz-app/pull/1992 (2026-08)
 */
const codeInWords = /\b2207\d{3}\b/;

/** Null: the body is not a container's. */
export function readContainerState(body: unknown): ContainerState | null {
  const parsed = containerSchema.safeParse(body);
  if (!parsed.success) return null;
  const { status_code, status: words } = parsed.data;
  return { status: containerStatus(status_code), code: codeInWords.exec(words ?? "")?.[0] ?? null, words: words ?? "" };
}
